import FerryKernel
import FerryStore

extension Ferry {
  /// The legacy files without those of accounts that were removed: what was purged doesn't cross again. All of them
  /// where there is no store.
  public func remainingSource() throws -> any LegacySource {
    try openStoreIfPresent().map(remainingSource) ?? source
  }

  func remainingSource(in store: Store) throws -> any LegacySource {
    remainingSource(without: try removedAccounts(in: store))
  }

  func remainingSource(without removed: [AccountID]) -> any LegacySource {
    removed.isEmpty ? source : RemainingAccounts(of: source, without: removed)
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
