import FerryKernel
import FerryStore
import TestKit
import Testing

/// Where the steps stand, derived from roadmap and journal.
@Suite struct StepStateTests {
  @Test("Each step says what it waits for")
  func waiting() throws {
    let states = try LibraryRig(LibraryRows().source()).plan().states([])
    #expect(states.map(\.state.name) == ["waiting", "waiting", "waiting"])
    let reasons = states.map { if case .waiting(let reason) = $0.state { reason } else { "none" } }
    #expect(reasons[0] == nil)
    #expect(reasons[1]?.contains("shelf") == true)
    #expect(reasons[2]?.contains("last") == true)
  }

  @Test("A done step that is edited is refused by name; layout and core aren't edits")
  func editedStep() async throws {
    var rig = try LibraryRig(LibraryRows().source())
    try await rig.cross()
    rig.roadmap = Library.roadmap.replacing("core: true", with: "core: false # not any more")
    #expect(try await rig.cross().isOver)
    rig.roadmap = Library.roadmap.replacing("title: title", with: "title: comment")
    await #expect(throws: KernelError.editedStep(domain: "book")) { try await rig.cross() }
    let journal = try rig.read { try $0.fetch(JournalEntry.all) }
    #expect(throws: KernelError.editedStep(domain: "book")) { try rig.plan().forecast(rig.source, journal) }
    #expect(KernelError.editedStep(domain: "book").sentence.contains("book"))
  }

  @Test("A done domain that is off, or gone from the roadmap, is refused by name")
  func doneButOff() async throws {
    var rig = try LibraryRig(LibraryRows().source())
    try await rig.cross()
    rig.roadmap = Library.roadmap.replacing("- domain: book", with: "- enabled: false\n    domain: book")
    await #expect(throws: KernelError.doneButOff(domain: "book")) { try await rig.cross() }
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: "")
    await #expect(throws: KernelError.doneButOff(domain: "book")) { try await rig.cross() }
  }

  @Test("A forecast is what the run then does, and writes nothing")
  func forecast() async throws {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("a")]]
    rows.books = (1...9).map { LibraryRows.book($0, "t\($0)", isUnsent: $0 > 6) }
    rows.notes = [[.integer(1), .text("n")], [.integer(2), .text("m")]]
    var rig = try LibraryRig(rows.source())
    let discarded = Library.shelfStep.replacing("resync", with: "discard")
    rig.roadmap = Library.roadmap.replacing(Library.shelfStep, with: discarded)
    try withExtendedLifetime(rig.open()) {}
    let before = try rig.dump()
    let forecasts = try rig.plan().forecast(rig.source, [])
    let numbers = forecasts.map { "\($0.entity) \($0.read) \($0.copied) \($0.left) \($0.discarded)" }
    #expect(numbers == ["shelf 1 0 0 1", "book 9 3 6 0", "note 2 2 0 0", "line 0 0 0 0"])
    #expect(try rig.dump() == before)
    let report = try await rig.cross()
    for forecast in forecasts {
      let tally = try report.tally(forecast.entity)
      #expect(tally.read == forecast.read)
      #expect(tally.discarded == forecast.discarded)
    }
    let journal = try rig.read { try $0.fetch(JournalEntry.all) }
    #expect(try rig.plan().forecast(rig.source, journal).isEmpty)
  }
}
