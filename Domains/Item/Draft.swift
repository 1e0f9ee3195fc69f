import FerryKernel
import FerryStore

/// Text that a person is writing. It never leaves the device.
public struct Draft: Record, Equatable {
  public typealias Key = DraftID
  public let id: DraftID
  /// The item that it is an edit of, or an answer to.
  public var item: ItemID?
  public var title: String
  public var body: String
  public let createdAt: Timestamp
  public var updatedAt: Timestamp

  public init(
    id: DraftID, item: ItemID?, title: String, body: String, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    (self.id, self.item, self.title, self.body) = (id, item, title, body)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
  }

  public static let table = Table<Draft>(
    "draft", key: \.id,
    columns: Column("id", \.id), Column("item", \.item, to: Item.self), Column("title", \.title),
    Column("body", \.body), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
    make: Draft.init(id:item:title:body:createdAt:updatedAt:))

  /// By what is stored, as with `Item`.
  public static func == (left: Draft, right: Draft) -> Bool { table.areEqual(left, right) }
}

public typealias DraftID = Identifier<Draft>
