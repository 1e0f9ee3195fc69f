import FerryStore

/// The way in to an account's folders.
public enum FolderDAO {
  /// The folders in one folder, or those of the top level, in their order.
  public static func list(_ account: AccountStore, in parent: FolderID? = nil) async throws -> [Folder] {
    try await account.read {
      try $0.fetch(Folder.where { $0.parent == parent }.order { $0.sortOrder.ascending })
    }
  }

  /// The folder with this identifier; nil where the account has none.
  public static func find(_ account: AccountStore, _ id: FolderID) async throws -> Folder? {
    try await account.read { try $0.find(Folder.self, id) }
  }

  /// Gives a folder another name.
  ///
  /// - Returns: whether the account has the folder.
  @discardableResult
  public static func rename(_ account: AccountStore, _ id: FolderID, to name: String) async throws -> Bool {
    try await account.write { transaction in
      guard var folder = try transaction.find(Folder.self, id) else { return false }
      folder.name = name
      try transaction.upsert(folder)
      return true
    }
  }
}
