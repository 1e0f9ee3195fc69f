import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An observer of items` {
  let desk: ItemDesk
  var home: AccountStore { desk.home }

  init() throws {
    desk = try ItemDesk()
    try desk.serve(folders: ["in"], [try item("a", at: 1, in: "in"), try item("b", at: 2, in: "in")])
  }

  @Test func `gets a list, a count, an item, and what a search finds, now and after each commit`()
    async throws
  {
    let unread = ItemFilter(in: .folder(try folderID("in")), isRead: false)
    var lists = ItemDAO.observe(home, unread, limit: 10).makeAsyncIterator()
    var counts = ItemDAO.observeCount(home, unread).makeAsyncIterator()
    var folders = FolderDAO.observeCounts(home).makeAsyncIterator()
    var searches = ItemDAO.observeSearch(home, "a").makeAsyncIterator()
    var items = ItemDAO.observe(home, try itemID("a")).makeAsyncIterator()
    #expect(try await lists.next()?.map(\.title) == ["b", "a"])
    #expect(try await counts.next() == 2)
    #expect(try await folders.next()?.total.unread == 2)
    #expect(try await searches.next()?.map(\.record.isRead) == [false])
    #expect(try await items.next()??.isRead == false)
    try await ItemDAO.mark(home, [itemID("a")], isRead: true)
    #expect(try await lists.next()?.map(\.title) == ["b"])
    #expect(try await counts.next() == 1)
    #expect(try await folders.next()?.total.unread == 1)
    #expect(try await searches.next()?.map(\.record.isRead) == [true])
    #expect(try await items.next()??.isRead == true)
    try await ItemDAO.delete(home, [itemID("a"), itemID("b")])
    #expect(try await lists.next()?.isEmpty == true)
    #expect(try await counts.next() == 0)
    #expect(try await folders.next()?.total.all == 0)
    #expect(try await searches.next()?.isEmpty == true)
    #expect(try await items.next() == .some(nil))
  }

  @Test func `gets one element for a hundred items that are marked at once`() async throws {
    let more = try (0..<100).map { try item("\($0)", at: 3, in: "in") }
    try await home.write(origin: .server) { _ = try $0.insert(more) }
    let unread = ItemFilter(isRead: false)
    var counts = ItemDAO.observeCount(home, unread).makeAsyncIterator()
    #expect(try await counts.next() == 102)
    try await ItemDAO.markAll(home, unread, isRead: true)
    #expect(try await counts.next() == 0)
    try await ItemDAO.mark(home, [itemID("a")], isRead: false)
    #expect(try await counts.next() == 1)
  }

  @Test func `isn't told of another account's items of the same keys`() async throws {
    var lists = ItemDAO.observe(home).makeAsyncIterator()
    var searches = ItemDAO.observeSearch(home, "b").makeAsyncIterator()
    var counts = FolderDAO.observeCounts(home).makeAsyncIterator()
    _ = (try await lists.next(), try await searches.next(), try await counts.next())
    try await ItemDAO.mark(desk.work, [itemID("a"), itemID("b")], isRead: true)
    try await ItemDAO.tag(desk.work, [itemID("a")], "b")
    try await ItemDAO.delete(desk.work, [itemID("b")])
    try await ItemDAO.star(home, [itemID("b")], isStarred: true)
    #expect(
      try await lists.next()?.map { "\($0.title) \($0.isRead) \($0.isStarred == true)" } == [
        "b false true", "a false false",
      ])
    #expect(try await searches.next()?.map(\.record.title) == ["b"])
    try await ItemDAO.mark(home, [itemID("a")], isRead: true)
    #expect(try await counts.next()?.total == FolderCounts.Count(all: 2, unread: 1))
  }

  @Test func `of the unfiled sees the folder come and go in which they lay`() async throws {
    var lists = ItemDAO.observe(home, ItemFilter(in: .unfiled)).makeAsyncIterator()
    #expect(try await lists.next()?.isEmpty == true)
    try await home.write(origin: .server) { _ = try $0.delete(Folder.self, folderID("in")) }
    #expect(try await lists.next()?.map(\.title) == ["b", "a"])
    try await FolderDAO.create(home, folderID("in"), name: "again")
    #expect(try await lists.next()?.isEmpty == true)
  }

  @Test func `sees a difference that Swift's strings don't`() async throws {
    var lists = ItemDAO.observe(home, limit: 1).makeAsyncIterator()
    var changed = try #require(try await lists.next()?.first)
    for title in ["\u{e9}", "e\u{301}"] {
      changed.title = title
      try await home.write { [changed] in _ = try $0.update(changed) }
      let seen = try await lists.next()?.first?.title
      #expect(seen?.utf8.elementsEqual(title.utf8) == true)
    }
  }
}
