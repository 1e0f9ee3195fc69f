import FerryKernel
import FerryStore
import FerrySync
import TestKit
import Testing

/// One sync of every feed of every account.
@Suite struct SyncRunTests {
  private let alice = LibraryRows.alice

  private func crossed() async throws -> LibraryRig {
    var rows = LibraryRows()
    rows.books = [LibraryRows.book(1, "unsent", isUnsent: true)]
    let rig = try LibraryRig(
      MemoryLegacySource([(alice, rows.classes), (LibraryRows.bob, LibraryRows().classes)]))
    try await rig.cross()
    return rig
  }

  private func sync(_ rig: LibraryRig) async throws -> SyncReport {
    let plan = try rig.plan()
    return try await SyncRun(
      plan: plan, store: rig.open(plan), remotes: rig.remotes, log: rig.log, now: FixedClock.now
    )
    .run()
  }

  @Test("Every feed of every account is pulled and pushed")
  func all() async throws {
    let rig = try await crossed()
    rig.remote.put("shelves", alice, "x", ["name": "new"])
    rig.remote.put("books", LibraryRows.bob, "y", ["title": "new", "changedAt": 1])
    let report = try await sync(rig)
    #expect(
      report.units.map { "\($0.feed) \($0.account.user)" } == [
        "shelves alice", "books alice", "shelves bob", "books bob",
      ])
    #expect(report.total.pull.written == 2)
    #expect(report.total.push.written == 1)
    #expect(report.failures == 0)
    #expect(report.unsent == [alice: 0, LibraryRows.bob: 0])
    #expect(rig.remote.history("books", alice).count == 1)
    let again = try await sync(rig).total
    // The server steps back a little at each start, and what was pushed comes by.
    #expect(again.pull.written == 0 && again.push == PushCounts())
  }

  @Test("A feed that fails is told with its reason and remedy, and doesn't keep the others from being pulled")
  func failing() async throws {
    var rig = try await crossed()
    let log = RecordingLog()
    rig.log = log
    rig.remote.fail("shelves", with: .badAnswer(where: "line 1", why: "it is torn"))
    rig.remote.put("books", alice, "y", ["title": "new", "changedAt": 1])
    let report = try await sync(rig)
    #expect(report.failures == 2)
    #expect(report.total.pull.written == 1)
    guard case .failed(let failure) = report.units[0].outcome else {
      Issue.record("\(report.units[0])")
      return
    }
    #expect(failure.code == "sync.badAnswer")
    #expect(failure.reason.contains("it is torn"))
    #expect(!failure.remedy.isEmpty)
    #expect(failure.kind == .fault)
    #expect(log.messages.count == 2)
  }

  @Test("A feed that failed keeps its reason where the server is lost after that")
  func failingFirst() async throws {
    let rig = try await crossed()
    rig.remote.fail("shelves", with: .badAnswer(where: "line 1", why: "it is torn"))
    rig.remote.fail("books", with: .unreachable(server: "home", why: "no route"))
    let codes = try await sync(rig).units.filter { $0.account == alice }.map { unit -> String in
      if case .failed(let failure) = unit.outcome { failure.code } else { "" }
    }
    #expect(codes == ["sync.badAnswer", "sync.unreachable"])
  }

  @Test("An account on a server that isn't configured fails alone")
  func unknownServer() async throws {
    let rig = try await crossed()
    _ = try rig.open().addAccount(try AccountID(server: "elsewhere", user: "alice"))
    let report = try await sync(rig)
    #expect(report.failures == 2)
    #expect(
      report.units.filter { $0.account.server == "home" }.allSatisfy { $0.outcome == .synced })
  }

  @Test("Feeds of domains that haven't crossed wait")
  func waiting() async throws {
    var rig = try LibraryRig(LibraryRows().source())
    rig.remote.fail("books", with: .unreachable(server: "home", why: "no route"))
    try await rig.cross()
    rig.log = RecordingLog()
    rig.remote.put("shelves", alice, "x", ["name": "new"])
    let report = try await sync(rig)
    #expect(report.units.map(\.outcome).last == .waiting)
    #expect(report.total.pull.written == 1)
  }

  @Test("While a crossing has the store to itself it is refused with the reason")
  func gateShut() async throws {
    let rig = try LibraryRig(LibraryRows().source())
    try await rig.cross(until: "shelf: reset")
    let error = await #expect(throws: StoreError.self) { try await sync(rig) }
    guard case .gateShut(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("crossing"))
    #expect(rig.remote.requests.isEmpty)
  }
}
