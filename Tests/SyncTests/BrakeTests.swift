import FerryKernel
import FerryStore
import TestKit
import Testing

@testable import FerrySync

@Suite struct `The brake` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote(pageSize: 7)

  /// A device with as many cards as the server has.
  private func device(_ count: Int) async throws -> SyncDevice {
    for number in 0..<count { remote.put("cards", alice, "c\(number)", Card.record(title: "\(number)")) }
    let device = try await SyncDevice()
    try await device.sync(remote)
    return device
  }

  private func why(_ report: SyncReport) -> SyncFailure? {
    if case .failed(let failure) = report.units.first?.outcome { failure } else { nil }
  }

  @Test(arguments: [(40, 10, false), (40, 11, true), (40, 40, true), (100, 25, false), (100, 26, true)])
  func `stops where the server has deleted too much, before anything is written`(
    count: Int, deletes: Int, stops: Bool
  ) async throws {
    let device = try await device(count)
    for number in 0..<deletes { remote.delete("cards", alice, "c\(number)") }
    remote.put("cards", alice, "new", Card.record())
    try device.put(.make("mine"))
    let before = try await device.dump()
    let report = try await device.sync(remote)
    guard stops else {
      #expect(report.failures == 0)
      #expect(try device.cards().count == count - deletes + 2)
      return
    }
    let failure = try #require(why(report))
    #expect(failure.kind == .brake && failure.code == "sync.brake")
    #expect(failure.reason.contains("deleted \(deletes) of the \(count)"))
    #expect(failure.remedy.contains("--allow-deletes \(deletes)"))
    #expect(StoreDump.differences(before, try await device.dump()) == [])
    #expect(remote.pushes.isEmpty)
  }

  @Test func `stops where too much was deleted here, and the server keeps it`() async throws {
    let device = try await device(40)
    for number in 0..<11 { try device.delete("c\(number)") }
    let report = try await device.sync(remote)
    #expect(why(report)?.kind == .brake)
    #expect(why(report)?.reason.contains("deleted here") == true)
    #expect(remote.pushes.isEmpty)
    #expect(remote.history("cards", alice).count == 40)
    #expect(report.units.first?.plan?.outgoing.deleted == 11)
  }

  @Test func `counts no deletion that waits for a person anyway`() async throws {
    let device = try await device(40)
    for number in 0..<8 {
      remote.poison("c\(number)", "it stays")
      try device.delete("c\(number)")
    }
    #expect(try await device.sync(remote).total.push.held == 8)
    for number in 8..<16 { try device.delete("c\(number)") }
    let report = try await device.sync(remote)
    #expect(report.failures == 0 && report.total.push.deleted == 8)
  }

  @Test(arguments: [true, false]) func `lets through as many as are allowed`(isThere: Bool) async throws {
    let device = try await device(40)
    for number in 0..<30 {
      if isThere { remote.delete("cards", alice, "c\(number)") } else { try device.delete("c\(number)") }
    }
    var options = SyncOptions()
    options.allowedDeletes = 29
    #expect(why(try await device.sync(remote, options: options))?.kind == .brake)
    options.allowedDeletes = 30
    #expect(try await device.sync(remote, options: options).failures == 0)
    #expect(try device.cards().count == 10)
    #expect(remote.history("cards", alice).count == 10)
  }

  @Test func `doesn't count what both sides deleted, and both may be empty`() async throws {
    let device = try await device(40)
    for number in 0..<40 {
      remote.delete("cards", alice, "c\(number)")
      try device.delete("c\(number)")
    }
    let report = try await device.sync(remote)
    #expect(report.failures == 0)
    #expect(report.units.first?.plan?.outgoing.deleted == 0)
    #expect(try device.cards().isEmpty)
    #expect(try await device.sync(remote).failures == 0)
  }

  @Test func `counts by share and by number`() {
    let brake = Brake()
    #expect([0, 4, 40, 44, 100, 4000, 100_000].map(brake.limit) == [10, 10, 10, 11, 25, 1000, 1000])
  }

  @Test func `of one feed doesn't stop the others`() async throws {
    let rig = try LibraryRig(LibraryRows().source())
    for number in 0..<40 { rig.remote.put("shelves", alice, "s\(number)", ["name": "s"]) }
    try await rig.cross()
    for number in 0..<40 { rig.remote.delete("shelves", alice, "s\(number)") }
    rig.remote.put("books", alice, "b", ["title": "b", "changedAt": 0])
    let plan = try rig.plan()
    let report = try await SyncRun(
      plan: plan, store: rig.open(plan), remotes: rig.remotes, log: rig.log, now: FixedClock.now,
      clock: NoWait()
    ).run()
    #expect(report.failureKinds == [.brake])
    #expect(report.units.map(\.outcome).last == .synced)
    #expect(try rig.all(Shelf.self).count == 40)
    #expect(try rig.all(Book.self).count == 1)
  }

  @Test func `holds too where the server goes on deleting between plan and pull`() async throws {
    let device = try await device(40)
    // More pages than are kept: the pull reads them again.
    for number in 0..<40 { remote.put("cards", alice, "n\(number)", Card.record()) }
    let pages = Locked(0)
    remote.beforePage { [remote, alice] _ in
      let count = pages.withLock { pages in
        pages += 1
        return pages
      }
      if count == 8 { for number in 0..<40 { remote.delete("cards", alice, "c\(number)") } }
    }
    let report = try await device.sync(remote)
    #expect(why(report)?.kind == .brake)
    #expect(try device.cards().count { $0.id.rawValue.hasPrefix("c") } >= 30)
  }
}

@Suite struct `A dry run` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote(pageSize: 3)

  @Test func `makes the very plan that the run carries out, and changes nothing anywhere`() async throws {
    let device = try await SyncDevice()
    for number in 0..<8 { remote.put("cards", alice, "c\(number)", Card.record(title: "\(number)")) }
    try await device.sync(remote)
    remote.put("cards", alice, "new", Card.record())
    remote.put("cards", alice, "c0", Card.record(title: "theirs"))
    remote.delete("cards", alice, "c1")
    remote.delete("cards", alice, "c2")
    remote.put("cards", alice, "bad", ["title": 7])
    try device.edit("c0") { $0.title = "mine" }
    try device.edit("c3") { $0.title = "mine" }
    try device.delete("c2")
    try device.delete("c4")
    try device.put(.make("made"))
    let (before, there) = (try await device.dump(), remote.history("cards", alice).records)
    var options = SyncOptions()
    options.isDryRun = true
    let report = try await device.sync(remote, options: options)
    let unit = try #require(report.units.first)
    #expect(unit.outcome == .planned)
    let plan = try #require(unit.plan)
    #expect(plan.incoming == PullCounts(written: 1, deleted: 1, unchanged: 1, conflicts: 1, refused: 1))
    #expect(plan.outgoing.written == 2)
    #expect(plan.outgoing.deleted == 1)
    #expect(StoreDump.differences(before, try await device.dump()) == [])
    #expect(remote.history("cards", alice).records == there)
    #expect(remote.pushes.isEmpty)
    let done = try await device.sync(remote)
    #expect(done.units.first?.counts.pull == plan.incoming)
    #expect(done.total.push == PushCounts(written: 2, deleted: 1))
  }

  @Test func `says where the run would stop`() async throws {
    let device = try await SyncDevice()
    for number in 0..<40 { remote.put("cards", alice, "c\(number)", Card.record()) }
    try await device.sync(remote)
    for number in 0..<40 { remote.delete("cards", alice, "c\(number)") }
    var options = SyncOptions()
    options.isDryRun = true
    let report = try await device.sync(remote, options: options)
    #expect(report.failureKinds == [.brake])
    #expect(report.units.first?.plan?.incoming?.deleted == 40)
  }

  @Test func `of a feed that nobody has made yet makes none`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a"))
    var options = SyncOptions()
    options.isDryRun = true
    let report = try await device.sync(remote, options: options)
    #expect(report.units.first?.plan?.outgoing.written == 1)
    #expect(try await remote.mark(of: "cards", of: alice) == nil)
  }
}

extension PullCounts {
  init(written: Int = 0, deleted: Int = 0, unchanged: Int = 0, conflicts: Int = 0, refused: Int = 0) {
    self.init()
    (self.written, self.deleted, self.unchanged) = (written, deleted, unchanged)
    (self.conflicts, self.refused) = (conflicts, refused)
  }
}
