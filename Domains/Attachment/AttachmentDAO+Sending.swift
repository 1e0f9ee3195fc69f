import FerryKernel
import FerryStore

extension AttachmentDAO {
  /// What became of a file that the server didn't have.
  public enum Sent: Sendable, Equatable {
    case sent
    /// The server doesn't have the attachment's record yet: the next push is first.
    case waiting
    /// The server doesn't take it as it is, or has another file for it, which isn't overwritten. `isNew` tells whether
    /// this call found that out.
    case held(reason: String, isNew: Bool)
    case failed(code: String, reason: String)
  }

  /// Sends the files that the server doesn't hold, of attachments that it does. One that fails doesn't hold up the
  /// others, and is sent again by the next call; a file that came through twice is the same file.
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
    let unsent = try await account.read { snapshot in
      // The file of an attachment that was deleted is kept for a while, and isn't wanted any more.
      try snapshot.fetch(AttachmentFile.where { !$0.wasOnServer })
        .filter { try snapshot.find(Attachment.self, $0.id) != nil }
    }
    var outcomes: [(id: AttachmentID, outcome: Sent)] = []
    for file in unsent {
      try Task.checkCancellation()
      outcomes.append((file.id, try await send(file, account, source, folder, retrying)))
    }
    return outcomes
  }

  /// How many files of the account no server has: they are nowhere but here.
  public static func unsentFiles<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> Int
  where Reader.Scope == AccountScope {
    try reader.count(AttachmentFile.where { !$0.wasOnServer })
  }

  private static func send(
    _ file: AttachmentFile, _ account: AccountStore, _ source: any BlobSource, _ folder: BlobFolder,
    _ retrying: Bool
  ) async throws -> Sent {
    let (attachment, isPushed, server) = try await account.read { snapshot in
      let isPushed =
        try snapshot.remoteState(of: Attachment.self, file.id)?.json != nil
        && !snapshot.isInOutbox(Attachment.self, file.id)
      return (
        try snapshot.find(Attachment.self, file.id), isPushed, try snapshot.serverHash(of: file.id)
      )
    }
    guard let attachment, isPushed else { return .waiting }
    if let server, server != file.hash { return try await hold(file, otherFile, account) }
    do {
      if server == nil {
        // One that is damaged, and so failed, is refused by its hash.
        if let reason = file.reason, file.state == .local, reason != otherFile, !retrying {
          return .held(reason: reason, isNew: false)
        }
        let (held, revision) = try await source.upload(
          folder.path(of: file.hash), named: attachment.safeFileName, mimeType: attachment.mimeType,
          to: file.id.rawValue, in: feedName, of: account.id)
        guard held.hash == file.hash else { return try await hold(file, otherFile, account) }
        try await note(held, revision, file.id, account)
      }
      try await change(file, account) { ($0.wasOnServer, $0.state, $0.reason) = (true, .local, nil) }
      return .sent
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as StoreError {
      throw error
    } catch {
      let isRefusal = source.isRefusal(error)
      let error = error as? any FerryError
      if isRefusal { return try await hold(file, error?.sentence ?? "The server refuses it.", account) }
      return .failed(code: error?.code ?? "unexpected", reason: error?.sentence ?? "It failed.")
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

  /// Writes down that the server's record names the file, as the next pull would.
  private static func note(
    _ file: ServerFile, _ revision: Int64, _ id: AttachmentID, _ account: AccountStore
  ) async throws {
    try await account.write(origin: .server, durability: .powerLoss) { transaction in
      guard let json = try transaction.remoteState(of: Attachment.self, id)?.json,
        var record = try JSONValue.parse(text: json).objectValue
      else { return }
      record[ServerFile.member] = .object(file.json)
      let state = RemoteState(revision: revision, json: try JSONValue.object(record).text(order: .sorted))
      try transaction.setRemoteState(state, of: Attachment.self, id)
    }
  }
}
