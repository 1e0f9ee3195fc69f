import FerryStore
import ItemDomain

// What needs to know items and what is attached to them: it is here because items know no attachments.

/// What the deletion of items with their attachments did, so that it can be undone.
public struct ItemDeletion: Sendable, Equatable {
  public let items: ItemChange
  /// What was attached to them.
  public let attachments: [Attachment]
}

extension ItemDAO {
  /// Deletes items with what is attached to them; one that the account doesn't have is left out.
  @discardableResult
  public static func deleteWithAttachments(_ account: AccountStore, _ ids: [ItemID], at now: Timestamp)
    async throws -> ItemDeletion
  { try await account.write { try deleteWithAttachments($0, ids, at: now) } }

  @discardableResult
  public static func deleteWithAttachments(
    _ transaction: borrowing Transaction<AccountScope>, _ ids: [ItemID], at now: Timestamp
  ) throws -> ItemDeletion {
    let items = try delete(transaction, ids)
    return ItemDeletion(
      items: items, attachments: try AttachmentDAO.remove(transaction, of: items.ids, at: now))
  }

  /// Takes a deletion back. A file that was swept up since is fetched again, if the server holds it.
  public static func restore(_ account: AccountStore, _ deletion: ItemDeletion) async throws {
    try await account.write { try restore($0, deletion) }
  }

  public static func restore(_ transaction: borrowing Transaction<AccountScope>, _ deletion: ItemDeletion)
    throws
  {
    try undo(transaction, deletion.items)
    try AttachmentDAO.restore(transaction, deletion.attachments)
  }
}
