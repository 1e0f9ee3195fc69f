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
      let (attachment, isHeld) = try await account.read { snapshot in
        (try snapshot.find(Attachment.self, file.id), try snapshot.isHeld(file))
      }
      // Nobody misses the file of one that was deleted.
      guard let attachment else { continue }
      verification.faults.append(
        Verification.Fault(id: file.id, fileName: attachment.fileName, kind: kind, isHeld: isHeld))
      if repairing { try await repair(file, kind, account, folder) }
    }
    return verification
  }

  private static func fault(of file: AttachmentFile, _ folder: BlobFolder) -> Verification.Fault.Kind? {
    guard folder.size(of: file.hash) != nil else { return .missing }
    do {
      return try folder.isWhole(file) ? nil : .damaged
    } catch {
      return .unreadable
    }
  }

  private static func repair(
    _ file: AttachmentFile, _ kind: Verification.Fault.Kind, _ account: AccountStore, _ folder: BlobFolder
  ) async throws {
    try await folder.alone(.changing) {
      // Eviction may have been faster, or a download that brought it anew.
      guard fault(of: file, folder) == kind else { return }
      let isGone = try await account.write(durability: .powerLoss) { transaction in
        guard var current = try transaction.find(AttachmentFile.self, file.id), current.hash == file.hash
        else { return false }
        if try transaction.isHeld(current) {
          try transaction.delete(AttachmentFile.self, file.id)
          return true
        }
        current.fail(kind)
        try transaction.upsert(current)
        return false
      }
      if isGone { try removeUnnamed([file.hash], account, folder) }
    }
  }
}
