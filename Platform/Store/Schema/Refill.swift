/// Tables that an account is to fetch whole again, since a schema change emptied them.
enum Refill {
  static let schema = SchemaObject(
    name: "store_refill",
    sql: """
      CREATE TABLE "store_refill" ("account_key" INTEGER NOT NULL, "table_name" TEXT NOT NULL, \
      PRIMARY KEY ("account_key", "table_name")) STRICT, WITHOUT ROWID
      """)

  /// Marks a table for every account that there is.
  static func mark(_ table: String) -> SchemaStep {
    .run(
      """
      INSERT INTO store_refill (account_key, table_name) SELECT key, ? FROM store_account WHERE true
      ON CONFLICT (account_key, table_name) DO NOTHING
      """, [.text(table)])
  }
}

extension Reading where Self: ~Copyable, Scope == AccountScope {
  /// The tables that a schema change emptied and that this account hasn't fetched again.
  public func tablesToRefill() throws -> Set<String> {
    var tables: Set<String> = []
    try access.session.connection.run("SELECT table_name FROM store_refill WHERE account_key = ?") {
      try $0.bind(access.account ?? 0, 1)
    } row: { row in
      tables.insert(try row.text(0))
      return true
    }
    return tables
  }
}

extension Transaction where Scope == AccountScope {
  /// Notes that this account has fetched a table whole.
  public func didRefill(_ table: TableDeclaration) throws {
    try access.session.checkWrite(table)
    try access.session.connection.run("DELETE FROM store_refill WHERE account_key = ? AND table_name = ?") {
      binder in
      try binder.bind(access.account ?? 0, 1)
      try binder.bind(table.name, 2)
    }
  }
}
