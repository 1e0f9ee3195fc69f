import FerryKernel
import FerryStore

extension Ferry {
  /// The legacy files without those of accounts that were removed: what was purged doesn't cross again. All of them
  /// where there is no store.
  public func remainingSource() throws -> any LegacySource {
    try openStoreIfPresent().map(remainingSource) ?? source
  }

  func remainingSource(in store: Store) throws -> any LegacySource {
    let removed = try removedAccounts(in: store)
    return removed.isEmpty ? source : RemainingAccounts(base: source, removed: removed)
  }

  /// Accounts of ferry.yaml that were removed: a finished step covers them, and the store doesn't have them.
  public func removedAccounts(in store: Store) throws -> [AccountID] {
    let (journal, accounts) = try store.device.blockingRead { snapshot in
      (try snapshot.fetch(JournalEntry.all), try snapshot.accounts().map(\.id))
    }
    let crossed = Set(journal.filter { $0.phase == .done }.flatMap(\.accounts).map { Array($0.utf8) })
    return source.accounts.filter { account in
      crossed.contains(Array(account.description.utf8)) && !accounts.contains(account)
    }
  }
}

/// A source that leaves some accounts out.
private struct RemainingAccounts: LegacySource {
  let base: any LegacySource
  let removed: [AccountID]

  var accounts: [AccountID] { base.accounts.filter { !removed.contains($0) } }
  func path(of account: AccountID) throws -> String { try base.path(of: account) }
  func manifest(of account: AccountID) throws -> LegacyManifest { try base.manifest(of: account) }
  func stamp(of account: AccountID) throws -> String? { try base.stamp(of: account) }
  func classes(of account: AccountID) throws -> [LegacyClass] { try base.classes(of: account) }
  func rowCount(of className: String, account: AccountID) throws -> Int64 {
    try base.rowCount(of: className, account: account)
  }
  func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    try base.forEachRow(of: className, account: account, properties: properties, after: position, body)
  }
  func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try base.row(of: className, account: account, at: position)
  }
  func refusal(of className: String, account: AccountID, value: (String) -> LegacyValue?) -> String? {
    base.refusal(of: className, account: account, value: value)
  }
}
