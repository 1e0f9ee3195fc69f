import FerryStore
import TestKit
import Testing

@testable import FerryKernel

/// While a domain crosses, nobody else writes into it (traps M4).
@Suite struct GateTests {
  /// What writing into a table met.
  private static func write(_ record: some Record, _ store: Store, origin: Origin) throws -> String {
    do {
      let account = try store.account(LibraryRows.alice)
      try account.blockingWrite(origin: origin) { transaction in
        if let shelf = record as? Shelf { try transaction.upsert(shelf) }
        if let book = record as? Book { try transaction.upsert(book) }
      }
      return "open"
    } catch StoreError.gateShut(let reason) {
      return "shut: \(reason)"
    } catch StoreError.tableShut(let table, _) {
      return "\(table) shut"
    }
  }

  private static func both(_ store: Store) throws -> [String] {
    let shelf = Shelf(id: try #require(ShelfID("s")), name: "written meanwhile")
    let book = Book(id: try #require(BookID("b")), title: "written meanwhile", changedAt: .min)
    return try [Origin.local, .server].flatMap { origin in
      [try write(shelf, store, origin: origin), try write(book, store, origin: origin)]
    }
  }

  @Test("It is shut until the core domains are over, then for the tables that are to come, then open")
  func opensStepByStep() async throws {
    var rig = try LibraryRig(LibraryRows().source())
    let plan = try rig.plan()
    let store = try rig.open(plan)
    let seen = Locked<[String: [String]]>([:])
    let other = rig
    rig.log = RecordingLog { line in
      // Another connection stands for another process.
      do {
        let found = try GateTests.both(other.open())
        seen.withLock { $0[line.message] = found }
      } catch {
        Issue.record(error)
      }
    }
    _ = try await rig.run(plan, store).run()
    let found = seen.withLock { $0 }
    let shut = "shut: a crossing is under way, 0 of 3 domains are over"
    for phase in ["backedUp", "reset", "restored", "resynced", "verified"] {
      #expect(found["shelf: \(phase)"] == Array(repeating: shut, count: 4))
      #expect(found["book: \(phase)"] == ["open", "book shut", "open", "book shut"])
    }
    #expect(found["shelf: done"] == ["open", "book shut", "open", "book shut"])
    #expect(found["book: done"] == ["open", "open", "open", "open"])
    #expect(found["diary: done"] == ["open", "open", "open", "open"])
    #expect(try rig.read { try $0.gateReason() } == nil)
  }

  @Test("It stays shut when a run ends early, for other processes too")
  func staysShut() async throws {
    var rig = try LibraryRig(LibraryRows().source())
    try await rig.cross(until: "shelf: restored")
    #expect(try rig.read { try $0.gateReason() } == "a crossing is under way, 0 of 3 domains are over")
    #expect(try GateTests.both(rig.open()).allSatisfy { $0.hasPrefix("shut") })
    rig.log = RecordingLog()
    try await rig.cross()
    #expect(try GateTests.both(rig.open()).allSatisfy { $0 == "open" })
  }

  @Test("A domain that is turned off before it was over shuts nobody out any more", arguments: [false, true])
  func turnedOff(hasBegun: Bool) async throws {
    var rig = try LibraryRig(LibraryRows().source())
    let off = Library.roadmap.replacing("- domain: shelf", with: "- enabled: false\n    domain: shelf")
      .replacing("- domain: book", with: "- enabled: false\n    domain: book")
    rig.roadmap = off
    try await rig.cross()
    rig.roadmap = Library.roadmap
    if hasBegun { try await rig.cross(until: "shelf: restored") }
    rig.log = RecordingLog()
    let shelf = Shelf(id: try #require(ShelfID("s")), name: "written meanwhile")
    for roadmap in [Library.roadmap, off, Library.roadmap] {
      rig.roadmap = roadmap
      let plan = try rig.plan()
      let store = try rig.open(plan)
      try plan.shutGateForEnabled(in: store)
      #expect(try plan.isGateTooTight(in: store) == (roadmap == off))
      try plan.loosenGate(in: store)
      #expect(try store.device.blockingRead { try $0.gateReason() == nil } == (roadmap == off))
      if roadmap != off, hasBegun {
        #expect(try GateTests.write(shelf, store, origin: .local).hasPrefix("shut"))
      }
      await store.close()
    }
    #expect(try await rig.cross().isOver)
  }

  @Test("What a rollback has shut stays shut")
  func ofARollback() async throws {
    let rig = try LibraryRig(LibraryRows().source())
    try await rig.cross()
    let plan = try rig.plan()
    let store = try rig.open(plan)
    try store.device.blockingWrite(origin: .crossing) { try $0.shutGate(reason: Rollback.gateReason) }
    try plan.loosenGate(in: store)
    #expect(try GateTests.both(store).allSatisfy { $0.hasPrefix("shut: ") })
  }
}
