// Reading a table whose record type isn't known: what a tool shows from metadata alone.

extension Reading where Self: ~Copyable {
  /// The rows of a table as they are stored, by key, after the row with the key `after`.
  ///
  /// - Throws: `StoreError.unknownTable` also for a table of another scope than this handle's.
  public func rows(of table: TableDeclaration, after: StoredValue? = nil, limit: Int) throws
    -> [[StoredValue]]
  {
    var parameters: [StoredValue] = []
    var conditions = try accountCondition(table, &parameters)
    if let after {
      conditions.append("\(quoted(table.key.name)) > ?")
      parameters.append(after)
    }
    parameters.append(.integer(Int64(Swift.max(0, limit))))
    return try rows(
      table, filter(conditions) + " ORDER BY \(quoted(table.key.name)) LIMIT ?", parameters)
  }

  /// The row with this key, as it is stored.
  public func row(of table: TableDeclaration, key: StoredValue) throws -> [StoredValue]? {
    var parameters: [StoredValue] = []
    let conditions = try accountCondition(table, &parameters) + ["\(quoted(table.key.name)) = ?"]
    return try rows(table, filter(conditions), parameters + [key]).first
  }

  /// How many rows a table has.
  public func count(of table: TableDeclaration) throws -> Int {
    var parameters: [StoredValue] = []
    let conditions = try accountCondition(table, &parameters)
    let sql = "SELECT count(*) FROM \(quoted(table.name))" + filter(conditions)
    let count = try access.session.connection.integer(sql) { try $0.bind(all: parameters) }
    return Int(count ?? 0)
  }

  /// How many rows of a table have a soft reference, in this column, to a row that isn't there.
  public func orphanCount(of table: TableDeclaration, column: ColumnDeclaration) throws -> Int {
    guard let target = column.references else { return 0 }
    var parameters: [StoredValue] = []
    let conditions = try accountCondition(table, &parameters)
    try access.session.check(table)
    guard access.session.tables.contains(target.name) else { return 0 }
    let account = quoted(TableDeclaration.accountColumn)
    // Under a name that no table of a domain can have.
    let other = quoted("store_target")
    let sameAccount =
      table.hasAccount && target.hasAccount
      ? " AND \(other).\(account) = \(quoted(table.name)).\(account)" : ""
    let dangling =
      "\(quoted(column.name)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(target.name)) \(other) WHERE "
      + "\(other).\(quoted(target.key.name)) = \(quoted(table.name)).\(quoted(column.name))\(sameAccount))"
    let sql = "SELECT count(*) FROM \(quoted(table.name))" + filter(conditions + [dangling])
    let count = try access.session.connection.integer(sql) { try $0.bind(all: parameters) }
    return Int(count ?? 0)
  }

  private func rows(_ table: TableDeclaration, _ rest: String, _ parameters: [StoredValue]) throws
    -> [[StoredValue]]
  {
    let columns = table.columns.map { quoted($0.name) }.joined(separator: ", ")
    var rows: [[StoredValue]] = []
    try access.session.connection.run("SELECT \(columns) FROM \(quoted(table.name))\(rest)") {
      try $0.bind(all: parameters)
    } row: { row in
      rows.append(try table.columns.indices.map { try row.stored(Int32($0)) })
      return true
    }
    return rows
  }

  private func accountCondition(_ table: TableDeclaration, _ parameters: inout [StoredValue]) throws
    -> [String]
  {
    guard table.hasAccount == Scope.hasAccount else { throw StoreError.unknownTable(table.name) }
    try access.session.check(table)
    guard let account = access.account else { return [] }
    parameters.append(.integer(account))
    return ["\(quoted(TableDeclaration.accountColumn)) = ?"]
  }
}

private func filter(_ conditions: [String]) -> String {
  conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
}
