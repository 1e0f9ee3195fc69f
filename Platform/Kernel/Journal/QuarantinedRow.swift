import FerryStore

/// A row that couldn't cross, kept whole with the reason, so that a person can look at it.
public struct QuarantinedRow: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = String
  /// Names the row for ever: `domain/account/entity/position`, `feed F/account/id` for a server's record, or
  /// `push F/account/id` for a row here that a server doesn't take.
  public let id: String
  public let domain: String
  public let account: String
  /// The entity of the crossing, `feed F` for a record that a server sent, or `push F` for one that it doesn't take.
  public let entity: String
  /// The row with all its properties, as a JSON object.
  public let content: String
  public let reason: String
  public let at: Timestamp

  public init(
    id: String, domain: String, account: AccountID, entity: String, content: String, reason: String,
    at: Timestamp
  ) {
    self.init(
      id: id, domain: domain, account: account.description, entity: entity, content: content, reason: reason,
      at: at)
  }

  private init(
    id: String, domain: String, account: String, entity: String, content: String, reason: String,
    at: Timestamp
  ) {
    (self.id, self.domain, self.account, self.entity) = (id, domain, account, entity)
    (self.content, self.reason, self.at) = (content, reason, at)
  }

  public static let table = Table<QuarantinedRow>(
    "kernel_quarantine", key: \.id,
    columns: Column("id", \.id), Column("domain", \.domain), Column("account", \.account),
    Column("entity", \.entity), Column("content", \.content), Column("reason", \.reason), Column("at", \.at),
    indexes: [Index(\.domain)],
    make: QuarantinedRow.init)
}
