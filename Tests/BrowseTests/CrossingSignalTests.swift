import FerryKernel
import FerryScreen
import FerryStore
import FerrySync
import TestKit
import Testing

@testable import app_cli

@Suite struct `What a gate hears of a crossing` {
  private func rows() -> LibraryRows {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("left")], [.integer(2), .text("right")]]
    rows.books = (1...5).map { LibraryRows.book($0, "book \($0)", isUnsent: true) }
    rows.notes = [[.integer(1), .text("한글")]]
    rows.lines = [[.integer(1), .text("line")]]
    return rows
  }

  private func describe(_ error: any Error) -> CrossingFailure {
    CrossingFailure(sentence: "\(error)", remedy: "")
  }

  @Test func `opens it while another process crosses, and never says less than before`() async throws {
    let rig = try LibraryRig(rows().source())
    let plan = try rig.plan()
    let (store, other) = (try rig.open(plan), try rig.open(plan))
    let signals = CrossingSignals(plan: plan, store: store, totals: plan.legacyRows(in: rig.source))
    #expect(signals.totals == ["shelf": 2, "book": 6, "diary": 1])
    async let crossed = rig.run(plan, other).run()
    var states: [CrossingGate.State] = []
    let gate = await CrossingGate.run(signals, describe: describe) { states.append($0.state) }
    #expect(try await crossed.isOver)
    #expect(gate.state == .ready && gate.behind == nil)
    #expect(states.first == .checking && states.last == .ready)
    #expect(states.firstIndex(of: .ready) == states.lastIndex { !$0.admitsInput }.map { $0 + 1 })
    await store.close()
    await other.close()
  }

  @Test func `is nothing once all is over`() async throws {
    let rig = try LibraryRig(rows().source())
    try await rig.cross()
    let plan = try rig.plan()
    let store = try rig.open(plan)
    var states: [CrossingGate.State] = []
    let gate = await CrossingGate.run(
      CrossingSignals(plan: plan, store: store, totals: [:]), describe: describe
    ) { states.append($0.state) }
    #expect(states == [.checking, .ready] && gate.behind == nil)
    await store.close()
  }

  @Test func `says in which phase it was left, and how many rows there are`() async throws {
    let rig = try LibraryRig(rows().source())
    try await rig.cross(until: "book: reset")
    let plan = try rig.plan()
    let store = try rig.open(plan)
    var machine = CrossingSignalMachine(plan: plan, totals: ["book": 6])
    let (journal, tallies) = try await store.device.read {
      (try $0.fetch(JournalEntry.all), try $0.fetch(Tally.all))
    }
    let signals = try machine.hear(.init(journal: journal, tallies: tallies))
    guard case .core(let core)? = signals.first else {
      Issue.record("nothing of the core: \(signals)")
      return
    }
    #expect(!core.contains("shelf"))
    guard case .progress(let progress)? = signals.last else {
      Issue.record("no progress: \(signals)")
      return
    }
    #expect(
      progress.domain == "book" && progress.phase == "restoring" && progress.of == 6 && progress.done <= 6)
    #expect(!machine.isOver)
    await store.close()
  }

  @Test func `is that it waits, while the server can't be reached`() async throws {
    let rig = try LibraryRig(rows().source())
    rig.remote.fail("shelves", with: .unreachable(server: "home", why: "away"))
    _ = try await rig.cross()
    let plan = try rig.plan()
    let store = try rig.open(plan)
    var machine = CrossingSignalMachine(plan: plan, totals: [:])
    let journal = try await store.device.read { try $0.fetch(JournalEntry.all) }
    #expect(
      try machine.hear(.init(journal: journal, tallies: [])).last == .waitingForNetwork(domain: "shelf"))
    await store.close()
  }
}
