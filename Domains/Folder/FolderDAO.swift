import FerryStore

/// The way in to an account's folders. What needs to know what lies in them, counts and deleting, is with the
/// items.
public enum FolderDAO {
  /// Every folder, as a tree.
  public static func tree(_ account: AccountStore) async throws -> FolderTree {
    try await account.read { try tree($0) }
  }

  public static func tree<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> FolderTree
  where Reader.Scope == AccountScope { FolderTree(try reader.fetch(Folder.all)) }

  /// The tree, now and whenever it is another one.
  public static func observeTree(_ account: AccountStore) -> Observation<FolderTree> {
    account.observe { try tree($0) }
  }

  /// The folders in one folder, or those at the top, in their order. At the top are also those whose parent isn't
  /// there; see `FolderTree`.
  public static func list(_ account: AccountStore, in parent: FolderID? = nil) async throws -> [Folder] {
    try await account.read { try list($0, in: parent) }
  }

  public static func list<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, in parent: FolderID? = nil
  ) throws -> [Folder] where Reader.Scope == AccountScope { try tree(reader).folders(in: parent) }

  /// The same, now and whenever they are others.
  public static func observe(_ account: AccountStore, in parent: FolderID? = nil) -> Observation<[Folder]> {
    account.observe { try list($0, in: parent) }
  }

  /// The folder that a person sees first; nil where the account has none.
  public static func first(_ account: AccountStore) async throws -> Folder? {
    try await account.read { try first($0) }
  }

  public static func first<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> Folder?
  where Reader.Scope == AccountScope { try list(reader).first }

  /// The first folder, now and whenever it is another one.
  public static func observeFirst(_ account: AccountStore) -> Observation<Folder?> {
    account.observe { try first($0) }
  }

  /// The folder with this identifier; nil where the account has none.
  public static func find(_ account: AccountStore, _ id: FolderID) async throws -> Folder? {
    try await account.read { try find($0, id) }
  }

  public static func find<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ id: FolderID) throws
    -> Folder?
  where Reader.Scope == AccountScope { try reader.find(Folder.self, id) }
}
