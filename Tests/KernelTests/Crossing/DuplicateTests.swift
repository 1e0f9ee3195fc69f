import FerryKernel
import FerryStore
import TestKit
import Testing

/// Two different rows with one key: the stated rule keeps one, the other goes into quarantine.
@Suite struct DuplicateTests {
  private func rig(_ books: [[LegacyValue]], preferring preference: Library.Preference = .latest) throws
    -> LibraryRig
  {
    var rows = LibraryRows()
    rows.books = books
    var rig = try LibraryRig(rows.source())
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep)
    rig.domains = Library.domains(preferring: preference)
    return rig
  }

  @Test("The later one is kept, whichever comes first", arguments: [false, true])
  func laterWins(isFirst: Bool) async throws {
    let (early, late) = (LibraryRows.book(7, "early", at: 1), LibraryRows.book(7, "late", at: 2))
    let rig = try rig(isFirst ? [late, early] : [early, late])
    try await rig.cross()
    #expect(try rig.all(Book.self).map(\.title) == ["late"])
    let loser = try #require(try rig.quarantine().first)
    #expect(loser.content.contains("early"))
    #expect(loser.reason == "row \(isFirst ? 0 : 1) has the same key and goes before it")
  }

  @Test("Without a time of their own the higher row is kept")
  func higherRowWins() async throws {
    let rig = try rig(
      [LibraryRows.book(7, "low", at: 2), LibraryRows.book(7, "high", at: 1)], preferring: .higherRow)
    try await rig.cross()
    #expect(try rig.all(Book.self).map(\.title) == ["high"])
    #expect(try rig.quarantine().map(\.id) == ["book/alice@home/book/0"])
  }

  @Test("Text that differs only in how letters are composed is different content")
  func compositionCounts() async throws {
    let rig = try rig([LibraryRows.book(7, "\u{e1}"), LibraryRows.book(7, "a\u{301}")])
    let tally = try await rig.cross().tally("book")
    #expect(tally.outcomes == "2 read, 1 written, 1 quarantined")
  }

  @Test("A row like one that has lost is no merge, since its like isn't there any more")
  func likeALoser() async throws {
    let rig = try rig([
      LibraryRows.book(7, "old", at: 1), LibraryRows.book(7, "new", at: 2), LibraryRows.book(7, "old", at: 1),
    ])
    let tally = try await rig.cross().tally("book")
    #expect(tally.outcomes == "3 read, 1 written, 2 quarantined")
    #expect(try rig.all(Book.self).map(\.title) == ["new"])
  }

  /// Three rows a key, 510 rows apart, so that each is on another page than the others of its key.
  private static let apart: [[LegacyValue]] = {
    let keys = 0..<510 as Range<Int64>
    let first = keys.map { LibraryRows.book($0, "first", at: 1, comment: "a\($0)") }
    let second = keys.map { key in
      let title = key.isMultiple(of: 2) ? "first" : "second"
      return LibraryRows.book(key, title, at: key.isMultiple(of: 3) ? 0 : 1, comment: "b\(key)")
    }
    let third = keys.map {
      LibraryRows.book($0, "third", at: $0.isMultiple(of: 5) ? 0 : 3, comment: "c\($0)")
    }
    return first + second + third
  }()

  @Test(
    "Duplicates on different pages are settled as those on one, and so after an interruption",
    arguments: [Library.Preference.latest, .higherRow])
  func acrossPages(_ preference: Library.Preference) async throws {
    let whole = try rig(DuplicateTests.apart, preferring: preference)
    let report = try await whole.cross()
    #expect(try report.tally("book").accounted == 1530)
    for stop in [1, 505, 760, 1020, 1400] as [Int64] {
      var rig = try rig(DuplicateTests.apart, preferring: preference)
      let source = rig.source
      rig.source = FaultySource(source, .stops(className: "BookRow", at: stop))
      await #expect(throws: FaultySource.Stopped.self) { try await rig.cross() }
      rig.source = source
      try await rig.cross()
      #expect(StoreDump.differences(try whole.dump(), try rig.dump()).prefix(5) == [], "stopped at \(stop)")
    }
  }

  @Test("A row that is kept doesn't hide that the server never returned another one with its key")
  func keptAndLeft() async throws {
    var rows = LibraryRows()
    rows.books = [
      LibraryRows.book(7, "left to the server"), LibraryRows.book(7, "never sent", isUnsent: true),
      LibraryRows.book(8, "left to the server", comment: "8"),
      LibraryRows.book(8, "never sent", isUnsent: true),
    ]
    let rig = try LibraryRig(rows.source())
    rig.remote.put("books", LibraryRows.alice, "i8", ["title": "of the server", "changedAt": 0])
    let tally = try await rig.cross().tally("book")
    #expect(tally.outcomes == "4 read, 2 written, 2 quarantined")
    let aside = try rig.quarantine()
    #expect(aside.map(\.id) == ["book/alice@home/book/0", "book/alice@home/book/2"])
    #expect(Set(aside.map(\.reason)) == ["another row has the same key and is kept"])
    #expect(aside.allSatisfy { $0.content.contains("left to the server") })
    #expect(try rig.all(Book.self).map(\.title) == ["never sent", "never sent"])
  }
}
