import FerryKernel
import FerryStore
import TestKit
import Testing

/// A first roadmap, guessed from a file's classes.
@Suite struct `A roadmap's draft` {
  private static let line = LegacyClass(
    name: "LineRow", properties: ["id", "text"], kinds: [.integer, .text], rowCount: 1)

  private func draft(_ classes: [LegacyClass]) throws -> (text: String, roadmap: Roadmap) {
    let text = RoadmapDraft(Library.domains(), classes: classes, file: "a.realm").text
    return (text, try Roadmap.parse(text: text))
  }

  /// What the check says of the draft.
  private func gaps(_ classes: [LegacyClass]) throws -> [String] {
    do {
      let plan = try Plan(draft(classes).roadmap, domains: Library.domains())
      try plan.check(against: DescribedSource(described: classes), steps: plan.enabled)
      return []
    } catch let faults as SourceFaults {
      return faults.faults.map { "\($0.code) \($0.message)" }
    }
  }

  private func lines(_ text: String, after mark: String) -> [String] {
    let lines = text.split(separator: "\n").map(String.init)
    guard let start = lines.firstIndex(where: { $0.contains(mark) }) else { return [] }
    return lines[start...].prefix { !$0.hasPrefix("  - domain") || $0.contains(mark) }.map {
      String($0.drop { $0 == " " })
    }
  }

  static let classes = [
    LegacyClass(
      name: "RMShelf", properties: ["uuid", "shelfName"], kinds: [.text, .text], rowCount: 3),
    LegacyClass(
      name: "Book", properties: ["bookID", "titleText", "changedDate", "unsent", "pages"],
      kinds: [.integer, .text, .integer, .flag, .integer], rowCount: 40),
    LegacyClass(
      name: "NoteRow", properties: ["key", "text", "no"], kinds: [.text, .text, .text], rowCount: 0),
    line,
    LegacyClass(name: "Unrelated", properties: ["a", "b"], kinds: [.list, .bytes], rowCount: 7),
  ]

  @Test func `finds classes and properties by name and type, and needs no more`() throws {
    let (text, roadmap) = try draft(Self.classes)
    #expect(try gaps(Self.classes) == [])
    #expect(roadmap.steps.map(\.domain.value) == ["shelf", "book", "diary"])
    let mappings = roadmap.steps.flatMap(\.legacy)
    #expect(mappings.map(\.className.value) == ["RMShelf", "Book", "NoteRow", "LineRow"])
    #expect(
      mappings[0].fields.map { "\($0.canonical.value) \($0.property?.value ?? "")" } == [
        "id uuid", "name shelfName",
      ])
    #expect(mappings[1].fields[2].origin.conversion == .time(.seconds))
    #expect(text.contains("changed-at: {property: changedDate, time: seconds}   # or milliseconds"))
    #expect(text.contains("# not carried: pages\n"))
    #expect(text.contains("# Classes that no domain takes:\n#   Unrelated, 7 rows\n"))
  }

  @Test func `names each gap for the check, and comments what may be left out`() throws {
    let classes = [
      LegacyClass(
        name: "Book", properties: ["id", "title", "blob"], kinds: [.integer, .text, .bytes], rowCount: 1),
      Self.line,
    ]
    let (text, _) = try draft(classes)
    #expect(
      lines(text, after: "      book:").prefix(8) == [
        "book:", "class: Book   # 1 rows", "fields:", "id: id", "title: title", "changed-at: \"?\"   # times",
        "# is-unsent: true or false, may be left out", "# not carried: blob",
      ])
    #expect(
      try gaps(classes) == [
        "roadmap.unknownClass the file has no class '?'",
        "roadmap.unknownProperty class Book has no property '?'",
        "roadmap.unknownClass the file has no class '?'",
      ])
  }

  @Test(arguments: [
    (["place"], ["RMShelf"], "place"),
    // Whose link is which nobody can tell, and a link to something else is none.
    (["first", "second"], ["RMShelf", "RMShelf"], nil),
    (["place"], ["Other"], nil),
    (["place", "other"], ["RMShelf", "Other"], "place"),
  ])
  func `takes for a field called as an entity the one link to that entity's class`(
    _ links: [String], _ targets: [String], _ expected: String?
  ) throws {
    let volume = Domain(
      "volume", "Stands on a shelf", dependsOn: ["shelf"], tables: [Note.table.declaration],
      crossings: [
        Crossing(
          "volume", Note.self,
          fields: LegacyField<NoteID>("id"), LegacyField<String>("text"), LegacyField<LegacyKey?>("shelf")
        ) { id, text, _ in Note(id: id, text: text) }
      ])
    let classes = [
      Self.classes[0],
      LegacyClass(
        name: "Volume", properties: ["id", "text"] + links, kinds: [.text, .text] + links.map { _ in .link },
        targets: [nil, nil] + targets, rowCount: 1),
    ]
    let draft = RoadmapDraft([Library.shelf, volume], classes: classes, file: "f", core: ["shelf"])
    let roadmap = try Roadmap.parse(text: draft.text)
    let fields = roadmap.steps[1].legacy[0].fields
    #expect(fields.first { $0.canonical.value == "shelf" }?.property?.value == expected)
    #expect(draft.leftOut == (expected == nil ? ["volume.shelf"] : []))
    #expect(roadmap.steps.map(\.isCore) == [true, false])
  }

  @Test func `of a file that has nothing of it still parses, and every entity is a gap`() throws {
    let classes = [LegacyClass(name: "X", properties: [], rowCount: 0)]
    #expect(try gaps(classes).count == 4)
  }

  @Test func `writes names that YAML would misread in quotes`() throws {
    for name in ["yes", "null", "1st", "has: colon", "- dash", "#hash", "quote\"d", "한글", "*star", "{brace"] {
      let classes = [
        LegacyClass(name: name, properties: ["id", "name"], kinds: [.integer, .text], rowCount: 0), Self.line,
      ]
      let crossing = Library.shelf
      let text = RoadmapDraft([crossing], classes: classes, file: "a\nb.realm").text
      let roadmap = try Roadmap.parse(text: text)
      let found = roadmap.steps[0].legacy[0].className.value
      #expect(found == name || found == RoadmapDraft.gap || found == "LineRow", "\(name)")
    }
    let shelf = LegacyClass(
      name: "shelf: \"row\"", properties: ["id", "name\t", "name"], kinds: [.integer, .text, .text],
      rowCount: 0)
    let roadmap = try Roadmap.parse(text: RoadmapDraft([Library.shelf], classes: [shelf], file: "f").text)
    #expect(roadmap.steps[0].legacy[0].className.value == shelf.name)
    #expect(roadmap.steps[0].legacy[0].fields.map { $0.property?.value } == ["id", "name"])
  }
}

/// Nothing but classes.
private struct DescribedSource: LegacySource {
  let described: [LegacyClass]

  var accounts: [AccountID] { [LibraryRows.alice] }
  func path(of account: AccountID) -> String { "a.realm" }
  func manifest(of account: AccountID) -> LegacyManifest {
    LegacyManifest(path: "a.realm", size: 0, sha256: "", schemaVersion: nil)
  }
  func classes(of account: AccountID) -> [LegacyClass] { described }
  func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {}
  func row(of className: String, account: AccountID, at position: Int64) -> LegacyRow? { nil }
}
