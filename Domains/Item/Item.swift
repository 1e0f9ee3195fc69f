import FerryKernel
import FerryStore
import FolderDomain

/// An item of a folder, as lists show it.
public struct Item: Record, Equatable {
  public typealias Key = ItemID
  public let id: ItemID
  /// The number that the server gave it; nil: it was never sent. It is an index, not an identity: items move.
  public var remoteID: Int64?
  /// nil: unfiled.
  public var folder: FolderID?
  public var title: String
  public var preview: String?
  public var isRead: Bool
  /// nil: the server never said.
  public var isStarred: Bool?
  public var updatedAt: Timestamp
  public var score: Double?
  public var tags: [String]

  public init(
    id: ItemID, remoteID: Int64?, folder: FolderID?, title: String, preview: String?, isRead: Bool,
    isStarred: Bool?, updatedAt: Timestamp, score: Double?, tags: [String]
  ) {
    (self.id, self.remoteID, self.folder, self.title, self.preview) = (id, remoteID, folder, title, preview)
    (self.isRead, self.isStarred, self.updatedAt) = (isRead, isStarred, updatedAt)
    (self.score, self.tags) = (score, tags)
  }

  public static let table = Table<Item>(
    "item", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("remote_id", \.remoteID), Column("folder", \.folder, to: Folder.self),
    Column("title", \.title), Column("preview", \.preview), Column("is_read", \.isRead),
    Column("is_starred", \.isStarred), Column("updated_at", \.updatedAt), Column("score", \.score),
    Column("tags", members: \.tags),
    indexes: [
      Index(\.folder, \.updatedAt), Index(\.folder, \.remoteID),
      // A list of some of a folder's items, or of all folders', reads no others; the first one also counts.
      Index(\.folder, \.isRead, \.updatedAt), Index(\.folder, \.isStarred, \.updatedAt),
      Index(\.updatedAt), Index(\.isRead, \.updatedAt), Index(\.isStarred, \.updatedAt),
    ],
    search: SearchIndex(\.title, \.preview, \.tags),
    make: Item.init(
      id:remoteID:folder:title:preview:isRead:isStarred:updatedAt:score:tags:))

  /// By what is stored. Swift's own `==` takes some texts as equal that aren't, and an observer would miss them.
  public static func == (left: Item, right: Item) -> Bool { table.areEqual(left, right) }
}

public typealias ItemID = Identifier<Item>
