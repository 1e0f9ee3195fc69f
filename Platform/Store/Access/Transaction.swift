/// A write transaction, lent to a writing closure: all of it commits when the closure returns, or none.
public struct Transaction<Scope: StoreScope>: ~Copyable, Reading {
  public let access: Access
}

/// What a write did, in rows.
public struct WriteCounts: Sendable, Equatable {
  public var inserted = 0
  public var updated = 0
  /// Already there, the same in every column: nothing was written.
  public var unchanged = 0
  public var deleted = 0

  public init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0) {
    (self.inserted, self.updated, self.unchanged, self.deleted) = (inserted, updated, unchanged, deleted)
  }

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
  /// Inserts records whose keys are new.
  ///
  /// - Throws: `StoreError.duplicateKey` where a key exists. Let it end the transaction: the records before
  ///   that one are already in it.
  @discardableResult
  public func insert<R: Record>(_ records: [R]) throws -> WriteCounts where R.Scope == Scope {
    let table = R.table
    try access.session.checkWrite(table.declaration)
    for record in records {
      try willChange(record)
      do {
        try run(table.sql.insert, record)
      } catch StoreError.sqlite(let code, _, _) where code == 1555 || code == 2067 {
        // SQLITE_CONSTRAINT_PRIMARYKEY and _UNIQUE
        throw StoreError.duplicateKey(table: table.name, key: table.key(of: record).stored.keyText)
      }
      try track(record, isNew: true)
    }
    return WriteCounts(inserted: records.count)
  }

  @discardableResult
  public func insert<R: Record>(_ record: R) throws -> WriteCounts where R.Scope == Scope {
    try insert([record])
  }

  /// Inserts each record, or updates the row that has its key; a row that is the same already isn't
  /// touched. Rows of other tables are never touched (traps K5).
  @discardableResult
  public func upsert<R: Record>(_ records: [R]) throws -> WriteCounts where R.Scope == Scope {
    let table = R.table
    try access.session.checkWrite(table.declaration)
    let connection = access.session.connection
    var counts = WriteCounts()
    for record in records {
      try willChange(record)
      // An update leaves the last inserted rowid as it was. The mark is one that this row can't have: rowids
      // that SQLite gives start at 1, and an integer key may be a rowid.
      let mark: Int64 = table.key(of: record).stored == .integer(0) ? -1 : 0
      connection.markLastInsert(mark)
      try run(table.sql.upsert, record)
      if connection.lastInsert != mark {
        counts.inserted += 1
        try track(record, isNew: true)
      } else if connection.changes > 0 {
        counts.updated += 1
        try track(record, isNew: false)
      } else {
        counts.unchanged += 1
      }
    }
    return counts
  }

  @discardableResult
  public func upsert<R: Record>(_ record: R) throws -> WriteCounts where R.Scope == Scope {
    try upsert([record])
  }

  /// Deletes the record with this key.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, _ key: R.Key) throws -> Bool where R.Scope == Scope {
    let table = R.table
    try access.session.checkWrite(table.declaration)
    // Whether a delete must travel is for the row to say, so it is read before it goes.
    let old = isTracking(table) ? try find(R.self, key) : nil
    if access.session.isListening {
      try access.session.willChange(table.declaration, access.account, key.stored)
    }
    try access.session.connection.run(table.sql.delete) { try access.bindKey(key, of: R.self, $0) }
    guard access.session.connection.changes > 0 else { return false }
    access.session.didChange(table.declaration)
    if let old, table.tracking.covers(old) { try enqueueDelete(R.self, key) }
    return true
  }

  /// Empties this handle's part of a table. It is for a crossing that starts a domain anew: nothing enters
  /// the outbox.
  ///
  /// - Returns: how many rows went.
  @discardableResult
  public func deleteAll<R: Record>(_ type: R.Type) throws -> Int where R.Scope == Scope {
    try deleteAll(of: R.table.declaration)
  }

  /// The same for a table whose record type isn't known.
  @discardableResult
  public func deleteAll(of table: TableDeclaration) throws -> Int {
    guard table.hasAccount == Scope.hasAccount else { throw StoreError.unknownTable(table.name) }
    try access.session.checkWrite(table)
    try access.session.willEmpty(table, access.account)
    try access.session.connection.run(TableSQL(table).deleteAll) { binder in
      if let account = access.account { try binder.bind(account, 1) }
    }
    access.session.didChange(table, rows: access.session.connection.changes)
    return access.session.connection.changes
  }

  private func run<R: Record>(_ sql: String, _ record: R) throws {
    try access.session.checkCancellation()
    try access.session.connection.run(sql) { binder in
      if let account = access.account { try binder.bind(account, 1) }
      try R.table.bind(record, binder, access.account == nil ? 1 : 2)
    }
  }

  private func willChange<R: Record>(_ record: R) throws {
    guard access.session.isListening else { return }
    let table = R.table
    try access.session.willChange(table.declaration, access.account, table.key(of: record).stored)
  }

  private func isTracking<R: Record>(_ table: Table<R>) -> Bool {
    access.session.origin == .local && table.declaration.isTracked
  }

  private func track<R: Record>(_ record: R, isNew: Bool) throws {
    let table = R.table
    access.session.didChange(table.declaration)
    guard isTracking(table), table.tracking.covers(record) else { return }
    try enqueuePut(R.self, table.key(of: record), isNew: isNew)
  }
}
