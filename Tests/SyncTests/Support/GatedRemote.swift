import FerryKernel
import FerryStore
import FerrySync
import TestKit

/// A server that a test acts before, at each request.
final class GatedRemote: Remote {
  private let base: any Remote
  private let before: @Sendable () async -> Void

  init(_ base: any Remote, before: @escaping @Sendable () async -> Void) {
    (self.base, self.before) = (base, before)
  }

  private func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
    await before()
    try Task.checkCancellation()
    return try await body()
  }

  func session(of account: AccountID) async throws -> RemoteSession {
    try await pass { try await base.session(of: account) }
  }

  func changes(in feed: String, of account: AccountID, from position: PullPosition, limit: Int) async throws
    -> RemotePage
  {
    try await pass { try await base.changes(in: feed, of: account, from: position, limit: limit) }
  }

  func count(in feed: String, of account: AccountID) async throws -> Int {
    try await pass { try await base.count(in: feed, of: account) }
  }

  func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing
  {
    try await pass { try await base.listing(of: feed, of: account, after: cursor, limit: limit) }
  }

  func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord? {
    try await pass { try await base.record(id, in: feed, of: account) }
  }

  func mark(of feed: String, of account: AccountID) async throws -> String? {
    try await pass { try await base.mark(of: feed, of: account) }
  }

  func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String {
    try await pass { try await base.setMark(mark, of: feed, of: account) }
  }

  func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws -> [PushOutcome] {
    try await pass { try await base.push(changes, to: feed, of: account) }
  }

  func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws {
    try await pass { try await base.download(blob, of: account, to: path) }
  }

  func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws -> (
    blob: RemoteBlob, revision: Int64
  ) {
    try await pass { try await base.upload(file, to: record, in: feed, of: account) }
  }
}
