import FerryStore
import ItemDomain

/// The way in to an account's attachments.
public enum AttachmentDAO {
  /// What is attached to an item, by file name.
  public static func list(_ account: AccountStore, of item: ItemID) async throws -> [Attachment] {
    try await account.read { snapshot in
      try snapshot.fetch(Attachment.where { $0.item == item }.order { $0.fileName.ascending })
    }
  }

  /// The attachment with this identifier; nil where the account has none.
  public static func find(_ account: AccountStore, _ id: AttachmentID) async throws -> Attachment? {
    try await account.read { try $0.find(Attachment.self, id) }
  }
}
