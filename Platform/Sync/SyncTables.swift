import FerryKernel
import FerryStore

/// How far a feed was pulled. It moves in the transaction that applies the page it covers.
public struct FeedCursor: Record, Equatable {
  public typealias Key = String
  public let feed: String
  public let cursor: String

  public static let table = Table<FeedCursor>(
    "sync_cursor", key: \.feed, columns: Column("feed", \.feed), Column("cursor", \.cursor),
    make: FeedCursor.init(feed:cursor:))

  /// Under which name a feed's cursor is kept; a pull of everything has another one until its end.
  static func name(of feed: Feed, isWhole: Bool) -> String { isWhole ? "\(feed.name)/whole" : feed.name }
}

extension Feed {
  /// Forgets how far the feed was pulled, so that the next pull brings every record again: also those that were
  /// refused once and haven't changed since.
  public func pullAnew(_ account: AccountStore) throws {
    try account.store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      try transaction.in(account) { try forgetCursors(in: $0) }
    }
  }

  func forgetCursors(in transaction: borrowing Transaction<AccountScope>) throws {
    for isWhole in [false, true] {
      try transaction.delete(FeedCursor.self, FeedCursor.name(of: self, isWhole: isWhole))
    }
  }
}

/// A server's record that differs from one here which the server hasn't seen. Both are kept: the row here as
/// it is, the server's in this table.
public struct SyncConflict: Record, Equatable {
  public typealias Key = String
  /// `feed/record`.
  public let id: String
  public let feed: String
  public let record: String
  public let revision: Int64
  /// The server's record; nil where it is a tombstone.
  public let content: String?
  public let at: Timestamp

  public static let table = Table<SyncConflict>(
    "sync_conflict", key: \.id,
    columns: Column("id", \.id), Column("feed", \.feed), Column("record", \.record),
    Column("revision", \.revision), Column("content", \.content), Column("at", \.at),
    make: SyncConflict.init(id:feed:record:revision:content:at:))
}

/// The engine's tables.
public enum SyncTables {
  public static let schema = Schema(
    owner: "sync", tables: [FeedCursor.table.declaration, SyncConflict.table.declaration])
}
