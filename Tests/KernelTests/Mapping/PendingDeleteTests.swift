import FerryKernel
import FerryStore
import TestKit
import Testing

/// Rows that this device alone has, by what the legacy file says of them (traps M2).
@Suite struct `Unsent work` {
  private static let properties = ["id", "title", "changed", "unsent", "isDirty", "remote", "isGone"]

  private static func book(
    _ id: Int64, _ title: String, at seconds: Int64 = 0, isDirty: Bool = false,
    remote: LegacyValue = .integer(1),
    isGone: Bool = false
  ) -> [LegacyValue] {
    [
      .integer(id), .text(title), .time(seconds: seconds, nanoseconds: 0), .flag(false), .flag(isDirty),
      remote,
      .flag(isGone),
    ]
  }

  private func rig(_ books: [[LegacyValue]], strategy: String, _ rules: String) throws -> LibraryRig {
    var classes = LibraryRows().classes
    classes[1] = .init("BookRow", Self.properties, books)
    var rig = try LibraryRig(MemoryLegacySource([(LibraryRows.alice, classes)]))
    rig.roadmap = Library.roadmap.replacing(
      "        preserve: {where: {is-unsent: true}}\n", with: "        \(rules)\n"
    ).replacing("  - domain: book\n    strategy: resync", with: "  - domain: book\n    strategy: \(strategy)")
    if strategy == "copy" { rig.roadmap.replace("preserve: all, ", with: "") }
    return rig
  }

  private func outbox(_ rig: LibraryRig) throws -> [String] {
    try rig.outbox().map { entry in
      #expect(entry.base == .unknown)
      return "\(entry.operation.rawValue) \(entry.key)"
    }.sorted()
  }

  private static let books = [
    book(1, "sent"), book(2, "dirty", isDirty: true), book(3, "new", remote: .integer(0)),
    book(4, "new", remote: .null), book(5, "sent"),
  ]
  private static let unsent =
    "preserve: {where-property: [{isDirty: true}, {remote: 0}, {remote: null}], where: {is-unsent: true}}"

  @Test(
    arguments: [
      ("resync", "5 read, 3 written, 2 left, 2 resynced"), ("discard", "5 read, 3 written, 2 discarded"),
      ("copy", "5 read, 5 written"),
    ])
  func `is told by any of several properties, mapped or not, and waits to be pushed`(
    strategy: String, outcomes: String
  ) async throws {
    let rig = try rig(Self.books, strategy: strategy, Self.unsent)
    for id in [1, 5] { rig.remote.put("books", LibraryRows.alice, "i\(id)", ["title": "s", "changedAt": 0]) }
    #expect(try await rig.cross().tally("book").outcomes == outcomes)
    #expect(try outbox(rig) == ["put i2", "put i3", "put i4"])
  }

  @Test(arguments: ["resync", "copy", "discard"])
  func `that is a deletion becomes one in the outbox, whatever the strategy, and no record`(strategy: String)
    async throws
  {
    let rig = try rig(
      [
        Self.book(1, "here"), Self.book(2, "gone", isDirty: true, isGone: true),
        Self.book(-1, "gone, and nobody knows what it was", isGone: true),
      ], strategy: strategy, "pending-deletes: {isGone: true}")
    rig.remote.put("books", LibraryRows.alice, "i1", ["title": "here", "changedAt": 0])
    rig.remote.put("books", LibraryRows.alice, "i2", ["title": "gone", "changedAt": 0])
    let tally = try await rig.cross().tally("book")
    #expect(tally.accounted == tally.read)
    #expect(tally.deletes == 1)
    #expect(tally.quarantined == 1)
    #expect(try outbox(rig) == ["delete i2"])
    // The server has it still; it doesn't come back from the dead.
    #expect(try rig.all(Book.self).map(\.id.rawValue) == (strategy == "discard" ? [] : ["i1"]))
  }

  static let contests: [(books: [[LegacyValue]], titles: [String], outbox: [String], outcomes: String)] = [
    (
      [book(7, "a", at: 1), book(7, "a", at: 2, isGone: true)], [], ["delete i7"],
      "2 read, 1 written, 1 quarantined"
    ),
    (
      [book(7, "a", at: 2), book(7, "a", at: 1, isGone: true)], ["a"], [], "2 read, 1 written, 1 quarantined"
    ),
    (
      [book(7, "a", at: 1, isGone: true), book(7, "b", at: 2)], ["b"], [], "2 read, 1 written, 1 quarantined"
    ),
    (
      [book(7, "a", at: 1, isGone: true), book(7, "b", at: 2, isDirty: true)], ["b"], ["put i7"],
      "2 read, 1 written, 1 quarantined"
    ),
    (
      [book(7, "a", at: 1, isGone: true), book(7, "b", at: 2, isGone: true)], [], ["delete i7"],
      "2 read, 1 written, 1 merged"
    ),
    (
      [book(7, "a", at: 1, isDirty: true), book(7, "b", at: 2, isGone: true), book(7, "c", at: 3)], ["c"], [],
      "3 read, 1 written, 2 quarantined"
    ),
    (
      [
        book(7, "a", at: 5, isGone: true), book(7, "b", at: 3, isGone: true), book(7, "c", at: 4),
        book(7, "d", at: 4, isDirty: true),
      ], [], ["delete i7"], "4 read, 1 written, 1 merged, 2 quarantined"
    ),
  ]

  @Test(arguments: contests.indices, [0, 500])
  func `of one key is settled by the later row, also across pages`(index: Int, apart: Int64) async throws {
    let contest = Self.contests[index]
    // So many others between each two that they are on pages of their own.
    let filler = (0..<apart).map { Self.book(1000 + $0, "f") }
    let books = Array(contest.books.map { [$0] }.joined(separator: filler))
    let rules = "pending-deletes: {isGone: true}\n        preserve: {where-property: {isDirty: true}}"
    let whole = try rig(books, strategy: "copy", rules)
    let tally = try await whole.cross().tally("book")
    #expect(tally.accounted == tally.read)
    #expect(tally.deletes == Int64(contest.outbox.count { $0.hasPrefix("delete") }))
    #expect(try whole.all(Book.self).map(\.title).filter { $0 != "f" } == contest.titles)
    #expect(try outbox(whole) == contest.outbox)
    if apart == 0 { #expect(tally.outcomes == contest.outcomes) }
    // And so after an interruption between the two.
    var stopped = try rig(books, strategy: "copy", rules)
    let source = stopped.source
    stopped.source = FaultySource(source, .stops(className: "BookRow", at: Int64(books.count - 1)))
    await #expect(throws: FaultySource.Stopped.self) { try await stopped.cross() }
    stopped.source = source
    try await stopped.cross()
    #expect(try outbox(stopped) == contest.outbox)
    #expect(StoreDump.differences(try whole.dump(), try stopped.dump()).prefix(5) == [])
  }

  @Test func `is part of what a step means`() async throws {
    var rig = try rig(Self.books, strategy: "resync", Self.unsent)
    try await rig.cross()
    let before = rig.roadmap
    let reordered = "[{remote: null}, {isDirty: true}, {remote: 0}]"
    rig.roadmap = before.replacing("[{isDirty: true}, {remote: 0}, {remote: null}]", with: reordered)
    #expect(try await rig.cross().isOver)
    for edit in ["[{isDirty: true}, {remote: 0}]", "[{isDirty: true}, {remote: 0}, {remote: 1}]"] {
      rig.roadmap = before.replacing("[{isDirty: true}, {remote: 0}, {remote: null}]", with: edit)
      await #expect(throws: KernelError.editedStep(domain: "book")) { try await rig.cross() }
    }
    rig.roadmap = before.replacing(
      "class: BookRow", with: "class: BookRow\n        pending-deletes: {isGone: true}")
    await #expect(throws: KernelError.editedStep(domain: "book")) { try await rig.cross() }
  }
}
