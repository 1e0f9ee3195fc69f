extension Transaction {
  /// Inserts records whose keys are new.
  ///
  /// - Throws: `StoreError.duplicateKey` where a key exists. Let it end the transaction: the records before
  ///   that one are already in it.
  @discardableResult
  public func insert<R: Record>(_ records: [R]) throws -> WriteCounts where R.Scope == Scope {
    let table = R.table
    try access.session.checkWrite(table.declaration)
    try forEach(records) { record in
      try willChange(record)
      do {
        try run(table.parts.insert, record)
      } catch StoreError.sqlite(let code, _, _) where code == 1555 || code == 2067 {
        // SQLITE_CONSTRAINT_PRIMARYKEY and _UNIQUE
        throw StoreError.duplicateKey(table: table.name, key: table.key(of: record).stored.keyText)
      }
      try didWrite(record, isNew: true)
    }
    return WriteCounts(inserted: records.count)
  }

  /// Inserts a record whose key is new.
  ///
  /// - Throws: `StoreError.duplicateKey` where the key exists.
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
    try forEach(records) { record in
      try willChange(record)
      let travelled = try travels(record)
      // An update leaves the last inserted rowid as it was. The mark is one that this row can't have: rowids
      // that SQLite gives start at 1, and an integer key may be a rowid.
      let isZero = table.parts.hasIntegerKey && table.key(of: record).stored == .integer(0)
      let mark: Int64 = isZero ? -1 : 0
      connection.markLastInsert(mark)
      try run(table.parts.upsert, record)
      if connection.lastInsert != mark {
        counts.inserted += 1
        try didWrite(record, isNew: true)
      } else if connection.changes > 0 {
        counts.updated += 1
        try didWrite(record, isNew: false, travelled: travelled)
      } else {
        counts.unchanged += 1
      }
    }
    return counts
  }

  /// Inserts a record, or updates the row that has its key where it differs.
  @discardableResult
  public func upsert<R: Record>(_ record: R) throws -> WriteCounts where R.Scope == Scope {
    try upsert([record])
  }

  /// Updates the rows that have the records' keys; one that is the same already isn't touched.
  ///
  /// - Throws: `StoreError.noSuchRow` where there is none. Let it end the transaction: the records before that
  ///   one are already in it.
  @discardableResult
  public func update<R: Record>(_ records: [R]) throws -> WriteCounts where R.Scope == Scope {
    let table = R.table
    try access.session.checkWrite(table.declaration)
    var counts = WriteCounts()
    try forEach(records) { record in
      let key = table.key(of: record)
      try willChange(record)
      let travelled = try travels(record)
      try run(table.parts.update, record)
      if access.session.connection.changes > 0 {
        counts.updated += 1
        try didWrite(record, isNew: false, travelled: travelled)
      } else if try hasRow(R.self, key) {
        counts.unchanged += 1
      } else {
        throw StoreError.noSuchRow(table: table.name, key: key.stored.keyText)
      }
    }
    return counts
  }

  /// Updates the row that has the record's key, where it differs.
  ///
  /// - Throws: `StoreError.noSuchRow` where there is none.
  @discardableResult
  public func update<R: Record>(_ record: R) throws -> WriteCounts where R.Scope == Scope {
    try update([record])
  }

  /// Changes each record that a query finds; one that is the same afterwards isn't touched.
  ///
  ///     try transaction.update(Item.where { $0.folder == inbox }) { $0.isRead = true }
  ///
  /// Which ones they are is settled before the first changes; the query's order and limit count.
  ///
  /// - Throws: `StoreError.changedKey` where `change` gives a record another key; what `change` throws.
  @discardableResult
  public func update<R: Record>(_ query: Query<R>, _ change: (inout R) throws -> Void) throws -> WriteCounts
  where R.Scope == Scope {
    let table = R.table
    try access.session.checkWrite(table.declaration)
    var counts = WriteCounts()
    for key in try keys(of: query) {
      // Gone by now only where `change` itself deleted it.
      guard var record = try find(R.self, key) else { continue }
      try change(&record)
      guard table.key(of: record).stored == key.stored else {
        throw StoreError.changedKey(table: table.name, key: key.stored.keyText)
      }
      counts += try update(record)
    }
    return counts
  }

  /// Lends each record where it is, without a copy.
  private func forEach<R: Record>(_ records: [R], _ body: (R) throws -> Void) throws {
    try records.withUnsafeBufferPointer { records in
      for index in records.indices { try body(records[index]) }
    }
  }

  private func run<R: Record>(_ sql: FixedSQL, _ record: R) throws {
    let access = access
    try access.session.checkCancellation()
    let table = R.table.parts
    try withUnsafePointer(to: record) { record in
      try access.session.connection.run(sql) { binder in
        if let account = access.account { try binder.bind(account, 1) }
        try table.bind(record, binder, access.account == nil ? 1 : 2)
      }
    }
  }

  private func hasRow<R: Record>(_ type: R.Type, _ key: R.Key) throws -> Bool {
    var isThere = false
    try access.session.connection.run(R.table.parts.find) { binder in
      try access.bindKey(key, of: R.self, binder)
    } row: { _ in
      isThere = true
      return false
    }
    return isThere
  }

  private func willChange<R: Record>(_ record: R) throws {
    guard access.session.isListening else { return }
    let table = R.table
    try access.session.willChange(table.declaration, access.account, table.key(of: record).stored)
  }

  /// What comes with a row that was written.
  private func didWrite<R: Record>(_ record: R, isNew: Bool, travelled: Bool = false) throws {
    let table = R.table
    if table.parts.hasSides {
      try access.beside(table.declaration).write(table.key(of: record).stored, isNew: isNew) {
        index throws(StoreError) in try table.storedOf[index](record)
      }
    }
    try track(record, isNew: isNew, travelled: travelled)
    if table.parts.countsEdits { access.session.countEdits() }
  }
}

extension Access {
  /// What the store keeps beside a table's rows, within this handle's reach.
  func beside(_ table: TableDeclaration) -> SideRows {
    SideRows(sides: table.sides, connection: session.connection, account: account)
  }
}
