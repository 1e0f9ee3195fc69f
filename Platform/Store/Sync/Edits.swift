/// How many rows people have changed: what would be lost with the store.
enum Edits {
  static let schema = SchemaObject(
    name: "store_edits",
    sql: """
      CREATE TABLE "store_edits" ("id" INTEGER PRIMARY KEY CHECK ("id" = 1), "count" INTEGER NOT NULL) STRICT
      """)

  /// What a store of an earlier build begins with. There they were numbered together with what the crossing put into
  /// the outbox: that may be too many, and is never too few.
  static let fill = "INSERT INTO store_edits (id, count) SELECT id, last FROM store_sequence"

  fileprivate static let add = FixedSQL(
    """
    INSERT INTO store_edits (id, count) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET count = count + excluded.count
    """)
}

extension Session {
  /// Counts rows that were changed, where a person changes them.
  func countEdits(_ rows: Int = 1) { if origin == .local { edits += Int64(rows) } }

  func saveEdits() throws {
    guard edits > 0 else { return }
    try connection.run(Edits.add) { try $0.bind(edits, 1) }
  }
}

extension Reading where Self: ~Copyable, Scope == DeviceScope {
  /// How many changes of rows people have made in this store, in every table that counts them and every account. A row
  /// that was changed twice counts twice, also where the second change undid the first.
  public func localEdits() throws -> Int64 {
    try access.session.connection.integer("SELECT count FROM store_edits") ?? 0
  }
}
