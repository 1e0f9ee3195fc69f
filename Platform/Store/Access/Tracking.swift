// What of a write enters the outbox: nothing but what differs, for the server, from what was there.

/// A tracked row as it was before a transaction deleted it, so that writing the same again changes nothing.
struct DeletedRow {
  let values: [StoredValue]
  /// What waited to be pushed of it: operation, base and number.
  let entry: [StoredValue]?

  /// Whether no server had it.
  var wasNew: Bool { entry?[1] == BaseRevision.absent.stored.stored }
}

extension Transaction {
  func isTracking<R: Record>(_ table: Table<R>) -> Bool {
    table.parts.isTracked && access.session.origin == .local
  }

  /// Whether the row that is about to be written travels as it is; false where there is none. Where every row
  /// does, nobody needs to know.
  func travels<R: Record>(_ record: R) throws -> Bool where R.Scope == Scope {
    let table = R.table
    guard isTracking(table), case .rows(let condition) = table.tracking else { return false }
    return try find(R.self, table.key(of: record)).map(condition) ?? false
  }

  /// - Parameter travelled: whether the row travelled before it was written.
  func track<R: Record>(_ record: R, isNew: Bool, travelled: Bool) throws {
    let table = R.table
    guard isTracking(table) else { return }
    let key = table.key(of: record)
    let deleted = access.session.deletedRows.isEmpty ? nil : access.session.deletedRows[name(R.self, key)]
    if let deleted, try deleted.values == table.storedValues(record) {
      try restore(deleted.entry, R.self, key)
    } else if table.tracking.covers(record) {
      var wasLocal = false
      if case .rows = table.tracking { wasLocal = !isNew && !travelled }
      try enqueuePut(R.self, key, isNew: isNew && deleted?.wasNew ?? true, wasLocal: wasLocal)
    } else if travelled {
      // It stays here, and goes from the server.
      try enqueueDelete(R.self, key)
    }
  }

  func trackDelete<R: Record>(_ old: R) throws {
    let key = R.table.key(of: old)
    let name = name(R.self, key)
    if access.session.deletedRows[name] == nil {
      access.session.deletedRows[name] = DeletedRow(
        values: try R.table.storedValues(old), entry: try entry(R.self, key))
    }
    if R.table.tracking.covers(old) { try enqueueDelete(R.self, key) }
  }

  private func name<R: Record>(_ type: R.Type, _ key: R.Key) -> RowName {
    RowName(table: R.table.name, account: access.account, key: key.stored)
  }

  private func entry<R: Record>(_ type: R.Type, _ key: R.Key) throws -> [StoredValue]? {
    var entry: [StoredValue]?
    try access.session.connection.run(
      """
      SELECT operation, base, sequence FROM store_outbox
      WHERE account_key = ? AND table_name = ? AND record_key = ?
      """
    ) {
      try access.bindName(R.table.name, key.stored.keyText, $0)
    } row: { row in
      entry = try (0..<3).map { try row.stored($0) }
      return false
    }
    return entry
  }

  private func restore<R: Record>(_ entry: [StoredValue]?, _ type: R.Type, _ key: R.Key) throws {
    guard let entry else { return try dequeue(R.self, key) }
    try access.session.connection.run(
      """
      INSERT INTO store_outbox (account_key, table_name, record_key, operation, base, sequence)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (account_key, table_name, record_key)
      DO UPDATE SET operation = excluded.operation, base = excluded.base, sequence = excluded.sequence
      """
    ) { binder in
      try access.bindName(R.table.name, key.stored.keyText, binder)
      for (index, value) in entry.enumerated() { try binder.bind(value, Int32(index + 4)) }
    }
  }
}
