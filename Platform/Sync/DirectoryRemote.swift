import FerryKernel
import FerryStore
import Foundation

/// A folder as a server, for demos, tests and machines without a network: `<user>/<feed>.ndjson`.
///
/// A line is a change, in ascending order of revision: `{"id":"i3","revision":7,"record":{…}}`, or
/// `{"id":"i3","revision":8,"deleted":true}`. The last line of an id counts. The cursor is a revision.
public struct DirectoryRemote: Remote {
  private let name: String
  private let folder: String
  private let files: FileOperations
  /// By the bytes of the path.
  private let cache = Locked<[[UInt8]: Cached]>([:])

  private struct Cached {
    let stamp: Stamp
    let records: [RemoteRecord]
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

  public func changes(in feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemotePage
  {
    let records = try records(of: feed, account)
    var revision: Int64 = 0
    if let cursor {
      guard let known = Int64(cursor) else {
        throw RemoteError.badAnswer(where: "The cursor \(cursor) of \(feed)", why: "it is no revision")
      }
      revision = known
    }
    let rest = records.drop { $0.revision <= revision }
    let page = rest.prefix(limit)
    return RemotePage(
      records: Array(page), cursor: String(page.last?.revision ?? revision), hasMore: rest.count > page.count)
  }

  private func records(of feed: String, _ account: AccountID) throws -> [RemoteRecord] {
    let path = "\(folder)/\(account.user)/\(feed).ndjson"
    let stamp = try stamp(of: path, feed, account)
    if let cached = cache.withLock({ $0[Array(path.utf8)] }), cached.stamp == stamp { return cached.records }
    let records = try DirectoryRemote.parse(files.read(path), path: path)
    cache.withLock { $0[Array(path.utf8)] = Cached(stamp: stamp, records: records) }
    return records
  }

  /// What tells one state of a file from another; says which of folder, account and feed is missing.
  private func stamp(of path: String, _ feed: String, _ account: AccountID) throws -> Stamp {
    if try isMissing(folder) {
      throw RemoteError.unreachable(server: name, why: "there is no folder \(folder)")
    }
    if try isMissing("\(folder)/\(account.user)") { throw RemoteError.unknownAccount(account) }
    if try isMissing(path) { throw RemoteError.missingFeed(feed: feed, account: account) }
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

  /// Whether there is nothing at a path; what can't be looked at isn't missing.
  private func isMissing(_ path: String) throws -> Bool {
    if access(path, R_OK) == 0 { return false }
    if errno == ENOENT { return true }
    throw RemoteError.unreachable(server: name, why: "\(path): \(String(cString: strerror(errno)))")
  }

  /// The last change of each id, oldest first.
  private static func parse(_ bytes: [UInt8], path: String) throws -> [RemoteRecord] {
    var changes: [RemoteRecord] = []
    var lastOfID: [[UInt8]: Int] = [:]
    for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      let place = "\(path):\(index + 1)"
      let record = try record(line, place)
      guard record.revision > changes.last?.revision ?? 0 else {
        throw RemoteError.badAnswer(where: place, why: "its revision doesn't grow")
      }
      lastOfID[Array(record.id.utf8)] = changes.count
      changes.append(record)
    }
    return changes.enumerated().filter { lastOfID[Array($0.element.id.utf8)] == $0.offset }.map(\.element)
  }

  private static func record(_ line: some Collection<UInt8>, _ place: String) throws -> RemoteRecord {
    do throws(JSONFault) {
      let reader = JSONReader(try JSONValue.parse(line), of: "line")
      let isDeleted = try reader.ifPresent("deleted")?.bool() ?? false
      return RemoteRecord(
        id: try reader.text("id"), revision: try reader.integer("revision"),
        content: isDeleted ? nil : try reader.member("record").object())
    } catch {
      throw RemoteError.badAnswer(where: place, why: error.sentence.withoutFullStop)
    }
  }
}
