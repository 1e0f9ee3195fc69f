import FerryKernel
import FerryStore
import Foundation

/// A folder as a server, for demos, tests and machines without a network: `<user>/<feed>.ndjson`.
///
/// A line is a change, in ascending order of revision: `{"id":"i3","revision":7,"record":{…}}`, or
/// `{"id":"i3","revision":8,"deleted":true}`. The last line of an id counts. The cursor is a revision. A feed's
/// mark is in `<user>/<feed>.mark`, files are `<user>/blobs/<SHA-256>`.
///
/// Whoever writes holds the lock on `<user>/.lock`, also on other machines where the file system carries it
/// there, and replaces the whole file: a reader sees what was before or what comes after.
public struct DirectoryRemote: Remote {
  let name: String
  let folder: String
  let files: FileOperations
  /// By the bytes of the path.
  private let cache = Locked<[[UInt8]: Cached]>([:])

  private struct Cached {
    let stamp: Stamp
    let history: FeedHistory
  }

  private struct Stamp: Equatable {
    let size: Int
    let modified: Date
    let file: Int
  }

  /// - Parameter name: the server's configured name.
  public init(name: String, folder: String, files: FileOperations = FileOperations()) {
    (self.name, self.folder, self.files) = (name, folder, files)
  }

  public func session(of account: AccountID) async throws -> RemoteSession {
    try checkUser(account)
    let isReadOnly = access(userFolder(account), W_OK) != 0
    return RemoteSession(user: account.user, batchLimit: 500, isReadOnly: isReadOnly, keepsBlobs: true)
  }

  public func changes(
    in feed: String, of account: AccountID, from position: PullPosition, limit: Int
  ) async throws -> RemotePage {
    try history(of: feed, account).page(of: feed, from: position, limit: limit)
  }

  public func count(in feed: String, of account: AccountID) async throws -> Int {
    try history(of: feed, account).count
  }

  public func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing
  {
    try history(of: feed, account).listing(of: feed, after: cursor, limit: limit)
  }

  public func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord? {
    try history(of: feed, account).record(id).flatMap { $0.content == nil ? nil : $0 }
  }
}

extension DirectoryRemote {
  func userFolder(_ account: AccountID) -> String { "\(folder)/\(account.user)" }
  func path(of feed: String, _ account: AccountID) -> String {
    "\(userFolder(account))/\(feed).ndjson"
  }

  /// Every change of a feed.
  func history(of feed: String, _ account: AccountID) throws -> FeedHistory {
    let path = path(of: feed, account)
    try checkUser(account)
    if try isMissing(path) { throw RemoteError.missingFeed(feed: feed, account: account) }
    let stamp = try stamp(of: path)
    if let cached = cache.withLock({ $0[Array(path.utf8)] }), cached.stamp == stamp { return cached.history }
    let history = try DirectoryRemote.parse(files.read(path), path: path)
    cache.withLock { $0[Array(path.utf8)] = Cached(stamp: stamp, history: history) }
    return history
  }

  func checkUser(_ account: AccountID) throws {
    if try isMissing(folder) {
      throw RemoteError.unreachable(server: name, why: "there is no folder \(folder)")
    }
    if try isMissing(userFolder(account)) { throw RemoteError.unknownAccount(account) }
  }

  /// Whether there is nothing at a path; what can't be looked at isn't missing.
  func isMissing(_ path: String) throws -> Bool {
    if access(path, R_OK) == 0 { return false }
    if errno == ENOENT { return true }
    throw RemoteError.unreachable(server: name, why: "\(path): \(String(cString: strerror(errno)))")
  }

  /// What tells one state of a file from another.
  private func stamp(of path: String) throws -> Stamp {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return Stamp(
        size: attributes[.size] as? Int ?? 0,
        modified: attributes[.modificationDate] as? Date ?? .distantPast,
        file: attributes[.systemFileNumber] as? Int ?? 0)
    } catch {
      throw RemoteError.unreachable(server: name, why: error.localizedDescription.withoutFullStop)
    }
  }

  private static func parse(_ bytes: [UInt8], path: String) throws -> FeedHistory {
    var history = FeedHistory()
    for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      let place = "\(path):\(index + 1)"
      guard history.append(try record(line, place)) else {
        throw RemoteError.badAnswer(where: place, why: "its revision doesn't grow")
      }
    }
    return history
  }

  private static func record(_ line: some Collection<UInt8>, _ place: String) throws -> RemoteRecord {
    do throws(JSONFault) {
      let reader = JSONReader(try JSONValue.parse(line), of: "line")
      let isDeleted = try reader.ifPresent("deleted")?.bool() ?? false
      let revision = try reader.integer("revision")
      // There must be room for those that follow.
      guard revision < Int64.max / 2 else {
        throw reader.mismatch(expected: "a revision that was counted up to", found: "\(revision)")
      }
      return RemoteRecord(
        id: try reader.text("id"), revision: revision,
        content: isDeleted ? nil : try reader.member("record").object())
    } catch {
      throw RemoteError.badAnswer(where: place, why: error.sentence.withoutFullStop)
    }
  }
}
