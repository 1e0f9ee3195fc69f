import FerryKernel
import FerryStore
import TestKit
import Testing

/// What a mapping makes of a legacy value before the domain sees it.
@Suite struct `A conversion` {
  /// A library whose books are copied from rows that name things in another way.
  private func rig(_ fields: String, _ properties: [String], _ rows: [[LegacyValue]]) throws -> LibraryRig {
    var classes = LibraryRows().classes
    classes[1] = .init("BookRow", properties, rows)
    var rig = try LibraryRig(MemoryLegacySource([(LibraryRows.alice, classes)]))
    rig.roadmap = Library.roadmap.replacing(
      Library.bookStep,
      with: Library.copiedBookStep.replacing(
        "fields: {id: id, title: title, changed-at: changed, is-unsent: unsent}", with: "fields: \(fields)"))
    return rig
  }

  @Test func `translates raw values, and leaves those that it doesn't name as they are`() async throws {
    let rig = try rig(
      "{id: id, title: {property: kind, map: {0: inbox, 1: 'null', old: neu}}, changed-at: at}",
      ["id", "kind", "at"],
      [
        [.integer(1), .integer(0), .time(seconds: 1, nanoseconds: 0)],
        [.integer(2), .integer(1), .time(seconds: 1, nanoseconds: 0)],
        [.integer(3), .text("old"), .time(seconds: 1, nanoseconds: 0)],
        [.integer(4), .text("smart_v3"), .time(seconds: 1, nanoseconds: 0)],
        [.integer(5), .integer(7), .time(seconds: 1, nanoseconds: 0)],
      ])
    let report = try await rig.cross()
    // An unknown text lives on; an unknown number can't be a title, and its row is kept whole.
    #expect(try rig.all(Book.self).map(\.title) == ["inbox", "null", "neu", "smart_v3"])
    #expect(try report.tally("book").outcomes == "5 read, 4 written, 1 quarantined")
    #expect(try rig.quarantine().map(\.reason) == ["title: expected text, found integer"])
    #expect(try rig.quarantine().map(\.content) == [#"{"id":5,"kind":7,"at":{"$time":[1,0]}}"#])
  }

  static let times: [(unit: String, value: LegacyValue, nanoseconds: Int64)] = [
    ("seconds", .integer(1_700_000_000), 1_700_000_000_000_000_000),
    ("seconds", .integer(-1), -1_000_000_000),
    ("seconds", .number(1.5), 1_500_000_000),
    ("seconds", .number(-0.25), -250_000_000),
    ("milliseconds", .integer(1_700_000_000_123), 1_700_000_000_123_000_000),
    ("milliseconds", .integer(-1), -1_000_000),
    ("milliseconds", .number(2500), 2_500_000_000),
    ("milliseconds", .number(1_700_000_000_123), 1_700_000_000_123_000_000),
    ("milliseconds", .number(-1_700_000_000_123), -1_700_000_000_123_000_000),
    ("seconds-since-2001", .number(-0.5), 978_307_199_500_000_000),
    ("seconds-since-2001", .number(-978_307_200.5), -500_000_000),
    ("microseconds", .integer(7), 7_000),
    ("seconds-since-2001", .integer(0), 978_307_200_000_000_000),
    ("seconds-since-2001", .number(0.5), 978_307_200_500_000_000),
    ("seconds", .integer(.max), .max), ("seconds", .integer(.min), .min),
    ("seconds", .number(.infinity), .max), ("seconds", .number(-.infinity), .min),
    ("seconds-since-2001", .integer(.max), .max), ("milliseconds", .number(1e300), .max),
  ]

  @Test(arguments: times)
  func `makes a time of a count`(_ time: (unit: String, value: LegacyValue, nanoseconds: Int64)) async throws
  {
    let rig = try rig(
      "{id: id, title: title, changed-at: {property: at, time: \(time.unit)}}", ["id", "title", "at"],
      [[.integer(1), .text("t"), time.value]])
    let report = try await rig.cross()
    #expect(try rig.all(Book.self).map(\.changedAt.nanoseconds) == [time.nanoseconds])
    let isEnd = time.nanoseconds == .max || time.nanoseconds == .min
    #expect(try report.tally("book").clamped == (isEnd ? 1 : 0))
  }

  @Test func `that can't make a time of what is no number keeps the row aside`() async throws {
    let rig = try rig(
      "{id: id, title: title, changed-at: {property: at, time: seconds}}", ["id", "title", "at"],
      [[.integer(1), .text("t"), .number(.nan)], [.integer(2), .text("t"), .text("yesterday")]])
    #expect(try await rig.cross().tally("book").outcomes == "2 read, 2 quarantined")
    #expect(
      try rig.quarantine().map(\.reason) == [
        "changed-at: expected a time, found number", "changed-at: expected a time, found text",
      ])
  }

  @Test func `makes a link the key of the row that it leads to`() async throws {
    let rig = try rig(
      "{id: id, title: {property: of, key: true}, changed-at: at}", ["id", "of", "at"],
      [
        [.integer(1), .link(.text("한글")), .time(seconds: 1, nanoseconds: 0)],
        [.integer(2), .link(.position(5)), .time(seconds: 1, nanoseconds: 0)],
      ])
    try await rig.cross()
    #expect(try rig.all(Book.self).map(\.title) == ["한글"])
    // The row that it leads to has no key: its place names nothing outside of this file.
    #expect(try rig.quarantine().map(\.reason) == ["title: expected text, found link"])
  }

  @Test func `gives every row a constant, and what is missing a default`() async throws {
    let rig = try rig(
      "{id: {property: id, default: 99}, title: {constant: same}, changed-at: at}", ["id", "at"],
      [[.integer(1), .time(seconds: 1, nanoseconds: 0)], [.null, .time(seconds: 1, nanoseconds: 0)]])
    #expect(try await rig.cross().tally("book").outcomes == "2 read, 2 written")
    #expect(try rig.all(Book.self).map { "\($0.id.rawValue) \($0.title)" } == ["i1 same", "i99 same"])
  }

  @Test func `of a missing value is its default as it is written`() async throws {
    let rig = try rig(
      "{id: id, title: {property: kind, map: {0: inbox}, default: none of them}, changed-at: at}",
      ["id", "kind", "at"],
      [
        [.integer(1), .null, .time(seconds: 1, nanoseconds: 0)],
        [.integer(2), .integer(0), .time(seconds: 1, nanoseconds: 0)],
      ])
    try await rig.cross()
    #expect(try rig.all(Book.self).map(\.title) == ["none of them", "inbox"])
  }

  @Test func `that a done step says otherwise is an edit, and one that it says in another order is none`()
    async throws
  {
    let fields = "{id: id, title: {property: kind, map: {a: b, c: d}}, changed-at: at}"
    var rig = try rig(fields, ["id", "kind", "at"], [])
    try await rig.cross()
    let before = rig.roadmap
    rig.roadmap = before.replacing(
      "{property: kind, map: {a: b, c: d}}", with: "{map: {c: d, a: b}, property: kind}")
    #expect(try await rig.cross().isOver)
    for edit in ["map: {a: b}", "map: {a: b, c: e}", "time: seconds", "default: x"] {
      rig.roadmap = before.replacing("map: {a: b, c: d}", with: edit)
      // A time can't be a title; the plan refuses that before it looks for edits.
      if edit.hasPrefix("time") {
        await #expect(throws: SourceFaults.self) { try await rig.cross() }
      } else {
        await #expect(throws: KernelError.editedStep(domain: "book"), "\(edit)") { try await rig.cross() }
      }
    }
  }
}
