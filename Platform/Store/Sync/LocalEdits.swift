// How many rows people have changed, by table: what a rollback to before the store would lose. A row that was
// changed twice counts twice; what a server or a crossing writes doesn't count.

enum LocalEdits {
  static let schema = SchemaObject(
    name: "store_edits",
    sql: """
      CREATE TABLE "store_edits" ("table_name" TEXT NOT NULL PRIMARY KEY, "rows" INTEGER NOT NULL) STRICT, \
      WITHOUT ROWID
      """)
}

extension Session {
  /// Adds what this transaction has changed.
  func saveEdits() throws {
    for (table, rows) in edits {
      try connection.run(
        """
        INSERT INTO store_edits (table_name, rows) VALUES (?, ?)
        ON CONFLICT (table_name) DO UPDATE SET rows = rows + excluded.rows
        """
      ) { binder in
        try binder.bind(table, 1)
        try binder.bind(rows, 2)
      }
    }
  }
}

extension Reading where Self: ~Copyable, Scope == DeviceScope {
  /// How many row changes of local origin some tables have seen in all, in every account.
  public func localEdits(of tables: [String]) throws -> Int64 {
    var sum: Int64 = 0
    for table in tables {
      sum +=
        try access.session.connection.integer("SELECT rows FROM store_edits WHERE table_name = ?") {
          try $0.bind(table, 1)
        } ?? 0
    }
    return sum
  }
}
