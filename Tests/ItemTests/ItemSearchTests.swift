import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct `A search for items` {
  let desk: ItemDesk
  var home: AccountStore { desk.home }

  /// Some for both accounts, of which only one has the last.
  init() throws {
    desk = try ItemDesk()
    try desk.serve(
      folders: ["in"],
      [
        try item("Tax form", at: 1, in: "in"), try item("x", at: 3, isRead: true, tags: ["home", "Täxes"]),
        try item("y", at: 2, in: "in", preview: "신도쿄역에서 만나요"),
        try item("z", at: 4, in: "gone", tags: ["tax"]),
      ])
    try desk.work.blockingWrite(origin: .server) { _ = try $0.insert(try item("their tax", at: 9, in: "in")) }
  }

  private func titles(_ text: String, _ filter: ItemFilter = ItemFilter(), limit: Int = 50) async throws
    -> [String]
  { try await ItemDAO.search(home, text, filter, limit: limit).map(\.record.title) }

  @Test func `finds words in title, preview and tags, the newest first`() async throws {
    #expect(try await titles("tax") == ["z", "x", "Tax form"])
    #expect(try await titles("tax", limit: 1) == ["z"])
    #expect(try await titles("TÄX fo") == ["Tax form"])
    #expect(try await titles(" ") == [])
    #expect(try await titles("nothing") == [])
  }

  @Test func `finds Hangul wherever it stands, and says where`() async throws {
    let hits = try await ItemDAO.search(home, "도쿄")
    #expect(hits.map(\.record.title) == ["y"])
    let match = try #require(hits.first?.matches.first)
    #expect(match.column == "preview")
    #expect(match.ranges.map { match.text[$0] } == ["도쿄"])
    let excerpt = match.excerpt(length: 5)
    #expect(excerpt.text.count == 5)
    #expect(excerpt.ranges.map { excerpt.text[$0] } == ["도쿄"])
    #expect(excerpt.isCutAtEnd)
    // As a file system would write it.
    #expect(try await titles("\u{1103}\u{1169}\u{110f}\u{116d}") == ["y"])
  }

  @Test func `names the tag in which it found a word`() async throws {
    let hit = try #require(try await ItemDAO.search(home, "taxes").first)
    #expect(hit.matches.map(\.column) == ["tags"])
    #expect(hit.matches.map(\.member) == [1])
  }

  @Test func `looks only where it is told to, page by page`() async throws {
    #expect(try await titles("tax", ItemFilter(in: .folder(folderID("in")))) == ["Tax form"])
    #expect(try await titles("tax", ItemFilter(in: .unfiled)) == ["z", "x"])
    #expect(try await titles("tax", ItemFilter(isRead: false)) == ["z", "Tax form"])
    #expect(try await titles("tax", ItemFilter(tags: ["tax"])) == ["z"])
    let first = try await ItemDAO.search(home, "tax", limit: 2)
    let rest = try await ItemDAO.search(home, "tax", after: first.last?.record, limit: 2)
    #expect((first + rest).map(\.record.title) == ["z", "x", "Tax form"])
    let unfiled = try await ItemDAO.search(home, "tax", ItemFilter(in: .unfiled), limit: 1)
    let next = try await ItemDAO.search(
      home, "tax", ItemFilter(in: .unfiled), after: unfiled.last?.record, limit: 1)
    #expect((unfiled + next).map(\.record.title) == ["z", "x"])
  }

  @Test func `follows what is written, and finds no other account's`() async throws {
    try await ItemDAO.tag(home, [itemID("y")], "Steuer")
    #expect(try await titles("steuer") == ["y"])
    #expect(try await ItemDAO.search(desk.work, "steuer").isEmpty)
    try await ItemDAO.untag(home, [itemID("y")], "Steuer")
    #expect(try await titles("steuer") == [])
    try await ItemDAO.delete(home, [itemID("z"), itemID("x")])
    #expect(try await titles("tax") == ["Tax form"])
    #expect(try await ItemDAO.search(desk.work, "tax").count == 4)
  }

  @Test func `of more words than it can have is refused by name`() async throws {
    let text = (0...SearchTerms.limit).map { "w\($0)" }.joined(separator: " ")
    await #expect(throws: StoreError.searchTooLong(limit: SearchTerms.limit)) { try await titles(text) }
  }
}
