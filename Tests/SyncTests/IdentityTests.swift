import FerryKernel
import FerryStore
import TestKit
import Testing

@testable import FerrySync

@Suite struct `A server that isn't the one it was` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote()

  enum Event: CaseIterable { case wiped, recreated, restored, swapped }

  /// A device with ten cards, of which it has edited one, deleted one and made one since it synced last.
  private func device() async throws -> SyncDevice {
    for number in 0..<10 { remote.put("cards", alice, "c\(number)", Card.record(title: "\(number)")) }
    let device = try await SyncDevice()
    try await device.sync(remote)
    try device.edit("c1") { $0.title = "edited" }
    try device.delete("c2")
    try device.put(.make("made") { $0.title = "made" })
    return device
  }

  private func happen(_ event: Event) {
    switch event {
    case .wiped:
      remote.recreate("cards", alice)
      remote.restore("cards", alice, to: FeedHistory())
    case .recreated:
      remote.recreate("cards", alice)
      remote.put("cards", alice, "other", Card.record(title: "other"))
    case .restored:
      var old = FeedHistory()
      for number in 0..<5 {
        _ = old.apply(.create("c\(number)", Card.record(title: "\(number)")))
      }
      remote.restore("cards", alice, to: old)
    case .swapped: remote.mark("cards", alice, "another's")
    }
  }

  @Test(arguments: Event.allCases)
  func `stops the account by a name of its own before anything is written, and deletes nothing`(event: Event)
    async throws
  {
    let device = try await device()
    happen(event)
    let (before, pushes) = (try await device.dump(), remote.pushes.count)
    let report = try await device.sync(remote)
    #expect(report.failureKinds == [.otherServer])
    guard case .failed(let failure) = report.units.first?.outcome else { return }
    #expect(["sync.otherServer", "sync.wentBack", "sync.flushed"].contains(failure.code))
    #expect(failure.remedy.contains("--from-server") && failure.remedy.contains("--from-device"))
    #expect(StoreDump.differences(before, try await device.dump()) == [])
    #expect(remote.pushes.count == pushes)
    // It stays so until a person says which side is right.
    #expect(try await device.sync(remote).failureKinds == [.otherServer])
  }

  @Test func `isn't told that it has a file which only the one before had`() async throws {
    var record = Card.record(title: "with a file")
    record["attachment"] = ["location": "x"]
    remote.put("cards", alice, "c0", record)
    let device = try await SyncDevice()
    try await device.sync(remote)
    happen(.wiped)
    var options = SyncOptions()
    options.takeover = .fromDevice
    #expect(try await device.sync(remote, options: options).total.push.written == 1)
    let there = try #require(remote.history("cards", alice).record("c0")?.content)
    #expect(there["attachment"] == nil)
    // It may be there all the same.
    #expect(there["formerAttachment"] == ["location": "x"])
  }

  /// Two writes after a restored backup, and its revisions are above those that were known: only the records tell.
  @Test func `and was written to since is noticed by its records within a day, and gets back what it lost`()
    async throws
  {
    for number in 0..<10 { remote.put("cards", alice, "c\(number)", Card.record(title: "\(number)")) }
    let device = try await SyncDevice()
    try await device.sync(remote)
    var restored = remote.history("cards", alice)
    try device.edit("c1") { $0.title = "edited" }
    try device.delete("c2")
    #expect(try await device.sync(remote).total.push == PushCounts(written: 1, deleted: 1))
    restored.skip(to: remote.history("cards", alice).revision + 10)
    _ = restored.apply(.create("new", Card.record(title: "new")))
    remote.restore("cards", alice, to: restored)
    #expect(try await device.sync(remote).total.pull.written > 0)
    let tomorrow = Timestamp(nanoseconds: FixedClock.now().nanoseconds + 86_400 * 1_000_000_000)
    try await device.sync(remote, now: { tomorrow })
    #expect(remote.history("cards", alice).record("c1")?.content?["title"]?.stringValue == "edited")
    #expect(try device.card("c1")?.title == "edited")
    // And is compared no oftener.
    let requests = remote.requests.count
    try await device.sync(remote, now: { tomorrow })
    #expect(remote.requests.count == requests + 1)
  }

  @Test func `stops all feeds of the account, also those that come before the one that shows it`()
    async throws
  {
    let rig = try LibraryRig(LibraryRows().source())
    rig.remote.put("books", alice, "b", ["title": "b", "changedAt": 0])
    try await rig.cross()
    let plan = try rig.plan()
    func sync() async throws -> SyncReport {
      let store = try rig.open(plan)
      let report = try await SyncRun(
        plan: plan, store: store, remotes: rig.remotes, log: rig.log, now: FixedClock.now, clock: NoWait()
      ).run()
      await store.close()
      return report
    }
    #expect(try await sync().failures == 0)
    rig.remote.put("shelves", alice, "s", ["name": "new"])
    rig.remote.recreate("books", alice)
    let before = try rig.dump()
    let report = try await sync()
    #expect(report.failures == 2)
    #expect(report.failureKinds == [.otherServer])
    #expect(StoreDump.differences(before, try rig.dump()) == [])
  }

  @Test(arguments: Event.allCases)
  func `may be taken for right: its state is taken, and what was unsent is kept`(
    event: Event
  ) async throws {
    let device = try await device()
    happen(event)
    var options = SyncOptions()
    options.takeover = .fromServer
    let report = try await device.sync(remote, options: options)
    #expect(report.failures == 0, "\(report.units)")
    let cards = try device.cards()
    #expect(cards.contains { $0.id.rawValue == "made" })
    #expect(cards.contains { $0.title == "edited" })
    #expect(try device.outbox().isEmpty)
    switch event {
    case .wiped: #expect(cards.map(\.id.rawValue) == ["c1", "made"])
    case .recreated: #expect(cards.map(\.id.rawValue) == ["c1", "made", "other"])
    case .restored: #expect(cards.map(\.id.rawValue) == ["c0", "c1", "c3", "c4", "made"])
    case .swapped: #expect(cards.count == 10)
    }
    #expect(remote.history("cards", alice).count == cards.count)
    let again = try await device.sync(remote)
    #expect(again.failures == 0)
    #expect(again.total.push == PushCounts())
  }

  @Test(arguments: Event.allCases) func `may be sent everything that the device has, and nothing is deleted`(
    event: Event
  ) async throws {
    let device = try await device()
    happen(event)
    let there = remote.history("cards", alice).count
    var options = SyncOptions()
    options.takeover = .fromDevice
    let report = try await device.sync(remote, options: options)
    #expect(report.failures == 0, "\(report.units)")
    #expect(report.total.pull.deleted == 0)
    let cards = try device.cards()
    for name in (0..<10).map({ "c\($0)" }) + ["made"] where name != "c2" {
      #expect(cards.contains { $0.id.rawValue == name }, "\(name)")
    }
    #expect(remote.history("cards", alice).record("c1")?.content?["title"]?.stringValue == "edited")
    #expect(remote.history("cards", alice).count == cards.count)
    #expect(remote.history("cards", alice).count >= there - 1)
    #expect(try device.outbox().isEmpty)
    #expect(try await device.sync(remote).total.push == PushCounts())
  }

  @Test func `that is taken for right and is empty deletes no more than the brake lets through`() async throws
  {
    for number in 0..<40 { remote.put("cards", alice, "c\(number)", Card.record(title: "\(number)")) }
    let device = try await SyncDevice()
    try await device.sync(remote)
    try device.edit("c1") { $0.title = "edited" }
    happen(.wiped)
    let before = try await device.dump()
    var options = SyncOptions()
    options.takeover = .fromServer
    let report = try await device.sync(remote, options: options)
    #expect(report.failureKinds == [.brake])
    #expect(report.units.first?.plan?.incoming?.deleted == 39)
    #expect(StoreDump.differences(before, try await device.dump()) == [])
    options.allowedDeletes = 39
    #expect(try await device.sync(remote, options: options).failures == 0)
    #expect(try device.cards().map(\.title) == ["edited"])
    #expect(remote.history("cards", alice).count == 1)
  }

  @Test(arguments: [Takeover.fromServer, .fromDevice], 0...3)
  func `is taken over by the next run where the first one was interrupted`(takeover: Takeover, pages: Int)
    async throws
  {
    let device = try await device()
    happen(.restored)
    var options = SyncOptions()
    options.takeover = takeover
    options.pageSize = 2
    // The plan reads three pages and keeps them; what follows is the listing.
    remote.answer(pages: pages)
    remote.beforePush { _ in throw RemoteError.unreachable(server: "home", why: "no route") }
    let first = try await device.sync(remote, options: options)
    #expect(first.failureKinds == [.network])
    remote.answer(pages: .max)
    remote.beforePush(nil)
    // Where it hadn't begun a person has to say so again; where it had, it goes on.
    options.takeover = pages < 3 ? takeover : nil
    let report = try await device.sync(remote, options: options)
    #expect(report.failures == 0, "\(report.units)")
    let ids = try device.cards().map(\.id.rawValue)
    if takeover == .fromServer {
      #expect(ids == ["c0", "c1", "c3", "c4", "made"])
    } else {
      #expect(ids.count == 10)
    }
    #expect(remote.history("cards", alice).count == ids.count)
  }

  @Test func `is known by its mark, which the first device puts there and the others take over`() async throws
  {
    let (one, two) = (try await SyncDevice(), try await SyncDevice())
    try await one.sync(remote)
    let mark = try #require(try await remote.mark(of: "cards", of: alice))
    try await two.sync(remote)
    #expect(try await remote.mark(of: "cards", of: alice) == mark)
    for device in [one, two] {
      #expect(try device.account().blockingRead { try $0.find(FeedState.self, "cards")?.mark } == mark)
    }
  }

  @Test func `shows by what this device pushed last, which no pull has come by yet`() async throws {
    let device = try await device()
    let backup = remote.history("cards", alice)
    #expect(try await device.sync(remote).total.push.written == 2)
    remote.restore("cards", alice, to: backup)
    let before = try await device.dump()
    let report = try await device.sync(remote)
    #expect(report.failureKinds == [.otherServer], "\(report.units)")
    #expect(StoreDump.differences(before, try await device.dump()) == [])
    #expect(remote.history("cards", alice).count == backup.count)
    var options = SyncOptions()
    options.takeover = .fromDevice
    #expect(try await device.sync(remote, options: options).failures == 0)
    #expect(remote.history("cards", alice).record("made")?.content != nil)
    #expect(try await device.sync(remote).failures == 0)
  }

  @Test func `shows also by a record that is older than what it acknowledged`() async throws {
    let device = try await device()
    try device.edit("c9") { $0.title = "edited" }
    remote.beforePush { [remote, alice] _ in
      var old = FeedHistory()
      for number in 0..<10 { _ = old.apply(.create("c\(9 - number)", Card.record(title: "old"))) }
      remote.restore("cards", alice, to: old)
    }
    let report = try await device.sync(remote)
    #expect(report.failureKinds == [.otherServer])
  }
}

/// Both sides count, so that nothing stays hidden.
@Suite struct `After a pull` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote()

  @Test func `a record that the server never showed is found and fetched`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "late", Card.record(title: "late"))
    remote.put("cards", alice, "a", Card.record(title: "a"))
    // As where the cursor has passed a record that wasn't committed yet.
    try device.account().blockingWrite(origin: .server) { transaction in
      _ = try transaction.upsert(FeedCursor(feed: "cards", cursor: "1"))
    }
    let report = try await device.sync(remote)
    #expect(report.total.pull.written == 2)
    #expect(try device.cards().map(\.title) == ["a", "late"])
  }

  @Test func `a record that the server lost without deleting it is sent again, and never deleted here`()
    async throws
  {
    let device = try await SyncDevice()
    var record = Card.record(title: "a")
    record["extra"] = "kept"
    remote.put("cards", alice, "a", record)
    remote.put("cards", alice, "b", Card.record(title: "b"))
    try await device.sync(remote)
    remote.lose("cards", alice, "a")
    let report = try await device.sync(remote)
    #expect(report.total.pull.deleted == 0)
    #expect(report.total.push == PushCounts(written: 1, lost: 1))
    #expect(remote.history("cards", alice).record("a")?.content == record)
    #expect(try await device.sync(remote).total.push == PushCounts())
  }

  @Test func `a record that the server lost and that was deleted here is gone on both sides`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    try device.delete("a")
    remote.lose("cards", alice, "a")
    let report = try await device.sync(remote)
    #expect(report.failures == 0)
    #expect(try device.outbox().isEmpty)
    #expect(try device.cards().isEmpty)
    #expect(remote.history("cards", alice).count == 0)
  }

  @Test func `a server that others write to all the time is asked again before anything is made of it`()
    async throws
  {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    remote.claim(count: 5)
    let report = try await device.sync(remote)
    #expect(report.failures == 0)
    #expect(report.total.push == PushCounts())
    #expect(try device.cards().count == 1)
  }

  @Test func `a record that this build can't read counts, and isn't fetched each time`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "bad", ["title": 7])
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    let before = try await device.dump()
    let asked = remote.requests.count
    try await device.sync(remote)
    #expect(remote.requests.count == asked + 1)
    #expect(StoreDump.differences(before, try await device.dump()) == [])
    #expect(try device.quarantine().count == 1)
  }
}
