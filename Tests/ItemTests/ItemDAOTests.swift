import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct ItemDAOTests {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore
  private let inbox: FolderID

  init() throws {
    accounts = try GoldenAccounts([.folder, .item])
    (home, work) = (accounts.home, accounts.work)
    inbox = try #require(FolderID("inbox"))
  }

  private func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  private func item(_ name: String, at time: Int64 = 0, isRead: Bool = false, in folder: FolderID?) throws
    -> Item
  {
    Item(
      id: try id(name), remoteID: nil, folder: folder, title: name, preview: nil, isRead: isRead,
      isStarred: nil,
      updatedAt: Timestamp(nanoseconds: time), score: nil, tags: [])
  }

  @Test func `list gives the newest items of a folder first, no more than asked for`() async throws {
    let items = [
      try item("a", at: 1, in: inbox), try item("b", at: 3, in: inbox), try item("c", at: 2, in: inbox),
    ]
    try await home.write { try $0.insert(items) }
    #expect(try await ItemDAO.list(home, in: inbox).map(\.title) == ["b", "c", "a"])
    #expect(try await ItemDAO.list(home, in: inbox, limit: 1).map(\.title) == ["b"])
    #expect(try await ItemDAO.list(home, in: inbox, limit: 0).isEmpty)
    #expect(try await ItemDAO.list(work, in: inbox).isEmpty)
  }

  @Test func `list of no folder gives the unfiled items`() async throws {
    let items = [try item("filed", in: inbox), try item("unfiled", in: nil)]
    try await home.write { try $0.insert(items) }
    #expect(try await ItemDAO.list(home, in: nil).map(\.title) == ["unfiled"])
  }

  @Test func `find gives the item, and nil where the account has none`() async throws {
    let (item, key) = (try item("a", in: inbox), try id("a"))
    try await home.write { try $0.insert(item) }
    #expect(try await ItemDAO.find(home, key) == item)
    #expect(try await ItemDAO.find(work, key) == nil)
  }

  @Test func `search finds words in title, preview and tags, of one account, the newest first`() async throws
  {
    var items = [try item("Tax form", at: 1, in: inbox), try item("x", at: 3, in: nil)]
    items[1].tags = ["home", "Täxes"]
    items.append(try item("y", at: 2, in: inbox))
    items[2].preview = "新東京駅"
    try await home.write { [items] in try $0.insert(items) }
    try await work.write { [items] in try $0.insert(items[0]) }
    #expect(try await ItemDAO.search(home, "tax").map(\.record.title) == ["x", "Tax form"])
    #expect(try await ItemDAO.search(home, "tax", limit: 1).map(\.record.title) == ["x"])
    #expect(try await ItemDAO.search(home, "tax", in: inbox).map(\.record.title) == ["Tax form"])
    #expect(try await ItemDAO.search(home, "東京").first?.matches.map(\.column) == ["preview"])
    #expect(try await ItemDAO.search(home, " ").isEmpty)
    #expect(try await ItemDAO.search(work, "taxes").isEmpty)
  }

  @Test func `mark changes those that differ, and sends those alone`() async throws {
    let items = [try item("a", in: inbox), try item("b", isRead: true, in: inbox), try item("c", in: nil)]
    try await home.write(origin: .server) { try $0.insert(items) }
    let ids = [try id("a"), try id("b"), try id("absent")]
    #expect(try await ItemDAO.mark(home, ids, isRead: true) == 1)
    #expect(try await ItemDAO.find(home, id("c"))?.isRead == false)
    #expect(try await home.read { try $0.outbox().map(\.key) } == ["a"])
    #expect(try await ItemDAO.mark(home, ids, isRead: true) == 0)
    #expect(try await ItemDAO.mark(home, [], isRead: true) == 0)
  }

  @Test func `mark for one account leaves the other's item of the same key alone`() async throws {
    let item = try item("a", in: inbox)
    try await home.write(origin: .server) { try $0.insert(item) }
    try await work.write(origin: .server) { try $0.insert(item) }
    #expect(try await ItemDAO.mark(home, [item.id], isRead: true) == 1)
    #expect(try await ItemDAO.find(work, item.id)?.isRead == false)
    #expect(try await work.read { try $0.outboxCount() } == 0)
  }

  @Test func `counts gives the items of one folder and how many are unread, an account's alone`() async throws
  {
    let items = [
      try item("a", in: inbox), try item("b", isRead: true, in: inbox), try item("c", in: inbox),
      try item("d", in: nil),
    ]
    try await home.write { try $0.insert(items) }
    #expect(try await FolderDAO.counts(home, of: inbox) == (3, 2))
    #expect(try await FolderDAO.counts(work, of: inbox) == (0, 0))
  }
}
