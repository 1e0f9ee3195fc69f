import FerryKernel
import FerryStore

extension AttachmentDAO {
  /// How much an account's files may be together before those that the server holds make room: 512 MiB.
  public static let defaultBudget: Int64 = 512 << 20

  /// What an account's files take, and what became of them.
  public struct Eviction: Sendable, Equatable {
    /// Files that went, and their bytes.
    public var files = 0
    public var bytes: Int64 = 0
    /// Bytes of those that stayed.
    public var kept: Int64 = 0
    /// Of these, bytes that the server doesn't hold, and that no budget evicts.
    public var unsent: Int64 = 0

    public init() {}
  }

  /// Deletes files, those that were opened longest ago first, until what is left is at most a budget. They are
  /// remote again, and come back when they are opened. What the server doesn't hold stays, whatever the budget.
  ///
  /// - Parameters:
  ///   - budget: in bytes; 0 evicts all that the server holds.
  ///   - keeping: content that stays.
  @discardableResult
  public static func evict(
    _ account: AccountStore, to budget: Int64, keeping kept: BlobHash? = nil,
    files: FileOperations = FileOperations()
  ) async throws -> Eviction {
    let folder = BlobFolder(account, files)
    return try await folder.alone(.changing) {
      // The rows say so for good before the files go: a row that speaks of a file that isn't there is what a
      // power failure must not leave.
      let (eviction, evicted) = try await account.write(durability: .powerLoss) { transaction in
        var eviction = Eviction()
        var evicted: [Content] = []
        let contents = try contents(transaction)
        eviction.kept = contents.reduce(0) { $0 + $1.byteSize }
        eviction.unsent = contents.reduce(0) { $0 + ($1.isHeld ? 0 : $1.byteSize) }
        for content in contents where content.isHeld && content.hash != kept {
          guard eviction.kept > max(budget, 0) else { break }
          try transaction.delete(AttachmentFile.self, content.ids)
          evicted.append(content)
          eviction.kept -= content.byteSize
        }
        eviction.files = evicted.count
        eviction.bytes = evicted.reduce(0) { $0 + $1.byteSize }
        return (eviction, evicted.map(\.hash))
      }
      try removeUnnamed(evicted, account, folder)
      return eviction
    }
  }

  /// What the files of an account take; nothing is evicted.
  public static func usage(_ account: AccountStore) async throws -> Eviction {
    try await account.read { snapshot in
      let contents = try contents(snapshot)
      var usage = Eviction()
      usage.kept = contents.reduce(0) { $0 + $1.byteSize }
      usage.unsent = contents.reduce(0) { $0 + ($1.isHeld ? 0 : $1.byteSize) }
      return usage
    }
  }

  /// A file and the attachments whose content it is.
  private struct Content {
    let hash: BlobHash
    let byteSize: Int64
    var ids: [AttachmentID]
    var usedAt: Timestamp
    /// Whether the server holds it, for each of the attachments, or another one in its place.
    var isHeld: Bool
  }

  /// The files that are here, the one that was opened longest ago first.
  private static func contents<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> [Content]
  where Reader.Scope == AccountScope {
    var contents: [BlobHash: Content] = [:]
    let files = try reader.fetch(AttachmentFile.where { $0.state == .local || !$0.wasOnServer })
    for file in files {
      // Of one that was deleted nobody misses what a server has had.
      let isWanted = try reader.find(Attachment.self, file.id) != nil
      let isHeld = try reader.isHeld(file) || (file.wasOnServer && !isWanted)
      var content =
        contents[file.hash]
        ?? Content(hash: file.hash, byteSize: file.byteSize, ids: [], usedAt: file.usedAt, isHeld: true)
      content.ids.append(file.id)
      content.usedAt = max(content.usedAt, file.usedAt)
      content.isHeld = content.isHeld && isHeld
      contents[file.hash] = content
    }
    return contents.values.sorted { left, right in
      left.usedAt != right.usedAt
        ? left.usedAt < right.usedAt
        : left.hash.rawValue.utf8.lexicographicallyPrecedes(right.hash.rawValue.utf8)
    }
  }
}
