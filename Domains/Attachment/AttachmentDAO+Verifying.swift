import FerryKernel
import FerryStore

extension AttachmentDAO {
  /// What reading every file again found.
  public struct Verification: Sendable, Equatable {
    public struct Fault: Sendable, Equatable {
      public enum Kind: String, Sendable {
        /// There is no file.
        case missing
        /// Its bytes are others than they were.
        case damaged
        /// The disk doesn't give it.
        case unreadable
      }
      public let id: AttachmentID
      public let fileName: String
      public let kind: Kind
      /// Whether the server holds it, so that opening it brings it back once it was repaired.
      public let isHeld: Bool
    }

    /// Files that were read, and their bytes.
    public var files = 0
    public var bytes: Int64 = 0
    /// For each attachment whose file isn't as it should be.
    public var faults: [Fault] = []
  }

  /// Reads every file that is here, and says which isn't what it was when it came.
  ///
  /// - Parameter repairing: makes those that the server holds remote again, and marks the others as `failed`; their
  ///   files, if there are any, stay: nobody else has them.
  public static func verify(
    _ account: AccountStore, repairing: Bool = false, files: FileOperations = FileOperations()
  ) async throws -> Verification {
    let folder = BlobFolder(account, files)
    let here = try await account.read { snapshot in
      try snapshot.fetch(
        AttachmentFile.where { $0.state == .local || !$0.wasOnServer }.order { $0.hash.ascending })
    }
    var verification = Verification()
    var last: (hash: BlobHash, kind: Verification.Fault.Kind?)?
    for file in here {
      try Task.checkCancellation()
      let kind: Verification.Fault.Kind?
      if let last, last.hash == file.hash {
        kind = last.kind
      } else {
        kind = fault(of: file, folder)
        last = (file.hash, kind)
        verification.files += 1
        verification.bytes += kind == nil ? file.byteSize : 0
      }
      guard let kind else { continue }
      let (name, server) = try await account.read { snapshot in
        (try snapshot.find(Attachment.self, file.id)?.fileName, try snapshot.serverHash(of: file.id))
      }
      verification.faults.append(
        Verification.Fault(
          id: file.id, fileName: name ?? "", kind: kind, isHeld: server != nil))
      if repairing { try await repair(file, isHeld: server != nil, kind, account, folder) }
    }
    return verification
  }

  private static func fault(of file: AttachmentFile, _ folder: BlobFolder) -> Verification.Fault.Kind? {
    guard folder.size(of: file.hash) != nil else { return .missing }
    do {
      let (size, hash) = try folder.files.digest(of: folder.path(of: file.hash))
      return size == file.byteSize && hash == file.hash.rawValue ? nil : .damaged
    } catch {
      return .unreadable
    }
  }

  private static func repair(
    _ file: AttachmentFile, isHeld: Bool, _ kind: Verification.Fault.Kind, _ account: AccountStore,
    _ folder: BlobFolder
  ) async throws {
    try await folder.alone(.changing) {
      // Eviction may have been faster, or a download that brought it anew.
      guard fault(of: file, folder) == kind else { return }
      let isStill = try await account.write(durability: .powerLoss) { transaction in
        guard var current = try transaction.find(AttachmentFile.self, file.id), current.hash == file.hash
        else {
          return false
        }
        if isHeld {
          try transaction.delete(AttachmentFile.self, file.id)
        } else {
          (current.state, current.reason) = (.failed, "The only copy is \(kind.rawValue).")
          try transaction.upsert(current)
        }
        return true
      }
      if isHeld, isStill { try removeUnnamed([file.hash], account, folder) }
    }
  }

  // MARK: - Orphans

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

    public var isEmpty: Bool { files.isEmpty && withoutFile.isEmpty && withoutAttachment.isEmpty }
  }

  /// Finds files without rows and rows without files.
  public static func orphans(_ account: AccountStore, files: FileOperations = FileOperations()) async throws
    -> Orphans
  {
    // Whoever looks at a file that is being copied in must not do so between its beginning and its lock.
    let folder = BlobFolder(account, files)
    return try await folder.alone(.changing) { try await orphans(account, folder) }
  }

  /// Finds them, and removes the files and the rows about files of attachments that there are no more. An attachment
  /// without its file is `verify`'s to repair: its row is all that tells what was lost.
  ///
  /// - Returns: what there was.
  @discardableResult
  public static func removeOrphans(_ account: AccountStore, files: FileOperations = FileOperations())
    async throws -> Orphans
  {
    let folder = BlobFolder(account, files)
    // Nobody fetches now, so what lies in `incoming` is nobody's but that of rows that say so.
    return try await folder.alone(.fetching) {
      try await folder.alone(.changing) {
        let stale = try await orphans(account, folder).withoutAttachment
        try await account.write(durability: .powerLoss) { transaction in
          try transaction.delete(AttachmentFile.self, stale)
        }
        // The files of those, too.
        var found = try await orphans(account, folder)
        for file in found.files { try files.removeIfThere("\(folder.path)/\(file.name)") }
        found.withoutAttachment = stale
        return found
      }
    }
  }

  private static func orphans(_ account: AccountStore, _ folder: BlobFolder) async throws -> Orphans {
    let (rows, gone) = try await account.read { snapshot in
      let rows = try snapshot.fetch(AttachmentFile.all)
      return (rows, try rows.map(\.id).filter { try snapshot.find(Attachment.self, $0) == nil })
    }
    var orphans = Orphans()
    orphans.withoutAttachment = gone
    orphans.withoutFile = rows.filter { $0.isHere && folder.size(of: $0.hash) == nil }.map(\.id)
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

extension BlobFolder {
  fileprivate func orphan(_ name: String) -> AttachmentDAO.Orphans.File {
    AttachmentDAO.Orphans.File(name: name, byteSize: size(at: "\(path)/\(name)") ?? 0)
  }
}
