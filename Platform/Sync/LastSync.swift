import FerryKernel
import FerryStore

/// When an account was last synced, for a person who asks.
public struct LastSync: Record, Equatable {
  public typealias Key = String
  /// Always `last`: it is one row an account.
  public let id: String
  /// When the last run ended, however it went.
  public let at: Timestamp
  /// When the last run ended in which no feed of the account failed; nil: none did.
  public let succeededAt: Timestamp?
  /// Why it failed, in one sentence; nil where it didn't.
  public let failure: String?

  public static let table = Table<LastSync>(
    "sync_last", key: \.id,
    columns: Column("id", \.id), Column("at", \.at), Column("succeeded_at", \.succeededAt),
    Column("failure", \.failure), make: LastSync.init(id:at:succeededAt:failure:))

  static let key = "last"

  /// The last sync of an account; nil where there was none, and in a store that an earlier build made.
  public static func find(_ account: AccountStore) throws -> LastSync? {
    guard account.store.has(table.declaration) else { return nil }
    return try account.blockingRead { try $0.find(LastSync.self, key) }
  }

  /// When the account was last in step with its server; nil where it never was.
  public static func success(in account: borrowing Snapshot<AccountScope>) throws -> Timestamp? {
    try account.find(LastSync.self, key)?.succeededAt
  }

  /// Notes a run for each account that it was about.
  ///
  /// - Parameter failures: of what else was done with the accounts' servers, such as sending files.
  public static func note(
    _ report: SyncReport, _ failures: [(account: AccountID, reason: String)] = [], in store: Store,
    at time: Timestamp
  ) throws {
    for account in Set(report.units.map(\.account)) {
      let units = report.units.filter { $0.account == account }
      // A run that was told to wait has asked nobody.
      if units.contains(where: { if case .postponed = $0.outcome { true } else { false } }) { continue }
      var failure: String?
      for case .failed(let first) in units.map(\.outcome) where failure == nil { failure = first.reason }
      if failure == nil, units.contains(where: { $0.counts.push.unsure > 0 }) {
        failure = "The server gave no answer to some of what was sent."
      }
      let reason = failure ?? failures.first { $0.account == account }?.reason
      try store.account(account).blockingWrite(origin: .system) { transaction in
        let was = try transaction.find(LastSync.self, key)
        try transaction.upsert(
          LastSync(id: key, at: time, succeededAt: reason == nil ? time : was?.succeededAt, failure: reason)
        )
      }
    }
  }
}
