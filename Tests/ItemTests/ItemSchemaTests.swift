import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

/// Items as they were first published with a search.
private struct OldItem: Record {
  typealias Key = Identifier<OldItem>
  let id: Identifier<OldItem>
  var remoteID: Int64?
  var folder: FolderID?
  var title: String
  var preview: String?
  var isRead: Bool
  var isStarred: Bool?
  var updatedAt: Timestamp
  var score: Double?
  var tags: [String]

  static let table = Table<OldItem>(
    "item", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("remote_id", \.remoteID), Column("folder", \.folder, to: Folder.self),
    Column("title", \.title), Column("preview", \.preview), Column("is_read", \.isRead),
    Column("is_starred", \.isStarred), Column("updated_at", \.updatedAt), Column("score", \.score),
    Column("tags", members: \.tags),
    indexes: [Index(\.folder, \.updatedAt), Index(\.folder, \.remoteID)],
    search: SearchIndex(\.title, \.preview, \.tags),
    make: { OldItem($0, $1, $2, $3, $4, $5, $6, $7, $8, $9) })

  init(
    _ id: Identifier<OldItem>, _ remoteID: Int64?, _ folder: FolderID?, _ title: String, _ preview: String?,
    _ isRead: Bool, _ isStarred: Bool?, _ updatedAt: Timestamp, _ score: Double?, _ tags: [String]
  ) {
    (self.id, self.remoteID, self.folder, self.title, self.preview) = (id, remoteID, folder, title, preview)
    (self.isRead, self.isStarred, self.updatedAt) = (isRead, isStarred, updatedAt)
    (self.score, self.tags) = (score, tags)
  }
}

@Suite struct `A store from before the lists had filters` {
  @Test func `opens, with every item and what is found of it`() async throws {
    let folder = try GoldenFolder()
    let url = folder.url.appendingPathComponent("ferry.sqlite")
    let alice = try AccountID(server: "home", user: "alice")
    let old = Schema(
      owner: "item", tables: [OldItem.table.declaration, Draft.table.declaration],
      changes: [.createMembers(of: "tags", in: "item"), .createSearch(in: "item")])
    let before = try Store.open(at: url, schemas: [Domain.folder.schema, old])
    try before.addAccount(alice).blockingWrite { transaction in
      _ = try transaction.insert([
        OldItem(
          try #require(Identifier("a")), 7, try folderID("in"), "Title", nil, false, true,
          Timestamp(nanoseconds: 5), 0.5, ["x"]),
        OldItem(
          try #require(Identifier("b")), nil, nil, "한글", "p", true, nil, Timestamp(nanoseconds: 6), nil, []),
      ])
    }
    await before.close()
    let now = try Store.open(at: url, schemas: [Domain.folder.schema, Domain.item.schema])
    let account = try now.account(alice)
    #expect(try await ItemDAO.list(account).map(\.id.rawValue) == ["b", "a"])
    #expect(try await ItemDAO.list(account, ItemFilter(isRead: false)).map(\.remoteID) == [7])
    #expect(try await ItemDAO.list(account, ItemFilter(isStarred: true, tags: ["x"])).map(\.score) == [0.5])
    #expect(try await ItemDAO.search(account, "한글").map(\.record.id.rawValue) == ["b"])
    #expect(try await account.read { try $0.outboxCount() } == 2)
    await now.close()
  }
}
