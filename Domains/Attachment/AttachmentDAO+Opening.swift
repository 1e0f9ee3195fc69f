import FerryKernel
import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension AttachmentDAO {
  /// The path of an attachment's file on this device, to be read and not to be changed. Where the file isn't here
  /// it is fetched first; a download that was interrupted goes on where it was.
  ///
  /// What was opened longest ago is evicted afterwards, if the account's files are more than `budget`. The file at
  /// hand never is, but a later call may: whoever needs it for longer keeps it open, or saves a copy.
  ///
  /// - Parameter budget: in bytes.
  /// - Throws: `AttachmentError`; what the source throws, after which the attachment's state is `failed`;
  ///   `CancellationError`, after which it is `remote`.
  public static func open(
    _ account: AccountStore, _ id: AttachmentID, from source: any BlobSource, at now: Timestamp,
    budget: Int64 = AttachmentDAO.defaultBudget, files: FileOperations = FileOperations()
  ) async throws -> String {
    let folder = BlobFolder(account, files)
    if let path = try await openLocal(account, id, folder, now) { return path }
    return try await folder.alone(.fetching) {
      // Somebody may have been faster.
      if let path = try await openLocal(account, id, folder, now) { return path }
      let (wanted, replaced) = try await wanted(account, id)
      if try await !adopt(wanted, account, id, folder, now) {
        try await fetch(wanted, account, id, source, folder, now)
      }
      if let replaced { try await folder.alone(.changing) { try removeUnnamed([replaced], account, folder) } }
      try await evict(account, to: budget, keeping: wanted.hash, files: files)
      return folder.path(of: wanted.hash)
    }
  }

  /// Copies an attachment's file to where a person wants it.
  ///
  /// - Parameter path: a name for the copy, or a folder, where it gets `Attachment.safeFileName`.
  /// - Returns: the copy's path.
  /// - Throws: `AttachmentError.exists`: nothing is ever overwritten; otherwise as `open`.
  public static func save(
    _ account: AccountStore, _ id: AttachmentID, to path: String, from source: any BlobSource,
    at now: Timestamp, budget: Int64 = AttachmentDAO.defaultBudget, files: FileOperations = FileOperations()
  ) async throws -> String {
    guard let attachment = try await find(account, id) else { throw AttachmentError.noAttachment(id) }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let target = isThere && isFolder.boolValue ? "\(path)/\(attachment.safeFileName)" : path
    if isThere, !isFolder.boolValue { throw AttachmentError.exists(path: path) }
    let original = try await open(account, id, from: source, at: now, budget: budget, files: files)
    try copy(original, to: target, files)
    return target
  }

  /// Copies a file so that it is there whole or not at all, and never in another's place.
  private static func copy(_ original: String, to target: String, _ files: FileOperations) throws {
    // Short, since the target's name may be as long as a name can be.
    let name = ".ferry-\(ProcessInfo.processInfo.processIdentifier)-\(StableHash.of(target))"
    let temporary = URL(fileURLWithPath: target).deletingLastPathComponent().path + "/" + name
    let input = try files.opened(original, O_RDONLY | O_CLOEXEC)
    defer { files.close(input) }
    // A file of its own: where something is there already, or a link leads elsewhere, nothing is written.
    let output = try files.opened(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    do {
      defer { files.close(output) }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
      defer { buffer.deallocate() }
      while true {
        try Task.checkCancellation()
        let count = try files.read(input, into: buffer, path: original)
        if count == 0 { break }
        try files.write(Array(buffer[..<count]), to: output, path: temporary)
      }
      try files.sync(output, path: temporary)
      guard try files.link(temporary, to: target) else { throw AttachmentError.exists(path: target) }
      try files.removeIfThere(temporary)
      try files.syncFolder(of: target)
    } catch {
      try? files.removeIfThere(temporary)
      // why: what went wrong first is what a person must hear.
      throw error
    }
  }

  // MARK: - What is here

  /// The path of a file that is here and current; notes that it is used.
  private static func openLocal(
    _ account: AccountStore, _ id: AttachmentID, _ folder: BlobFolder, _ now: Timestamp
  ) async throws -> String? {
    let (attachment, found, server) = try await account.read { snapshot in
      (
        try snapshot.find(Attachment.self, id), try snapshot.find(AttachmentFile.self, id),
        try snapshot.serverHash(of: id)
      )
    }
    guard let attachment else { throw AttachmentError.noAttachment(id) }
    guard let found, found.isHere else { return nil }
    // The server has another one in its place by now.
    if found.wasOnServer, let server, server != found.hash { return nil }
    guard folder.size(of: found.hash) == found.byteSize else {
      if server != nil { return nil }
      throw AttachmentError.lost(name: attachment.fileName, why: "is gone or has another size")
    }
    // The only copy is better than none, damaged or not. One that was brought back from a backup is whole.
    let isWell = try found.state != .local && folder.isWhole(found)
    try await account.write { transaction in
      guard var file = try transaction.find(AttachmentFile.self, id), file.hash == found.hash else { return }
      file.usedAt = now
      if isWell { (file.state, file.reason) = (.local, nil) }
      try transaction.upsert(file)
    }
    return folder.path(of: found.hash)
  }

  /// The file that is to be fetched, and what is here in its place.
  private static func wanted(_ account: AccountStore, _ id: AttachmentID) async throws -> (
    file: ServerFile, replaced: BlobHash?
  ) {
    try await account.read { snapshot in
      guard let attachment = try snapshot.find(Attachment.self, id) else {
        throw AttachmentError.noAttachment(id)
      }
      let file: ServerFile?
      do {
        file =
          try snapshot.serverFile(of: id) ?? snapshot.serverFile(of: id, in: ServerFile.formerMember)
      } catch let fault as JSONFault {
        throw AttachmentError.unreadable(name: attachment.fileName, why: fault.sentence.withoutFullStop)
      }
      guard let file else { throw AttachmentError.noFile(name: attachment.fileName) }
      if let checksum = attachment.checksum, checksum != file.hash.bytes {
        throw AttachmentError.differs(name: attachment.fileName)
      }
      let here = try snapshot.find(AttachmentFile.self, id)?.hash
      return (file, here == file.hash ? nil : here)
    }
  }

  // MARK: - What comes

  /// Takes the file of another attachment that has the same content, or one that came and that a kill kept from
  /// its name.
  private static func adopt(
    _ wanted: ServerFile, _ account: AccountStore, _ id: AttachmentID, _ folder: BlobFolder, _ now: Timestamp
  ) async throws -> Bool {
    try await folder.alone(.changing) {
      let hash = wanted.hash
      let isNamed = try await account.read {
        try $0.first(AttachmentFile.where { $0.hash == hash && $0.state == .local }) != nil
      }
      // What no row answers for is read before it is believed.
      guard let size = folder.size(of: hash), size == wanted.byteSize,
        try isNamed || folder.files.digest(of: folder.path(of: hash)).sha256 == hash.rawValue
      else { return false }
      try await settle(.local, wanted, account, id, now)
      return true
    }
  }

  private static func fetch(
    _ wanted: ServerFile, _ account: AccountStore, _ id: AttachmentID, _ source: any BlobSource,
    _ folder: BlobFolder, _ now: Timestamp
  ) async throws {
    try await settle(.downloading, wanted, account, id, now)
    do {
      if try !folder.hasCome(wanted.hash) {
        try await source.download(wanted, of: account.id, to: folder.incoming(wanted.hash))
      }
      try await folder.alone(.changing) {
        try folder.keep(folder.incoming(wanted.hash), as: wanted.hash)
        try await settle(.local, wanted, account, id, now)
      }
    } catch {
      // It must be noted also where the task was cancelled, and then an async write would be, too.
      try account.blockingWrite { transaction in
        let reason = (error as? any FerryError)?.sentence ?? "\(error)"
        let isCancelled = error is CancellationError
        try write(
          isCancelled ? .remote : .failed, because: isCancelled ? nil : reason, wanted, id, now, transaction)
      }
      throw error
    }
  }

  private static func settle(
    _ state: AttachmentState, _ wanted: ServerFile, _ account: AccountStore, _ id: AttachmentID,
    _ now: Timestamp
  ) async throws {
    let isThere = try await account.write { transaction in
      try write(state, because: nil, wanted, id, now, transaction)
    }
    guard isThere else { throw AttachmentError.noAttachment(id) }
  }

  /// Writes down where a file is; not for an attachment that was deleted meanwhile.
  @discardableResult
  private static func write(
    _ state: AttachmentState, because reason: String?, _ wanted: ServerFile, _ id: AttachmentID,
    _ now: Timestamp,
    _ transaction: borrowing Transaction<AccountScope>
  ) throws -> Bool {
    guard try transaction.find(Attachment.self, id) != nil else { return false }
    try transaction.upsert(
      AttachmentFile(
        id: id, state: state, hash: wanted.hash, byteSize: wanted.byteSize, wasOnServer: true, usedAt: now,
        reason: reason))
    return true
  }
}
