import FerryStore
import FolderDomain

/// The way in to an account's items.
public enum ItemDAO {
  /// The newest items of a folder; nil: the unfiled ones.
  public static func list(_ account: AccountStore, in folder: FolderID?, limit: Int = 50) async throws
    -> [Item]
  {
    try await account.read { snapshot in
      try snapshot.fetch(Item.where { $0.folder == folder }.order { $0.updatedAt.descending }.limit(limit))
    }
  }

  /// The item with this identifier; nil where the account has none.
  public static func find(_ account: AccountStore, _ id: ItemID) async throws -> Item? {
    try await account.read { try $0.find(Item.self, id) }
  }

  /// The newest items in whose title, preview or tags a search finds each word, with the places where it does;
  /// see `SearchTerms`. A text without a word finds none.
  ///
  /// - Parameter folder: nil: in every folder, and among the unfiled ones.
  public static func search(
    _ account: AccountStore, _ text: String, in folder: FolderID? = nil, limit: Int = 50
  ) async throws -> [SearchHit<Item>] {
    try await account.read { snapshot in
      try snapshot.search(Item.self, text) { query in
        let found = query.order { $0.updatedAt.descending }.limit(limit)
        return folder.map { folder in found.where { $0.folder == folder } } ?? found
      }
    }
  }

  /// Marks items as read or unread, all of them or none.
  ///
  /// - Returns: how many changed.
  @discardableResult
  public static func mark(_ account: AccountStore, _ ids: [ItemID], isRead: Bool) async throws -> Int {
    try await account.write { transaction in
      var changed: [Item] = []
      for id in ids {
        guard var item = try transaction.find(Item.self, id) else { continue }
        item.isRead = isRead
        changed.append(item)
      }
      return try transaction.upsert(changed).updated
    }
  }
}

extension FolderDAO {
  /// How many items a folder has, and how many of them are unread. It is here because folders know no items.
  public static func counts(_ account: AccountStore, of folder: FolderID) async throws -> (
    all: Int, unread: Int
  ) {
    try await account.read { snapshot in
      let all = try snapshot.count(Item.where { $0.folder == folder })
      return (all, try snapshot.count(Item.where { $0.folder == folder && !$0.isRead }))
    }
  }
}
