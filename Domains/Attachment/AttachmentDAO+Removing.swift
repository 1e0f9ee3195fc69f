import FerryKernel
import FerryStore
import ItemDomain

extension AttachmentDAO {
  /// Deletes attachments, here and by the next sync on the server, with the files that no other attachment has.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public static func remove(
    _ account: AccountStore, _ ids: [AttachmentID], files: FileOperations = FileOperations()
  ) async throws -> Int {
    let folder = BlobFolder(account, files)
    return try await folder.alone(.changing) {
      let (count, hashes) = try await account.write(durability: .powerLoss) { transaction in
        let hashes = try ids.compactMap { try transaction.find(AttachmentFile.self, $0)?.hash }
        try transaction.delete(AttachmentFile.self, ids)
        return (try transaction.delete(Attachment.self, ids).deleted, hashes)
      }
      try removeUnnamed(hashes, account, folder)
      return count
    }
  }

  /// Deletes what is attached to items, for whoever deletes those in the same transaction. The files stay, so that
  /// it can be undone, until `tidy` finds them a day later.
  ///
  /// Nothing is deleted where the store has no attachments yet: their domain is off, or they are still crossing.
  ///
  /// - Returns: what was attached, for `restore`.
  @discardableResult
  public static func remove(
    _ transaction: borrowing Transaction<AccountScope>, of items: [ItemID], at now: Timestamp
  ) throws -> [Attachment] {
    guard try transaction.canWrite(Attachment.self) else { return [] }
    var removed: [Attachment] = []
    for item in items { removed += try list(transaction, of: item) }
    try transaction.delete(Attachment.self, removed.map(\.id))
    for attachment in removed {
      guard var file = try transaction.find(AttachmentFile.self, attachment.id) else { continue }
      (file.usedAt, file.reason) = (now, deleted)
      try transaction.update(file)
    }
    return removed
  }

  /// Says of a file since when its attachment isn't there: `usedAt` is that time.
  static let deleted = "Its attachment was deleted."

  /// Puts attachments back that were deleted with their items, where they aren't there.
  public static func restore(
    _ transaction: borrowing Transaction<AccountScope>, _ attachments: [Attachment]
  ) throws {
    for attachment in attachments where try transaction.find(Attachment.self, attachment.id) == nil {
      try transaction.insert(attachment)
      guard var file = try transaction.find(AttachmentFile.self, attachment.id) else { continue }
      if file.reason == deleted { file.reason = nil }
      // Where the deletion has reached the server, the file went there, too, and has to be sent again.
      if file.state == .local, try transaction.serverHash(of: attachment.id) == nil {
        file.wasOnServer = false
      }
      try transaction.update(file)
    }
  }

  /// Removes those files that no row speaks of. `changing` is held.
  static func removeUnnamed(_ hashes: [BlobHash], _ account: AccountStore, _ folder: BlobFolder) throws {
    let unnamed = try account.blockingRead { snapshot in
      try hashes.filter { hash in try snapshot.first(AttachmentFile.where { $0.hash == hash }) == nil }
    }
    for hash in unnamed { try folder.remove(hash) }
  }
}
