/// A write transaction, lent to a writing closure: all of it commits when the closure returns, or none.
public struct Transaction<Scope: StoreScope>: ~Copyable, Reading {
  /// The way to the connection.
  public let access: Access
}

/// What a write did, in rows.
public struct WriteCounts: Sendable, Equatable {
  /// Rows that there weren't.
  public var inserted = 0
  /// Rows that were there, and differ now.
  public var updated = 0
  /// Already there, the same in every column: nothing was written.
  public var unchanged = 0
  /// Rows that there are no more.
  public var deleted = 0

  /// Counts as they are given, to compare with.
  public init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0) {
    (self.inserted, self.updated, self.unchanged, self.deleted) = (inserted, updated, unchanged, deleted)
  }

  /// Adds the counts of another write.
  public static func += (left: inout WriteCounts, right: WriteCounts) {
    left.inserted += right.inserted
    left.updated += right.updated
    left.unchanged += right.unchanged
    left.deleted += right.deleted
  }
}

extension Transaction where Scope == DeviceScope {
  /// Lends the same transaction to work on an account's records, so that they and the device's commit
  /// together.
  ///
  /// - Throws: `StoreError.unknownAccount` for a handle of another store; what `body` throws.
  @discardableResult
  public func `in`<Result>(
    _ account: AccountStore, _ body: (borrowing Transaction<AccountScope>) throws -> Result
  )
    throws -> Result
  {
    guard try Accounts.key(of: account.id, on: access.session.connection) == account.reach.account else {
      throw StoreError.unknownAccount(account.id)
    }
    let session = access.session
    return try account.lend(session) { try body(Transaction<AccountScope>(access: account.access(session))) }
  }
}

extension Transaction {
  /// Whether a table can be written to: its domain is on, and no crossing has shut it.
  public func canWrite<R: Record>(_ type: R.Type) throws -> Bool where R.Scope == Scope {
    do { try access.session.checkWrite(R.table.declaration) } catch StoreError.unknownTable {
      return false
    } catch StoreError.tableShut {
      return false
    }
    return true
  }
}
