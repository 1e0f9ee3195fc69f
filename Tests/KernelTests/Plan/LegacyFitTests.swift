import FerryKernel
import FerryStore
import TestKit
import Testing

/// A mapping that names what the legacy files don't have.
@Suite struct LegacyFitTests {
  static let mistakes: [(part: String, other: String, description: String)] = [
    (
      "class: ShelfRow", "class: ShelveRow",
      "roadmap.yaml:7:22: the file has no class 'ShelveRow'; did you mean 'ShelfRow'? "
        + "memory/alice@home has 'ShelfRow', 'BookRow', 'NoteRow', 'LineRow'."
    ),
    (
      "class: NoteRow", "class: Memo",
      "roadmap.yaml:15:21: the file has no class 'Memo'. "
        + "memory/alice@home has 'ShelfRow', 'BookRow', 'NoteRow', 'LineRow'."
    ),
    (
      "title: title", "title: titel",
      "roadmap.yaml:14:33: class BookRow has no property 'titel'; did you mean 'title'? "
        + "In memory/alice@home it has 'id', 'title', 'changed', 'unsent', 'comment'."
    ),
    (
      "text: text}}\n  - domain", "text: body}}\n  - domain",
      "roadmap.yaml:15:68: class NoteRow has no property 'body'. In memory/alice@home it has 'id', 'text'."
    ),
  ]

  @Test("It is told once, for however many files, and nothing is written", arguments: mistakes)
  func isRefused(_ mistake: (part: String, other: String, description: String)) async throws {
    let source = MemoryLegacySource([
      (LibraryRows.alice, LibraryRows().classes), (LibraryRows.bob, LibraryRows().classes),
    ])
    var rig = try LibraryRig(source)
    try withExtendedLifetime(rig.open()) {}
    let before = try rig.dump()
    rig.roadmap = Library.roadmap.replacing(mistake.part, with: mistake.other)
    let error = await #expect(throws: SourceFaults.self) { try await rig.cross() }
    #expect(error?.faults.map(\.description) == [mistake.description])
    #expect(throws: SourceFaults.self) { try rig.plan().forecast(source, []) }
    #expect(try rig.dump() == before)
  }

  @Test("A file without a single class was never used: it fits any mapping and has no rows")
  func blankFits() async throws {
    let rig = try LibraryRig(MemoryLegacySource([(LibraryRows.alice, [])]))
    let report = try await rig.cross()
    #expect(report.isOver)
    #expect(try report.tally("book").read == 0)
  }

  @Test("A property that can never be what its field needs is a fault, before anything starts")
  func wrongKind() async throws {
    let shelves = LegacyClass(
      name: "ShelfRow", properties: ["id", "name"], kinds: [.integer, .flag], rowCount: 3)
    var rig = try LibraryRig(KindSource(shelves))
    rig.roadmap = Library.roadmap
    let error = await #expect(throws: SourceFaults.self) { try await rig.cross() }
    #expect(
      error?.faults.map(\.description) == [
        "roadmap.yaml:7:55: property 'name' of class ShelfRow holds true or false, and 'name' needs texts. "
          + "Name a property of memory/alice@home that fits, or a conversion that does."
      ])
  }

  @Test("A value that a field can't have is a fault of the roadmap, not a condition that never holds")
  func preservedValue() throws {
    var rig = try LibraryRig(LibraryRows().source())
    rig.roadmap = Library.roadmap.replacing("{is-unsent: true}", with: "{is-unsent: abc}")
    let error = #expect(throws: SourceFaults.self) { try rig.plan() }
    #expect(error?.faults.map(\.code) == ["roadmap.wrongKind"])
    #expect(error?.faults.first?.position == SourcePosition(line: 13, column: 28))
  }
}
