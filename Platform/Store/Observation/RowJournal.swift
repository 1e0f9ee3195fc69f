/// What a transaction changes, row by row; kept only while somebody listens to change sets.
///
/// Each row is read before its first change and once more before the commit. So the answer is what the
/// transaction did in all, whatever the steps were, and a row that is as it was before isn't in it.
struct RowJournal {
  private var before: [RowName: [StoredValue]?] = [:]
  private var order: [RowName] = []
  private var statements: [String: (find: String, width: Int32)] = [:]

  /// Notes a row that the next statement may change.
  mutating func willChange(
    _ table: TableDeclaration, _ account: Int64?, _ key: StoredValue, on connection: Connection
  )
    throws
  {
    let row = RowName(table: table.name, account: account, key: key)
    guard before[row] == nil else { return }
    if statements[table.name] == nil {
      statements[table.name] = (TableSQL(table).find, Int32(table.columns.count))
    }
    before[row] = .some(try stored(row, on: connection))
    order.append(row)
  }

  /// Notes every row that a handle reaches of a table.
  mutating func willEmpty(_ table: TableDeclaration, _ account: Int64?, on connection: Connection) throws {
    var keys: [StoredValue] = []
    let sql = "SELECT \(quoted(table.key.name)) FROM \(quoted(table.name))"
    try connection.run(account == nil ? sql : sql + " WHERE \(quoted(TableDeclaration.accountColumn)) = ?") {
      if let account { try $0.bind(account, 1) }
    } row: { row in
      keys.append(try row.stored(0))
      return true
    }
    for key in keys { try willChange(table, account, key, on: connection) }
  }

  /// What became of the rows.
  func changes(on connection: Connection) throws -> [ChangedRow] {
    var changes: [ChangedRow] = []
    for row in order {
      let after = try stored(row, on: connection)
      switch (before[row] ?? nil, after) {
      case (nil, nil): break
      case (nil, _?): changes.append(ChangedRow(row: row, kind: .inserted))
      case (_?, nil): changes.append(ChangedRow(row: row, kind: .deleted))
      case (let before?, let after?):
        if before != after { changes.append(ChangedRow(row: row, kind: .updated)) }
      }
    }
    return changes
  }

  private func stored(_ row: RowName, on connection: Connection) throws -> [StoredValue]? {
    guard let (sql, width) = statements[row.table] else { return nil }
    var values: [StoredValue]?
    try connection.run(sql) { binder in
      if let account = row.account { try binder.bind(account, 1) }
      try binder.bind(row.key, row.account == nil ? 1 : 2)
    } row: { found in
      values = try (0..<width).map { try found.stored($0) }
      return false
    }
    return values
  }
}
