import FerryKernel
import FerryStore
import Foundation
import ItemDomain

extension AttachmentDAO {
  /// What has lost its other half.
  public struct Orphans: Sendable, Equatable {
    public struct File: Sendable, Equatable {
      /// Below the account's folder.
      public let name: String
      /// In bytes.
      public let byteSize: Int64
    }
    /// Files that no row speaks of, such as what a crash left.
    public var files: [File] = []
    /// Attachments that say that their file is here, where it isn't.
    public var withoutFile: [AttachmentID] = []
    /// Rows about files of attachments that there are no more.
    public var withoutAttachment: [AttachmentID] = []
    /// Attachments of items that there are no more, here or on the server: somebody deleted those who knew nothing of
    /// attachments, as where they are off.
    public var withoutItem: [AttachmentID] = []

    public init() {}

    public var isEmpty: Bool {
      files.isEmpty && withoutFile.isEmpty && withoutAttachment.isEmpty && withoutItem.isEmpty
    }
  }

  /// Finds files without rows and rows without files.
  public static func orphans(_ account: AccountStore, files: FileOperations = FileOperations()) async throws
    -> Orphans
  {
    // Whoever looks at a file that is being copied in must not do so between its beginning and its lock.
    let folder = BlobFolder(account, files)
    return try await folder.alone(.changing) { try await orphans(account, folder) }
  }

  /// Finds them, and removes the files, the rows about files of attachments that there are no more, and, by the next
  /// sync on the server too, the attachments without an item. An attachment without its file is `verify`'s to repair:
  /// its row is all that tells what was lost.
  ///
  /// - Returns: what there was.
  @discardableResult
  public static func removeOrphans(_ account: AccountStore, files: FileOperations = FileOperations())
    async throws -> Orphans
  {
    let folder = BlobFolder(account, files)
    // Nobody fetches now, so what lies in `incoming` is nobody's but that of rows that say so.
    return try await folder.alone(.fetching) {
      let withoutItem = try await account.write(durability: .powerLoss) { transaction in
        let ids = try attachmentsWithoutItem(transaction)
        try transaction.delete(Attachment.self, ids)
        return ids
      }
      var found = try await removeOrphans(account, folder) { _ in true }
      found.withoutItem = withoutItem
      return found
    }
  }

  /// How long the file of a deleted attachment stays, so that whoever undoes the deletion finds it: a day.
  private static let grace: Int64 = 86_400_000_000_000

  /// The same as a matter of course, after a sync for instance: the file of an attachment that was deleted stays for a
  /// day from when that is known here, an attachment without an item stays, and nothing is done, or waited for, while
  /// somebody fetches a file.
  ///
  /// - Returns: what there was; nil where somebody fetches.
  @discardableResult
  public static func tidy(
    _ account: AccountStore, at now: Timestamp, files: FileOperations = FileOperations()
  ) async throws -> Orphans? {
    let folder = BlobFolder(account, files)
    guard FileManager.default.fileExists(atPath: folder.path) else { return Orphans() }
    let (time, isOver) = now.nanoseconds.subtractingReportingOverflow(grace)
    let end: Timestamp = isOver ? .min : Timestamp(nanoseconds: time)
    return try await folder.aloneIfFree(.fetching) {
      try await mark(account, at: now)
      return try await removeOrphans(account, folder) { $0.reason == deleted && $0.usedAt <= end }
    }
  }

  /// Writes down of which files the attachment is gone, as a pull may have done it, and of which it came back.
  private static func mark(_ account: AccountStore, at now: Timestamp) async throws {
    let files = try await account.read { try wronglyMarked($0) }
    if files.isEmpty { return }
    try await account.write { transaction in
      for var file in try wronglyMarked(transaction) {
        (file.usedAt, file.reason) = file.reason == deleted ? (file.usedAt, nil) : (now, deleted)
        try transaction.update(file)
      }
    }
  }

  private static func wronglyMarked<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws
    -> [AttachmentFile]
  where Reader.Scope == AccountScope {
    try reader.fetch(AttachmentFile.all).filter { file in
      try (file.reason == deleted) == (reader.find(Attachment.self, file.id) != nil)
    }
  }

  /// - Parameter isOver: which rows about files of attachments that there are no more may go.
  private static func removeOrphans(
    _ account: AccountStore, _ folder: BlobFolder, _ isOver: @escaping @Sendable (AttachmentFile) -> Bool
  ) async throws -> Orphans {
    try await folder.alone(.changing) {
      let stale = try await account.read { snapshot in
        try snapshot.fetch(AttachmentFile.all).filter(isOver).map(\.id)
          .filter { try snapshot.find(Attachment.self, $0) == nil }
      }
      if !stale.isEmpty {
        try await account.write(durability: .powerLoss) { transaction in
          // One that was restored meanwhile has its file still.
          for id in stale where try transaction.find(Attachment.self, id) == nil {
            try transaction.delete(AttachmentFile.self, id)
          }
        }
      }
      // The files of those, too.
      var found = try await orphans(account, folder)
      for file in found.files { try folder.files.removeIfThere("\(folder.path)/\(file.name)") }
      found.withoutAttachment = stale
      return found
    }
  }

  private static func orphans(_ account: AccountStore, _ folder: BlobFolder) async throws -> Orphans {
    let (rows, gone) = try await account.read { snapshot in
      let rows = try snapshot.fetch(AttachmentFile.all)
      return (rows, Set(try rows.map(\.id).filter { try snapshot.find(Attachment.self, $0) == nil }))
    }
    var orphans = Orphans()
    orphans.withoutItem = try await account.read { try attachmentsWithoutItem($0) }
    orphans.withoutAttachment = rows.map(\.id).filter(gone.contains)
    orphans.withoutFile = rows.filter { $0.isHere && folder.size(of: $0.hash) == nil }.map(\.id)
      .filter { !gone.contains($0) }
    let here = Set(rows.filter(\.isHere).map(\.hash.rawValue))
    let coming = Set(rows.filter { !$0.isHere }.map(\.hash.rawValue))
    for name in try folder.names() where !here.contains(name) {
      orphans.files.append(folder.orphan(name))
    }
    for name in try folder.names(incoming: true) {
      // A download and what it left unfinished: `<hash>`, `<hash>.part` and so on.
      let isComing = coming.contains(String(name.prefix { $0 != "." }))
      let isAlive = try name.hasPrefix(BlobFolder.addition) && !folder.isAbandoned(name)
      if !isComing, !isAlive { orphans.files.append(folder.orphan("incoming/\(name)")) }
    }
    return orphans
  }
}

extension AttachmentDAO {
  /// Those whose item isn't here, and that the server doesn't hold either: it may be one that can't be read.
  private static func attachmentsWithoutItem<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws
    -> [AttachmentID]
  where Reader.Scope == AccountScope {
    try reader.fetch(
      Attachment.where { $0.item != nil && $0.joined(Item.self, by: \.item).id == nil }
    ).filter { attachment in
      guard let item = attachment.item else { return false }
      return try reader.isInOutbox(Item.self, item)
        || reader.remoteState(of: Item.self, item)?.json == nil
    }.map(\.id)
  }
}

extension BlobFolder {
  fileprivate func orphan(_ name: String) -> AttachmentDAO.Orphans.File {
    AttachmentDAO.Orphans.File(name: name, byteSize: size(at: "\(path)/\(name)") ?? 0)
  }
}
