extension Transaction {
  /// Deletes the record with this key, if there is one.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, _ key: R.Key) throws -> WriteCounts where R.Scope == Scope {
    try delete(R.self, [key])
  }

  /// Deletes the records with these keys, those that there are.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, _ keys: [R.Key]) throws -> WriteCounts
  where R.Scope == Scope {
    let table = R.table
    try access.session.checkWrite(table.declaration)
    var counts = WriteCounts()
    for key in keys {
      try access.session.checkCancellation()
      // Whether a delete must travel is for the row to say, so it is read before it goes.
      let old = isTracking(table) ? try find(R.self, key) : nil
      if access.session.isListening {
        try access.session.willChange(table.declaration, access.account, key.stored)
      }
      try access.session.connection.run(table.parts.delete) { try access.bindKey(key, of: R.self, $0) }
      guard access.session.connection.changes > 0 else { continue }
      counts.deleted += 1
      if table.parts.hasSides { try access.beside(table.declaration).delete(key.stored) }
      if let old { try trackDelete(old) }
      if table.parts.countsEdits { access.session.countEdits() }
    }
    return counts
  }

  /// Deletes the records that a query finds; its order and limit count.
  @discardableResult
  public func delete<R: Record>(_ query: Query<R>) throws -> WriteCounts where R.Scope == Scope {
    try access.session.checkWrite(R.table.declaration)
    return try delete(R.self, keys(of: query))
  }

  /// Empties this handle's part of a table. It is for a crossing that starts a domain anew: nothing enters
  /// the outbox.
  @discardableResult
  public func deleteAll<R: Record>(_ type: R.Type) throws -> WriteCounts where R.Scope == Scope {
    try deleteAll(of: R.table.declaration)
  }

  /// The same for a table whose record type isn't known.
  @discardableResult
  public func deleteAll(of table: TableDeclaration) throws -> WriteCounts {
    guard table.hasAccount == Scope.hasAccount else { throw StoreError.unknownTable(table.name) }
    try access.session.checkWrite(table)
    try access.session.willEmpty(table, access.account)
    try access.session.connection.run(TableSQL(table).deleteAll) { binder in
      if let account = access.account { try binder.bind(account, 1) }
    }
    let count = access.session.connection.changes
    access.session.countEdits(count)
    try access.beside(table).deleteAll()
    return WriteCounts(deleted: count)
  }

  /// The keys of the records that a query finds, in its order.
  func keys<R: Record>(of query: Query<R>) throws -> [R.Key] where R.Scope == Scope {
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select([.node(.column(.root, R.table.declaration.keyIndex))], query)
    }
    var keys: [R.Key] = []
    try access.session.connection.run(select.sql) {
      try $0.bind(all: select.parameters)
    } row: { row in
      keys.append(try R.Key.read(row, 0))
      return true
    }
    return keys
  }
}
