import FerryKernel
import FerryStore
import TestKit
import Testing

@testable import FerrySync

@Suite struct `A server that asks to be left alone` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote()

  private func time(_ seconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: FixedClock.now().nanoseconds + seconds * 1_000_000_000)
  }

  @Test func `is left alone by the next run, in another process, too`() async throws {
    let device = try await SyncDevice()
    remote.give(RemoteNotice(notBefore: time(600)))
    let first = try await device.sync(remote)
    #expect(first.units.first?.outcome == .synced)
    #expect(first.retryAt == time(600))
    await device.restart()
    remote.put("cards", alice, "a", Card.record())
    let asked = remote.requests.count
    let second = try await device.sync(remote)
    #expect(second.units.first?.outcome == .postponed(until: time(600)))
    #expect(second.retryAt == time(600))
    #expect(second.failures == 0)
    #expect(remote.requests.count == asked)
    remote.give(RemoteNotice())
    let later: @Sendable () -> Timestamp = {
      Timestamp(nanoseconds: FixedClock.now().nanoseconds + 601_000_000_000)
    }
    let third = try await device.sync(Remotes(["home": remote]), now: later)
    #expect(third.total.pull.written == 1)
    #expect(third.retryAt == nil)
  }

  @Test func `gets both accounts that are on it before it is left alone`() async throws {
    let device = try await SyncDevice([alice, LibraryRows.bob])
    remote.give(RemoteNotice(notBefore: time(600)))
    #expect(try await device.sync(remote).units.map(\.outcome) == [.synced, .synced])
    let postponed = SyncReport.Outcome.postponed(until: time(600))
    #expect(try await device.sync(remote).units.map(\.outcome) == [postponed, postponed])
  }

  @Test func `is left alone by the crossing's next try, too`() async throws {
    let device = try await SyncDevice()
    remote.fail("cards", with: .unreachable(server: "home", why: "it asks for time"))
    remote.give(RemoteNotice(notBefore: time(600)))
    let (account, remotes) = (try device.store.account(alice), Remotes(["home": remote]))
    let refill = FeedRefill(remotes, now: FixedClock.now)
    await #expect(throws: RefillInterrupted.self) {
      try await refill.refill(.card, of: account) { _, _, _ in }
    }
    let asked = remote.requests.count
    let error = await #expect(throws: RefillInterrupted.self) {
      try await refill.refill(.card, of: account) { _, _, _ in }
    }
    #expect(error?.why.contains("left alone") == true)
    #expect(remote.requests.count == asked)
  }

  @Test func `for longer than a day is asked again after one`() async throws {
    let device = try await SyncDevice()
    remote.give(RemoteNotice(notBefore: time(200_000)))
    #expect(try await device.sync(remote).retryAt == time(86_400))
    #expect(try await device.sync(remote).units.first?.outcome == .postponed(until: time(86_400)))
  }

  @Test func `by a clock that was wrong isn't believed`() async throws {
    let device = try await SyncDevice()
    remote.give(RemoteNotice(notBefore: time(600)))
    let (ahead, behind) = (time(500), time(-86_400))
    try await device.sync(remote, now: { ahead })
    #expect(try await device.sync(remote, now: { behind }).units.first?.outcome == .synced)
  }

  @Test func `since it takes nothing now isn't asked by the next account either`() async throws {
    let device = try await SyncDevice([alice, LibraryRows.bob])
    remote.give(RemoteNotice(notBefore: time(600)))
    remote.fail("cards", with: .unreachable(server: "home", why: "it is busy"))
    let outcomes = try await device.sync(remote).units.map(\.outcome)
    #expect(outcomes.last == .postponed(until: time(600)))
    #expect(!remote.requests.contains { $0.contains("bob") })
  }

  @Test func `doesn't keep the accounts of other servers waiting`() async throws {
    let bob = try AccountID(server: "work", user: "bob")
    let device = try await SyncDevice([alice, bob])
    let work = ScriptedRemote()
    remote.give(RemoteNotice(notBefore: time(600)))
    let remotes = Remotes(["home": remote, "work": work])
    try await device.sync(remotes)
    let report = try await device.sync(remotes)
    #expect(report.units.map(\.outcome) == [.postponed(until: time(600)), .synced])
  }

  @Test func `may announce its end, which is logged once`() async throws {
    let device = try await SyncDevice()
    remote.give(RemoteNotice(alert: "The service ends in May."))
    for _ in 0..<3 { #expect(try await device.sync(remote).alerts == ["The service ends in May."]) }
    #expect(device.log.messages.count { $0.contains("ends in May") } == 1)
  }
}

@Suite struct `A run` {
  private let alice = LibraryRows.alice

  @Test func `whose secret isn't accepted says so, asks nothing more, and loses nothing`() async throws {
    let remote = ScriptedRemote()
    let device = try await SyncDevice()
    try device.put(.make("a"))
    remote.fail("session", with: .unauthorized(alice, why: "wrong password"))
    let report = try await device.sync(remote)
    #expect(report.failureKinds == [.authorization])
    #expect(remote.requests.isEmpty && remote.pushes.isEmpty)
    #expect(report.unsent == [alice: 1])
  }

  @Test
  func `goes on with other accounts where one isn't accepted, and with other feeds where one is forbidden`()
    async throws
  {
    let bob = try AccountID(server: "work", user: "bob")
    let device = try await SyncDevice([alice, bob])
    let (home, work) = (ScriptedRemote(), ScriptedRemote())
    home.fail("session", with: .unauthorized(alice, why: "wrong password"))
    work.put("cards", bob, "a", Card.record())
    let report = try await device.sync(Remotes(["home": home, "work": work]))
    #expect(report.failures == 1)
    #expect(report.units.last?.counts.pull.written == 1)

    let rig = try LibraryRig(LibraryRows().source())
    try await rig.cross()
    rig.remote.fail("shelves", with: .forbidden(alice, what: "read shelves"))
    rig.remote.put("books", alice, "b", ["title": "b", "changedAt": 0])
    let plan = try rig.plan()
    let other = try await SyncRun(
      plan: plan, store: rig.open(plan), remotes: rig.remotes, log: RecordingLog(), now: FixedClock.now
    ).run()
    #expect(other.failureKinds == [.authorization])
    #expect(other.total.pull.written == 1)
  }

  @Test func `of one account or feed leaves the others alone`() async throws {
    let bob = try AccountID(server: "work", user: "bob")
    let device = try await SyncDevice([alice, bob])
    let (home, work) = (ScriptedRemote(), ScriptedRemote())
    var options = SyncOptions()
    options.accounts = [bob]
    let report = try await device.sync(Remotes(["home": home, "work": work]), options: options)
    #expect(report.units.map(\.account) == [bob])
    #expect(home.requests.isEmpty && !work.requests.isEmpty)
    options.feeds = ["nothing"]
    #expect(try await device.sync(Remotes(["home": home, "work": work]), options: options).units.isEmpty)
  }

  @Test func `of two accounts with one name and the same records on two servers lets nothing cross`()
    async throws
  {
    let work = try AccountID(server: "work", user: "alice")
    let device = try await SyncDevice([alice, work])
    let (home, there) = (ScriptedRemote(), ScriptedRemote())
    home.put("cards", alice, "a", Card.record(title: "home"))
    there.put("cards", work, "a", Card.record(title: "work"))
    let remotes = Remotes(["home": home, "work": there])
    try await device.sync(remotes)
    try device.edit("a", work) { $0.title = "edited" }
    try device.put(.make("b"), alice)
    try await device.sync(remotes)
    #expect(try device.cards(alice).map { "\($0.id) \($0.title)" } == ["a home", "b "])
    #expect(try device.cards(work).map { "\($0.id) \($0.title)" } == ["a edited"])
    #expect(home.history("cards", alice).live.map(\.id) == ["a", "b"])
    #expect(there.history("cards", work).live.map { $0.content?["title"]?.stringValue } == ["edited"])
  }

  @Test func `tells how far it has come`() async throws {
    let remote = ScriptedRemote(pageSize: 2)
    for number in 0..<5 { remote.put("cards", alice, "c\(number)", Card.record()) }
    let device = try await SyncDevice()
    try device.put(.make("mine"))
    let heard = Locked<[SyncProgress]>([])
    _ = try await SyncRun(
      plan: device.plan, store: device.store, remotes: Remotes(["home": remote]), log: device.log,
      now: FixedClock.now, clock: NoWait()
    ).run { step in heard.withLock { $0.append(step) } }
    let steps = heard.withLock { $0 }
    #expect(steps.first?.phase == .planning)
    #expect(steps.filter { $0.phase == .pulling }.map(\.counts.pull.written) == [2, 4, 5])
    #expect(steps.last?.phase == .pushing)
    #expect(steps.last?.counts.push.written == 1)
  }
}

/// S7: whoever asks for a sync is told that it is over when it is over.
@Suite struct `Trap S7, a sync that goes on behind its caller's back` {
  private let alice = LibraryRows.alice

  @Test func `the faulty way says that it is done while work goes on`() async throws {
    let remote = ScriptedRemote()
    for number in 0..<5 { remote.put("cards", alice, "c\(number)", Card.record()) }
    let device = try await SyncDevice()
    let (isAsked, ask) = AsyncStream<Void>.makeStream()
    let (mayGoOn, goOn) = AsyncStream<Void>.makeStream()
    let gate = GatedRemote(remote) {
      ask.finish()
      for await _ in mayGoOn {}
    }
    // As it was written: nobody waits for the task.
    let stray = Task { try await device.sync(gate) }
    for await _ in isAsked {}
    #expect(try device.cards().isEmpty)
    goOn.finish()
    _ = try await stray.value
    #expect(try device.cards().count == 5)
  }

  @Test func `returns when everything is done, with what was done`() async throws {
    let remote = ScriptedRemote()
    for number in 0..<5 { remote.put("cards", alice, "c\(number)", Card.record()) }
    let device = try await SyncDevice()
    try device.put(.make("mine"))
    let report = try await device.sync(remote)
    #expect(report.total.pull.written == 5 && report.total.push.written == 1)
    #expect(try device.cards().count == 6)
    let before = try await device.dump()
    #expect(StoreDump.differences(before, try await device.dump()) == [])
  }

  @Test(arguments: 1...14) func `stops where it is cancelled and leaves whole transactions only`(request: Int)
    async throws
  {
    let remote = ScriptedRemote(pageSize: 2)
    for number in 0..<6 { remote.put("cards", alice, "c\(number)", Card.record(title: "\(number)")) }
    let device = try await SyncDevice()
    for number in 0..<3 { try device.put(.make("m\(number)")) }
    var options = SyncOptions()
    options.pageSize = 2
    let count = Locked(0)
    let gate = GatedRemote(remote) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == request { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let run = Task { [options] in try await device.sync(gate, options: options) }
    let result = await run.result
    let requests = count.withLock { $0 }
    if requests >= request {
      #expect(throws: CancellationError.self) { try result.get() }
      // Nothing goes on after it has returned.
      let before = try await device.dump()
      #expect(count.withLock { $0 } == requests)
      #expect(StoreDump.differences(before, try await device.dump()) == [])
    }
    // A page and its cursor are there together or not at all.
    let cursor = try device.account().blockingRead { try $0.find(FeedCursor.self, "cards")?.cursor }
    let pulled = try device.cards().count { $0.id.rawValue.hasPrefix("c") }
    #expect(pulled == min(6, cursor.flatMap { Int($0) } ?? 0))
    // And the next run goes on to the same end.
    #expect(try await device.sync(remote).failures == 0)
    #expect(try device.cards().count == 9)
    #expect(try device.outbox().isEmpty)
    #expect(remote.history("cards", alice).count == 9)
  }
}
