import FerryKernel
import FerryStore
import TestKit
import Testing

/// A mapping that names what the legacy files don't have.
@Suite struct LegacyFitTests {
  static let mistakes: [(part: String, other: String, description: String)] = [
    (
      "class: ShelfRow", "class: ShelveRow",
      "roadmap.yaml:7:22: the file of alice@home has no class 'ShelveRow'; did you mean 'ShelfRow'? "
        + "It has 'ShelfRow', 'BookRow', 'NoteRow', 'LineRow'."
    ),
    (
      "class: NoteRow", "class: Memo",
      "roadmap.yaml:15:21: the file of alice@home has no class 'Memo'. "
        + "It has 'ShelfRow', 'BookRow', 'NoteRow', 'LineRow'."
    ),
    (
      "title: title", "title: titel",
      "roadmap.yaml:14:33: class BookRow has no property 'titel'; did you mean 'title'? "
        + "It has 'id', 'title', 'changed', 'unsent', 'comment'."
    ),
    (
      "text: text}}\n  - domain", "text: body}}\n  - domain",
      "roadmap.yaml:15:68: class NoteRow has no property 'body'. It has 'id', 'text'."
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
}
