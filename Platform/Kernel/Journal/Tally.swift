import FerryStore

/// What became of the rows of one entity of one account (traps M5):
/// read = written + merged + quarantined + left to the server + discarded.
public struct Tally: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = String
  /// `domain/account/entity`.
  public let id: String
  public let domain: String
  public let account: String
  public let entity: String
  /// Rows of the legacy class.
  public var read: Int64 = 0
  /// Rows now in the entity's table, or whose deletion is in the outbox.
  public var written: Int64 = 0
  /// Rows whose key and content another row had already.
  public var merged: Int64 = 0
  /// Rows kept aside, whole, with the reason.
  public var quarantined: Int64 = 0
  /// Rows that came, or will come, from the server.
  public var left: Int64 = 0
  /// Rows that the strategy drops.
  public var discarded: Int64 = 0
  /// Records that the server sent. They are no legacy rows and so no part of the sum.
  public var resynced: Int64 = 0
  /// Times that were beyond the range and became its nearest end.
  public var clamped: Int64 = 0
  /// Of those written, the rows whose deletion waits to be pushed; they are in no table.
  public var deletes: Int64 = 0
  /// How far the restoring has come in the class; nil before its first page.
  public var position: Int64?
  /// How far the looking-up of what was left has come.
  public var checked: Int64?

  public init(domain: String, account: AccountID, entity: String) {
    id = "\(domain)/\(account)/\(entity)"
    self.domain = domain
    self.account = account.description
    self.entity = entity
  }

  private init(
    id: String, domain: String, account: String, entity: String, read: Int64, written: Int64, merged: Int64,
    quarantined: Int64, left: Int64, discarded: Int64, resynced: Int64, clamped: Int64, position: Int64?,
    checked: Int64?, deletes: Int64
  ) {
    (self.id, self.domain, self.account, self.entity) = (id, domain, account, entity)
    (self.read, self.written, self.merged, self.quarantined) = (read, written, merged, quarantined)
    (self.left, self.discarded, self.resynced, self.clamped) = (left, discarded, resynced, clamped)
    (self.position, self.checked, self.deletes) = (position, checked, deletes)
  }

  public static let table = Table<Tally>(
    "kernel_tally", key: \.id,
    columns: Column("id", \.id), Column("domain", \.domain), Column("account", \.account),
    Column("entity", \.entity), Column("read", \.read), Column("written", \.written),
    Column("merged", \.merged),
    Column("quarantined", \.quarantined), Column("left_to_server", \.left), Column("discarded", \.discarded),
    Column("resynced", \.resynced), Column("clamped", \.clamped), Column("position", \.position),
    Column("checked", \.checked), Column("deletes", \.deletes), indexes: [Index(\.domain)],
    make: Tally.init)

  /// The rows that have an outcome.
  public var accounted: Int64 { written + merged + quarantined + left + discarded }

  /// Adds the other's numbers, for a total.
  static func += (total: inout Tally, other: Tally) {
    total.read += other.read
    total.written += other.written
    total.merged += other.merged
    total.quarantined += other.quarantined
    total.left += other.left
    total.discarded += other.discarded
    total.resynced += other.resynced
    total.clamped += other.clamped
    total.deletes += other.deletes
  }
}

extension Collection where Element == Tally {
  /// All numbers together, under the names of the first one; nil where there is none.
  public var total: Tally? {
    guard var total = first else { return nil }
    for tally in dropFirst() { total += tally }
    return total
  }
}
