import FerryKernel
import FerryStore
import ItemDomain

/// The way in to an account's attachments and to the files that they are.
///
/// What a function does with files it does below the store's folder, in the account's own part of it. A file is
/// whole and synced before a row speaks of it, and no row speaks of it any more before it goes; so what a crash
/// leaves is a file without a row, which `removeOrphans` finds, and never a row without its file.
public enum AttachmentDAO {
  /// What is attached to an item, by file name.
  public static func list(_ account: AccountStore, of item: ItemID) async throws -> [Attachment] {
    try await account.read { try list($0, of: item) }
  }

  public static func list<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, of item: ItemID) throws
    -> [Attachment]
  where Reader.Scope == AccountScope { try reader.fetch(attached(to: item)) }

  /// The same, now and whenever they are others.
  public static func observe(_ account: AccountStore, of item: ItemID) -> Observation<[Attachment]> {
    account.observe(attached(to: item))
  }

  /// The attachments of an item by file name, or of the whole account by identifier, with what is here of each.
  ///
  /// - Parameters:
  ///   - item: nil: of every item and of none.
  ///   - last: the last attachment of the page before; nil: from the first on. It needn't be there any more.
  ///   - limit: how many at most.
  public static func entries(
    _ account: AccountStore, of item: ItemID? = nil, after last: Attachment? = nil, limit: Int = 50
  ) async throws -> [AttachmentEntry] {
    try await account.read { try entries($0, of: item, after: last, limit: limit) }
  }

  public static func entries<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, of item: ItemID? = nil, after last: Attachment? = nil, limit: Int = 50
  ) throws -> [AttachmentEntry] where Reader.Scope == AccountScope {
    var query = item.map(attached(to:)) ?? Attachment.all
    if let last { query = query.after(last) }
    var entries: [AttachmentEntry] = []
    for attachment in try reader.fetch(query.limit(limit)) {
      entries.append(
        AttachmentEntry(attachment: attachment, file: try reader.find(AttachmentFile.self, attachment.id)))
    }
    return entries
  }

  /// The same, now and whenever they are others, also in what is here.
  public static func observeEntries(
    _ account: AccountStore, of item: ItemID? = nil, after last: Attachment? = nil, limit: Int = 50
  ) -> Observation<[AttachmentEntry]> {
    account.observe { try entries($0, of: item, after: last, limit: limit) }
  }

  /// The attachment with this identifier; nil where the account has none.
  public static func find(_ account: AccountStore, _ id: AttachmentID) async throws -> Attachment? {
    try await account.read { try find($0, id) }
  }

  public static func find<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ id: AttachmentID) throws
    -> Attachment?
  where Reader.Scope == AccountScope { try reader.find(Attachment.self, id) }

  /// The attachment with this identifier and what is here of it; nil where the account has none.
  public static func entry(_ account: AccountStore, _ id: AttachmentID) async throws -> AttachmentEntry? {
    try await account.read { try entry($0, id) }
  }

  public static func entry<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ id: AttachmentID) throws
    -> AttachmentEntry?
  where Reader.Scope == AccountScope {
    guard let attachment = try reader.find(Attachment.self, id) else { return nil }
    return AttachmentEntry(attachment: attachment, file: try reader.find(AttachmentFile.self, id))
  }

  /// The attachment, now and whenever it or what is here of it is another; nil while the account has none.
  public static func observe(_ account: AccountStore, _ id: AttachmentID) -> Observation<AttachmentEntry?> {
    account.observe { try entry($0, id) }
  }

  private static func attached(to item: ItemID) -> Query<Attachment> {
    Attachment.where { $0.item == item }.order { $0.fileName.ascending }
  }

  /// What the server calls them.
  static let feedName = "attachments"

  /// Where an account's files are. It is for whoever removes an account, or makes a backup of it.
  public static func folder(of account: AccountStore) -> String { BlobFolder(account, FileOperations()).path }

  /// The same of an account that the store doesn't know any more.
  ///
  /// - Parameter storeFolder: the folder that the store is in.
  public static func folder(of account: AccountID, in storeFolder: String) -> String {
    BlobFolder.path(of: account, in: storeFolder)
  }

  /// Where the files of all accounts are. It is for whoever moves the store.
  public static func folder(in storeFolder: String) -> String { BlobFolder.folder(in: storeFolder) }
}
