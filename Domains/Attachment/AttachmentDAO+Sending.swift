import FerryKernel
import FerryStore

extension AttachmentDAO {
  /// What became of a file that the server didn't have.
  public enum Sent: Sendable, Equatable {
    case sent
    /// The server doesn't have the attachment's record, or not any more: the next sync is first.
    case waiting
    /// It is damaged, the server doesn't take it as it is, or has another file for it, which isn't overwritten. `isNew`
    /// tells whether this call found that out.
    case held(reason: String, isNew: Bool)
    case failed(code: String, reason: String)
  }

  /// Sends the files that the server doesn't hold, of attachments that it does, small ones first. One that fails
  /// doesn't hold up the others, unless they would fare the same: those aren't tried, and failed as that one did. What
  /// failed is sent again by the next call; a file that came through twice is the same file.
  ///
  /// - Parameter retrying: whether what the server didn't take before is sent again, as a person asks for.
  /// - Returns: what became of each, by identifier.
  /// - Throws: `CancellationError`, `StoreError`.
  @discardableResult
  public static func sendFiles(
    _ account: AccountStore, through source: any BlobSource, retrying: Bool = false,
    files: FileOperations = FileOperations()
  ) async throws -> [(id: AttachmentID, outcome: Sent)] {
    let folder = BlobFolder(account, files)
    var outcomes: [(id: AttachmentID, outcome: Sent)] = []
    var end: Sent?
    for file in try await account.read({ try unsentFiles($0) }) {
      try Task.checkCancellation()
      outcomes.append((file.id, try await send(file, account, source, folder, retrying, unless: &end)))
    }
    return outcomes
  }

  /// The files that no server has, small ones first: they are nowhere but here. Those that a server has had and whose
  /// record names no file any more are among them, as where it was wiped.
  public static func unsentFiles<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws
    -> [AttachmentFile]
  where Reader.Scope == AccountScope {
    try reader.fetch(
      AttachmentFile.where { $0.state == .local || !$0.wasOnServer }.order { $0.byteSize.ascending }
    ).filter { file in
      // The file of an attachment that was deleted is kept for a while, and isn't wanted any more.
      try reader.find(Attachment.self, file.id) != nil && reader.isOnlyHere(file)
    }
  }

  private static func send(
    _ file: AttachmentFile, _ account: AccountStore, _ source: any BlobSource, _ folder: BlobFolder,
    _ retrying: Bool, unless end: inout Sent?
  ) async throws -> Sent {
    let (attachment, isPushed, server, hasOther) = try await account.read { snapshot in
      let isPushed =
        try snapshot.remoteState(of: Attachment.self, file.id)?.json != nil
        && !snapshot.isInOutbox(Attachment.self, file.id)
      return (
        try snapshot.find(Attachment.self, file.id), isPushed, try snapshot.serverHash(of: file.id),
        try snapshot.hasOther(than: file)
      )
    }
    guard let attachment, isPushed else { return .waiting }
    if hasOther { return try await hold(file, otherFile, account) }
    do {
      if server == nil {
        if !retrying, let reason = file.reason, file.state == .local, ![otherFile, deleted].contains(reason) {
          return .held(reason: reason, isNew: false)
        }
        if let end { return end }
        guard try folder.isWhole(file) else { return try await giveUp(file, account) }
        let held = try await source.upload(
          folder.path(of: file.hash), named: attachment.safeFileName, mimeType: attachment.mimeType,
          to: file.id.rawValue, in: feedName, of: account.id)
        guard held.hash == file.hash else { return try await hold(file, otherFile, account) }
        try await note(held, file.id, account)
      }
      try await change(file, account) { ($0.wasOnServer, $0.state, $0.reason) = (true, .local, nil) }
      return .sent
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as StoreError {
      throw error
    } catch {
      let meaning = source.meaning(of: error)
      let error = error as? any FerryError
      switch meaning {
      case .refused: return try await hold(file, error?.sentence ?? "The server refuses it.", account)
      case .noRecord: return .waiting
      case .everyFile, .passing: break
      }
      let outcome = Sent.failed(code: error?.code ?? "unexpected", reason: error?.sentence ?? "It failed.")
      if meaning == .everyFile { end = outcome }
      return outcome
    }
  }

  private static let otherFile = "The server has another file for it."

  /// Writes down why the file waits for a person.
  private static func hold(_ file: AttachmentFile, _ reason: String, _ account: AccountStore) async throws
    -> Sent
  {
    // One that failed here has its own reason, which says more.
    guard file.state == .local, file.reason != reason else { return .held(reason: reason, isNew: false) }
    try await change(file, account) { $0.reason = reason }
    return .held(reason: reason, isNew: true)
  }

  /// Writes down that the only copy isn't what it was. It stays, and is sent once it is whole again.
  private static func giveUp(_ file: AttachmentFile, _ account: AccountStore) async throws -> Sent {
    try await change(file, account) { $0.fail(.damaged) }
    return .held(reason: AttachmentFile.reason(of: .damaged), isNew: file.state != .failed)
  }

  /// Changes what is said of a file, unless it is another one by now.
  private static func change(
    _ file: AttachmentFile, _ account: AccountStore,
    _ change: @escaping @Sendable (inout AttachmentFile) -> Void
  ) async throws {
    try await account.write { transaction in
      guard var current = try transaction.find(AttachmentFile.self, file.id), current.hash == file.hash
      else { return }
      change(&current)
      try transaction.upsert(current)
    }
  }

  /// Writes down that the server's record names the file. The rest of the record and its revision are the next pull's
  /// to tell: somebody may have changed it meanwhile.
  private static func note(_ file: ServerFile, _ id: AttachmentID, _ account: AccountStore) async throws {
    try await account.write(origin: .server, durability: .powerLoss) { transaction in
      guard let known = try transaction.remoteState(of: Attachment.self, id), let json = known.json,
        var record = try JSONValue.parse(text: json).objectValue
      else { return }
      record[ServerFile.member] = .object(file.json)
      let state = RemoteState(
        revision: known.revision, json: try JSONValue.object(record).text(order: .sorted))
      try transaction.setRemoteState(state, of: Attachment.self, id)
    }
  }
}

extension AttachmentFile {
  /// Marks a file that isn't what it was and that no server has. It is nobody's to remove.
  mutating func fail(_ kind: AttachmentDAO.Verification.Fault.Kind) {
    (state, wasOnServer, reason) = (.failed, false, AttachmentFile.reason(of: kind))
  }

  static func reason(of kind: AttachmentDAO.Verification.Fault.Kind) -> String {
    "The only copy is \(kind.rawValue)."
  }
}
