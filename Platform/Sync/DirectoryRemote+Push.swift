import FerryKernel
import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension DirectoryRemote {
  public func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws
    -> [PushOutcome]
  {
    try await writing(account) {
      let path = path(of: feed, account)
      var history = try isMissing(path) ? FeedHistory() : history(of: feed, account)
      var bytes = try isMissing(path) ? [] : files.read(path)
      if let last = bytes.last, last != 0x0a { bytes.append(0x0a) }
      let size = bytes.count
      let outcomes = changes.map { change -> PushOutcome in
        do throws(JSONFault) {
          let (outcome, record) = history.judge(change)
          if let record {
            bytes += try DirectoryRemote.line(record)
            _ = history.append(record)
          }
          return outcome
        } catch {
          return .poisoned(reason: error.sentence.withoutFullStop)
        }
      }
      if bytes.count > size { try files.writeWhole(bytes, to: path) }
      return outcomes
    }
  }

  public func mark(of feed: String, of account: AccountID) async throws -> String? {
    try checkUser(account)
    return try readMark(of: feed, account)
  }

  public func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String {
    try await writing(account) {
      if let there = try readMark(of: feed, account) { return there }
      try files.writeWhole(Array(mark.utf8), to: markPath(of: feed, account))
      if try isMissing(path(of: feed, account)) {
        try files.writeWhole([], to: path(of: feed, account))
      }
      return mark
    }
  }

  public func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws {
    try checkUser(account)
    // A location is what a record says, and so anything: only a name of the folder's own form is looked up.
    guard blob.location.utf8.elementsEqual("blobs/\(blob.sha256)".utf8) else {
      throw RemoteError.blobGone(location: blob.location)
    }
    let source = "\(userFolder(account))/\(blob.location)"
    if try isMissing(source) { throw RemoteError.blobGone(location: blob.location) }
    let part = try PartialFile(for: path, files: files)
    try part.append(contentsOf: source)
    try part.finish(as: blob)
  }

  public func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws
    -> (blob: RemoteBlob, revision: Int64)
  {
    let (size, hash) = try files.digest(of: file.path)
    let blob = RemoteBlob(
      location: "blobs/\(hash)", sha256: hash, size: size, mediaType: file.mediaType, name: file.name)
    return try await writing(account) {
      var history = try history(of: feed, account)
      guard let existing = history.record(record), var content = existing.content else {
        throw RemoteError.missingRecord(record, feed: feed)
      }
      try files.makeFolder("\(userFolder(account))/blobs")
      let part = try PartialFile(for: "\(userFolder(account))/\(blob.location)", files: files)
      try part.append(contentsOf: file.path)
      try part.finish(as: blob)
      content[RemoteBlob.member] = .object(blob.json)
      let (_, changed) = history.apply(.update(record, content, of: existing.revision))
      var bytes = try files.read(path(of: feed, account))
      if let last = bytes.last, last != 0x0a { bytes.append(0x0a) }
      if let changed { bytes += try DirectoryRemote.line(changed) }
      try files.writeWhole(bytes, to: path(of: feed, account))
      return (blob, history.revision)
    }
  }

  private func markPath(of feed: String, _ account: AccountID) -> String {
    "\(userFolder(account))/\(feed).mark"
  }

  private func readMark(of feed: String, _ account: AccountID) throws -> String? {
    let path = markPath(of: feed, account)
    if try isMissing(path) { return nil }
    return String(decoding: try files.read(path), as: UTF8.self)
  }

  private static func line(_ record: RemoteRecord) throws(JSONFault) -> [UInt8] {
    var line: JSONObject = ["id": .string(record.id), "revision": .integer(record.revision)]
    if let content = record.content { line["record"] = .object(content) } else { line["deleted"] = true }
    return Array(try JSONValue.object(line).text().utf8) + [0x0a]
  }

  /// Runs `body` while no other process writes for the account. Waits for one that does, up to five seconds.
  private func writing<Result>(_ account: AccountID, _ body: () throws -> Result) async throws -> Result {
    try checkUser(account)
    guard access(userFolder(account), W_OK) == 0 else { throw RemoteError.readOnly(server: name) }
    let path = "\(userFolder(account))/.lock"
    for _ in 0..<500 {
      do {
        let lock = try ProcessLock(path: path, files: files)
        return try withExtendedLifetime(lock) { try body() }
      } catch KernelError.locked(path) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    throw RemoteError.unreachable(server: name, why: "another process has been writing to it for long")
  }
}
