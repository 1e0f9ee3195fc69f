import FerryStore

/// How far a domain has come. Each phase is written in the transaction that has its effect.
public enum Phase: String, ColumnValue, Comparable, CaseIterable {
  /// Nothing has been done.
  case waiting
  /// What must not be lost is in the backup.
  case backedUp
  /// The domain's tables are empty.
  case reset
  /// What the backup holds is in the tables.
  case restored
  /// What was left to the server came back, or is quarantined.
  case resynced
  /// Every legacy row is accounted for.
  case verified
  /// Over; the step is frozen.
  case done

  public static func < (left: Phase, right: Phase) -> Bool { left.order < right.order }
  private var order: Int { Phase.allCases.firstIndex(of: self) ?? 0 }
}

/// Why a domain stopped before it was done.
public enum Stop: String, ColumnValue {
  /// Something is wrong; reason and remedy say what.
  case failed
  /// The server can't be reached. Nothing is wrong here; the next run goes on.
  case network
}

/// What the journal says of one domain. It is kept per device, not per account (traps M3).
public struct JournalEntry: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = String
  public let domain: String
  /// The last phase that is over.
  public let phase: Phase
  /// The checksum of what the step means; an edit changes it.
  public let freeze: String
  /// Whose rows it covers, in the order in which they cross.
  public let accounts: [String]
  /// The SHA-256 of each account's legacy file; empty before there is a backup.
  public let digests: [String]
  /// The SHA-256 of the backup file; nil before there is one.
  public let backup: String?
  public let stop: Stop?
  public let reason: String?
  public let remedy: String?
  public let updatedAt: Timestamp

  public static let table = Table<JournalEntry>(
    "kernel_journal", key: \.domain,
    columns: Column("domain", \.domain), Column("phase", \.phase), Column("freeze", \.freeze),
    Column("accounts", json: \.accounts),
    Column("digests", json: \.digests),
    Column("backup", \.backup), Column("stop", \.stop), Column("reason", \.reason),
    Column("remedy", \.remedy),
    Column("updated_at", \.updatedAt),
    make: JournalEntry.init)

  func stopped(_ stop: Stop, reason: String, remedy: String, at time: Timestamp) -> JournalEntry {
    JournalEntry(
      domain: domain, phase: phase, freeze: freeze, accounts: accounts, digests: digests, backup: backup,
      stop: stop,
      reason: reason,
      remedy: remedy,
      updatedAt: time)
  }

  func reached(_ phase: Phase, digests: [String]? = nil, backup: String? = nil, at time: Timestamp)
    -> JournalEntry
  {
    JournalEntry(
      domain: domain, phase: phase, freeze: freeze, accounts: accounts, digests: digests ?? self.digests,
      backup: backup ?? self.backup,
      stop: nil, reason: nil,
      remedy: nil, updatedAt: time)
  }
}

extension Collection where Element == JournalEntry {
  /// The entries of the domains that are over.
  var done: [JournalEntry] { filter { $0.phase == .done } }

  /// Whether a domain is over.
  public func isDone(_ domain: String) -> Bool { contains { $0.domain == domain && $0.phase == .done } }
}

/// The kernel's tables.
public enum Journal {
  public static let schema = Schema(
    owner: "kernel",
    tables: [
      JournalEntry.table.declaration, Tally.table.declaration, QuarantinedRow.table.declaration,
      ClassDigest.table.declaration, PhaseTime.table.declaration, Retirement.table.declaration,
    ],
    changes: [
      .addColumn("deletes", to: Tally.table.name, filledWith: .integer(0)),
      .createTable(ClassDigest.table.name), .createTable(PhaseTime.table.name),
      .createTable(Retirement.table.name), .rebuild(Retirement.withEdits),
    ])
}
