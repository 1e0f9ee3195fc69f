import FerryKernel
import FerryStore

/// A line of the log in the store.
public struct LogEntry: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = LogEntryID
  public let id: LogEntryID
  public let at: Timestamp
  public let level: LogLevel
  /// The room or domain that logged.
  public let category: String
  public let message: String
  /// Whom it is about; nil: the device.
  public let account: AccountID?

  public init(
    id: LogEntryID, at: Timestamp, level: LogLevel, category: String, message: String, account: AccountID?
  ) {
    (self.id, self.at, self.level) = (id, at, level)
    (self.category, self.message, self.account) = (category, message, account)
  }

  public static let table = Table<LogEntry>(
    "log", key: \.id,
    columns: Column("id", \.id), Column("at", \.at), Column("level", \.level), Column("category", \.category),
    Column("message", \.message), Column("account", \.account),
    indexes: [Index(\.at)],
    make: LogEntry.init(id:at:level:category:message:account:))
}

/// `user@server/key` for a line that crossed, `spill/offset` for one that was drained.
public typealias LogEntryID = Identifier<LogEntry>

/// How far the spill was drained; it moves in the transaction that appends the lines.
struct LogDrain: Record {
  typealias Scope = DeviceScope
  typealias Key = String
  /// The spill's own name.
  let spill: String
  let offset: Int64

  static let table = Table<LogDrain>(
    "log_drain", key: \.spill, columns: Column("spill", \.spill), Column("offset", \.offset),
    make: LogDrain.init(spill:offset:))
}
