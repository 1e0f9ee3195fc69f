import FerryKernel
import FerryStore
import TestKit
import Testing

/// Rows that can't cross are kept whole, with the reason.
@Suite struct QuarantineTests {
  static let refusals: [(row: [LegacyValue], reason: String)] = [
    (LibraryRows.book(-1, "t"), "id: the key \"-1\" is a placeholder, not an identity"),
    (
      [.text(""), .text("t"), .time(seconds: 0, nanoseconds: 0), .flag(false), .null],
      "id: the key \"\" is a placeholder, not an identity"
    ),
    (
      [.number(1.5), .text("t"), .time(seconds: 0, nanoseconds: 0), .flag(false), .null],
      "id: expected a key, found number"
    ),
    (
      [.integer(1), .null, .time(seconds: 0, nanoseconds: 0), .flag(false), .null],
      "title: expected text, found null"
    ),
    (
      [.integer(1), .bytes([0xff]), .time(seconds: 0, nanoseconds: 0), .flag(false), .null],
      "title: expected text, found bytes"
    ),
    (
      [.integer(1), .text("t"), .integer(5), .flag(false), .null],
      "changed-at: expected a time, found integer"
    ),
    (
      [.integer(1), .text("t"), .time(seconds: 0, nanoseconds: 0), .integer(0), .null],
      "is-unsent: expected true or false, found integer"
    ),
  ]

  @Test(
    "A value that doesn't fit is named with its field, whatever the strategy", arguments: refusals,
    ["copy", "resync"])
  func isNamed(_ refusal: (row: [LegacyValue], reason: String), strategy: String) async throws {
    var rows = LibraryRows()
    rows.books = [refusal.row]
    var rig = try LibraryRig(rows.source())
    if strategy == "copy" {
      rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep)
    }
    let tally = try await rig.cross().tally("book")
    #expect(tally.outcomes == "1 read, 1 quarantined")
    #expect(try rig.quarantine().map(\.reason) == [refusal.reason])
  }

  @Test("The row is kept with every property, also those that no mapping names, byte for byte")
  func isWhole() async throws {
    var rows = LibraryRows()
    let title = "e\u{301} \u{e9} \u{0} 👩‍👩‍👧‍👦 \"\n"
    rows.books = [
      [
        .integer(-1), .text(title), .time(seconds: -5, nanoseconds: -7), .null,
        .list([.number(-0.0), .bytes([0, 255])]),
      ]
    ]
    let rig = try LibraryRig(rows.source())
    try await rig.cross()
    let content = try JSONValue.parse(text: try #require(try rig.quarantine().first).content)
    #expect(content.objectValue?.members.map(\.name) == ["id", "title", "changed", "unsent", "comment"])
    #expect(content["title"]?.stringValue.map { Array($0.utf8) } == Array(title.utf8))
    #expect(content["changed"]?["$time"]?.arrayValue?.compactMap(\.integerValue) == [-5, -7])
    #expect(content["comment"]?.arrayValue?.count == 2)
  }

  @Test("A step that starts anew forgets what it had set aside")
  func startingAnew() async throws {
    var rows = LibraryRows()
    rows.notes = [[.integer(-1), .text("bad")]]
    var rig = try LibraryRig(rows.source())
    rig.putBooksFirst()
    try await rig.cross(until: "book: restored")
    #expect(try rig.quarantine().count == 1)
    rows.notes = [[.integer(1), .text("good")]]
    var mended = rows.source()
    mended.version = 1
    (rig.source, rig.log) = (mended, RecordingLog())
    await #expect(throws: KernelError.self) { try await rig.cross() }
    #expect(try await rig.cross().isOver)
    #expect(try rig.quarantine().isEmpty)
  }
}
