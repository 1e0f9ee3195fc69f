import FerryKernel
import FerryStore

/// A server, as the engine sees it.
public protocol Remote: Sendable {
  /// The next page of changes in a feed, oldest first.
  ///
  /// - Parameters:
  ///   - cursor: what an earlier page ended with; nil for the beginning.
  ///   - limit: at most this many records.
  /// - Throws: `RemoteError`, or `CancellationError`.
  func changes(in feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemotePage
}

/// Some changes, and the cursor that covers them.
public struct RemotePage: Sendable, Equatable {
  public let records: [RemoteRecord]
  /// Where the next page begins.
  public let cursor: String
  /// Whether there is a next page now.
  public let hasMore: Bool

  public init(records: [RemoteRecord], cursor: String, hasMore: Bool) {
    (self.records, self.cursor, self.hasMore) = (records, cursor, hasMore)
  }
}

/// What a server refuses, or answers wrongly.
public enum RemoteError: FerryError, Equatable {
  /// It can't be reached now. Waiting may help.
  case unreachable(server: String, why: String)
  /// It doesn't have the account.
  case unknownAccount(AccountID)
  /// It doesn't have the feed for this account.
  case missingFeed(feed: String, account: AccountID)
  /// It answered something that is no page of a feed.
  case badAnswer(where: String, why: String)
  /// An account names a server that isn't configured.
  case unknownServer(String)

  public var code: String {
    switch self {
    case .unreachable: "sync.unreachable"
    case .unknownAccount: "sync.unknownAccount"
    case .missingFeed: "sync.missingFeed"
    case .badAnswer: "sync.badAnswer"
    case .unknownServer: "sync.unknownServer"
    }
  }

  public var sentence: String {
    switch self {
    case .unreachable(let server, let why): "The server \(server) can't be reached: \(why)."
    case .unknownAccount(let account): "The server doesn't know the account \(account)."
    case .missingFeed(let feed, let account): "The server has no \(feed) for \(account)."
    case .badAnswer(let place, let why): "\(place) is no record of a feed: \(why)."
    case .unknownServer(let server): "No server called \(server) is configured."
    }
  }

  public var remedy: String {
    switch self {
    case .unreachable: "Try again once it can."
    case .unknownAccount: "Check the account's name in ferry.yaml."
    case .missingFeed: "Check that the server holds this account's data; nothing was changed here."
    case .badAnswer: "Mend it on the server; nothing of this page was taken."
    case .unknownServer: "Add it under `servers` in ferry.yaml."
    }
  }
}
