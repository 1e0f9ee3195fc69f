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

/// Which server a feed is known to be on, and whether its records are being compared with another one's.
struct FeedState: Record, Equatable {
  typealias Key = String
  let feed: String
  /// The mark that the feed had; nil where it had none yet.
  var mark: String?
  /// A `Takeover` that isn't over; nil in ordinary times.
  var takeover: String?
  /// When every record's revision was last compared with the server's; nil: never.
  var comparedAt: Timestamp?

  static let table = Table<FeedState>(
    "sync_feed", key: \.feed,
    columns: Column("feed", \.feed), Column("mark", \.mark), Column("takeover", \.takeover),
    Column("compared_at", \.comparedAt), make: FeedState.init(feed:mark:takeover:comparedAt:))
}

/// What was sent and not answered yet: written down before it is sent, so that after a kill the server's record is
/// known for this device's own, also where the row was edited since.
struct SentChange: Record, Equatable {
  typealias Key = String
  /// `feed/number`, the number being that of the local change.
  let id: String
  let feed: String
  let record: String
  /// Of the content, see `SentContents`.
  let digest: String

  static let table = Table<SentChange>(
    "sync_sent", key: \.id,
    columns: Column("id", \.id), Column("feed", \.feed), Column("record", \.record),
    Column("digest", \.digest), indexes: [Index(\.feed, \.record)],
    make: SentChange.init(id:feed:record:digest:))
}

/// A local change that the server never takes as it is. It stays in the outbox and isn't sent again until it is
/// another one, or a person says so.
struct HeldChange: Record, Equatable {
  typealias Key = String
  /// `feed/record`.
  let id: String
  let feed: String
  let record: String
  /// The number of the local change.
  let sequence: Int64

  static let table = Table<HeldChange>(
    "sync_held", key: \.id,
    columns: Column("id", \.id), Column("feed", \.feed), Column("record", \.record),
    Column("sequence", \.sequence), indexes: [Index(\.feed)],
    make: HeldChange.init(id:feed:record:sequence:))
}

/// What a server has asked for or announced, kept for the next run, which is another process.
public struct ServerNotice: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = String
  /// The server's configured name.
  public let server: String
  public internal(set) var notBefore: Timestamp?
  public internal(set) var alert: String?

  public static let table = Table<ServerNotice>(
    "sync_notice", key: \.server,
    columns: Column("server", \.server), Column("not_before", \.notBefore), Column("alert", \.alert),
    make: ServerNotice.init(server:notBefore:alert:))

  /// What a server, by its configured name, has asked for; nil where it never did, and in a store that an earlier
  /// build made.
  public static func find(_ server: String, in store: Store) throws -> ServerNotice? {
    guard store.has(table.declaration) else { return nil }
    return try store.device.blockingRead { try $0.find(ServerNotice.self, server) }
  }

  /// Forgets what a server has asked for.
  public static func forget(_ server: String, in store: Store) throws {
    // Through a gate that is shut, too: an account may be removed while a crossing waits.
    try store.device.blockingWrite(origin: .crossing) { _ = try $0.delete(ServerNotice.self, server) }
  }
}

/// The engine's tables.
public enum SyncTables {
  public static let schema = Schema(
    owner: "sync",
    tables: [
      FeedCursor.table.declaration, SyncConflict.table.declaration, FeedState.table.declaration,
      SentChange.table.declaration, HeldChange.table.declaration, ServerNotice.table.declaration,
      LastSync.table.declaration,
    ],
    changes: [
      .createTable("sync_feed"), .createTable("sync_sent"), .createTable("sync_held"),
      .createTable("sync_notice"), .addColumn("local", to: "sync_conflict"),
      // Of the conflicts of a build that settled none.
      .addColumn("decision", to: "sync_conflict", filledWith: .text("open")),
      .addColumn("fields", to: "sync_conflict", filledWith: .text("")),
      .createTable("sync_last"),
    ])
}
