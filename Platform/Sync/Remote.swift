import FerryKernel
import FerryStore

/// A server, as the engine sees it: feeds of records, each record under an id and with a revision that grows.
///
/// What every remote keeps to: revisions of one feed grow and no two changes share one; a page's records come
/// in ascending order; a change whose precondition doesn't hold changes nothing; a request that is asked again
/// does no harm. All of it throws `RemoteError`, or `CancellationError`.
public protocol Remote: Sendable {
  /// Asks who the server takes the account for and what it allows; the first thing of each run.
  ///
  /// - Throws: `RemoteError.unauthorized` where the server doesn't accept the account's secret.
  func session(of account: AccountID) async throws -> RemoteSession

  /// The next page of changes in a feed, oldest first.
  ///
  /// - Parameter limit: at most this many records.
  /// - Throws: `RemoteError.wentBack` and `.flushed` where this can't be the feed that the position is in.
  func changes(in feed: String, of account: AccountID, from position: PullPosition, limit: Int) async throws
    -> RemotePage

  /// How many records the feed holds, tombstones not counted.
  func count(in feed: String, of account: AccountID) async throws -> Int

  /// The ids and revisions of the records that a feed holds, tombstones left out: what a count that differs is
  /// looked into with.
  ///
  /// - Parameter cursor: what an earlier page ended with; nil for the beginning.
  func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing

  /// One record as it is now; nil where there is none, or a tombstone.
  func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord?

  /// The mark that tells this feed from one that was made anew under the same name; nil where nobody has put
  /// one there.
  func mark(of feed: String, of account: AccountID) async throws -> String?

  /// Puts a mark on a feed that has none, and makes the feed where there is none.
  ///
  /// - Parameter mark: one that no other feed has; a server may make its own.
  /// - Returns: the mark that the feed has now, which is another's if that one was faster.
  func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String

  /// Sends changes, each with what it takes the server to hold.
  ///
  /// A push of `RemoteSession.batchLimit` changes or fewer is one request where all is well, so that whoever
  /// writes the outcomes down after each push has little to ask again for after a crash.
  ///
  /// - Returns: an outcome for each change, in the order of the changes.
  /// - Throws: only where it is certain that the server did none of them.
  func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws -> [PushOutcome]

  /// Fetches a file, whole and right or not at all: it goes on with what an interrupted download left beside
  /// `path`, checks size and SHA-256, and only then gives it its name.
  ///
  /// - Throws: `RemoteError.blobGone` where it was replaced or deleted: look at the record again.
  func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws

  /// Attaches a file to a record that the server holds, in place of the one it had.
  ///
  /// The server checks no precondition here: push the record first. After an upload that failed, upload again:
  /// the server may have thrown the old file away already.
  ///
  /// - Returns: the file as the server has it, and the record's new revision.
  func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws
    -> (blob: RemoteBlob, revision: Int64)

  /// What the server has asked for or announced in whatever it answered up to now.
  func notice(of account: AccountID) -> RemoteNotice

  /// What has gone over the wire since this value was made.
  var traffic: RemoteTraffic { get }
}

/// Where a page begins.
public enum PullPosition: Sendable, Equatable {
  /// At the feed's first change.
  case beginning
  /// Where an earlier pull ended. The remote steps back as far as it must so that changes which appear late
  /// are seen; the page may hold what was pulled before.
  case resuming(String)
  /// Right behind the page before, in the same pull.
  case after(String)

  /// The cursor that the position is at; nil for the beginning.
  public var cursor: String? {
    switch self {
    case .beginning: nil
    case .resuming(let cursor), .after(let cursor): cursor
    }
  }
}

/// Some changes, and the cursor that covers them.
public struct RemotePage: Sendable, Equatable {
  /// In ascending order of revision. A record that changed between two pages comes twice: the higher revision
  /// counts.
  public let records: [RemoteRecord]
  /// Where the next page begins.
  public let cursor: String
  /// Whether there is a next page now.
  public let hasMore: Bool
  /// The feed's own revision, no lower than that of any change that was acknowledged before the page was asked for;
  /// nil where the remote can't tell.
  public let revision: Int64?

  public init(records: [RemoteRecord], cursor: String, hasMore: Bool, revision: Int64? = nil) {
    (self.records, self.cursor, self.hasMore, self.revision) = (records, cursor, hasMore, revision)
  }
}

/// Some of the ids that a feed holds.
public struct RemoteListing: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    public let id: String
    public let revision: Int64

    public init(id: String, revision: Int64) { (self.id, self.revision) = (id, revision) }
  }

  public let entries: [Entry]
  /// Where the next page begins; nil after the last.
  public let cursor: String?

  public init(entries: [Entry], cursor: String?) { (self.entries, self.cursor) = (entries, cursor) }
}
