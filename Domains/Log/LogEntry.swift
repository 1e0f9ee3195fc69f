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
  /// What a script asks for.
  public let fields: LogFields
  /// Grows in the order in which lines came out of the spill; 0 for one that crossed.
  public let sequence: Int64

  public init(
    id: LogEntryID, at: Timestamp, level: LogLevel, category: String, message: String, account: AccountID?,
    fields: LogFields = [:], sequence: Int64 = 0
  ) {
    (self.id, self.at, self.level) = (id, at, level)
    (self.category, self.message, self.account) = (category, message, account)
    (self.fields, self.sequence) = (fields, sequence)
  }

  public static let table = Table<LogEntry>(
    "log", key: \.id,
    columns: Column("id", \.id), Column("at", \.at), Column("level", \.level), Column("category", \.category),
    Column("message", \.message), Column("account", \.account), Column("fields", \.fields),
    Column("sequence", \.sequence),
    indexes: [Index(\.at), Index(\.sequence)],
    make: LogEntry.init(id:at:level:category:message:account:fields:sequence:))
}

extension LogEntry {
  /// A line of a spill.
  ///
  /// - Parameter spill: the spill's own name.
  init?(_ spilled: SpilledLine, of spill: String, sequence: Int64) {
    guard let id = LogEntryID("\(spill)/\(spilled.offset)") else { return nil }
    let line = spilled.line
    self.init(
      id: id, at: line.at, level: line.level, category: line.category, message: line.message,
      account: line.account, fields: line.fields, sequence: sequence)
  }

  /// As scripts get it.
  public var json: JSONObject {
    [
      "id": .string(id.rawValue), "at": .string(at.description), "level": .string(level.name),
      "category": .string(category), "message": .string(message),
      "account": account.map { .string($0.description) } ?? .null, "fields": .object(fields.json),
    ]
  }
}

/// `user@server/key` for a line that crossed, `spill/offset` for one that was drained.
public typealias LogEntryID = Identifier<LogEntry>
