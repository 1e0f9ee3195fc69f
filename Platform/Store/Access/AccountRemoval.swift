extension Transaction where Scope == DeviceScope {
  /// Ends the removal of an account that `beginRemoval(of:)` began: every row of it goes, for good.
  ///
  /// SQLite itself is asked which tables have rows of accounts, so that none is forgotten: those of domains, also of
  /// one that the store was opened without, and what is kept beside them, the outbox, cursors. Rows of the
  /// device that say in a column `account` whose they are go with them. Change sets don't name these rows; whoever
  /// observes a query sees its result without them.
  ///
  /// - Returns: how many rows went; nil where no removal of this account was begun.
  @discardableResult
  public func removeRows(of account: AccountID) throws -> Int? {
    let connection = access.session.connection
    let key = try connection.integer(
      """
      SELECT a.key FROM store_account a JOIN store_account_life l ON l.key = a.key
      WHERE a.server = ? AND a.user = ? AND l.state = 'removing'
      """
    ) { binder in
      try binder.bind(account.server, 1)
      try binder.bind(account.user, 2)
    }
    guard let key else { return nil }
    // Debian's SQLite does so unasked, others don't: what is deleted is overwritten.
    try connection.execute("PRAGMA secure_delete = ON")
    var count = 0
    let scoped = try tables(with: TableDeclaration.accountColumn)
    for table in scoped {
      // An index has no account: what says whose its texts are, has.
      if table.hasSuffix(SearchTables.documentsSuffix) {
        let index = quoted(String(table.dropLast(2)))
        let documents =
          "SELECT \"id\" FROM \(quoted(table)) WHERE \(quoted(TableDeclaration.accountColumn)) = ?"
        try connection.run("DELETE FROM \(index) WHERE rowid IN (\(documents))") { try $0.bind(key, 1) }
        // What was deleted stays readable in the index until its parts are merged.
        try connection.run("INSERT INTO \(index) (\(index)) VALUES ('optimize')")
      }
      let sql = "DELETE FROM \(quoted(table)) WHERE \(quoted(TableDeclaration.accountColumn)) = ?"
      try connection.run(sql) { try $0.bind(key, 1) }
      count += connection.changes
      try access.session.checkCancellation()
    }
    for table in try tables(with: "account") where !scoped.contains(table) {
      try connection.run("DELETE FROM \(quoted(table)) WHERE \"account\" = ?") {
        try $0.bind(account.description, 1)
      }
      count += connection.changes
    }
    try connection.run("DELETE FROM store_account WHERE key = ?") { try $0.bind(key, 1) }
    try AccountLife.set(.removed, of: key, on: connection)
    return count
  }

  /// The tables, of whomever, that have a column of this name.
  private func tables(with column: String) throws -> [String] {
    var tables: [String] = []
    try access.session.connection.run(
      """
      SELECT s.name FROM sqlite_schema s, pragma_table_info(s.name) c
      WHERE s.type = 'table' AND s.name NOT GLOB 'sqlite_*' AND c.name = ? ORDER BY s.name
      """
    ) {
      try $0.bind(column, 1)
    } row: { row in
      tables.append(try row.text(0))
      return true
    }
    return tables
  }
}
