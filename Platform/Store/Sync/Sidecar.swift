/// What the server last said of a row: kept beside the records, which know nothing of it.
public struct RemoteState: Sendable, Equatable {
  /// The server's revision of the record.
  public let revision: Int64
  /// The record as the server sent it; nil for a tombstone.
  public let json: String?

  /// - Parameter json: nil for a tombstone.
  public init(revision: Int64, json: String?) {
    self.revision = revision
    self.json = json
  }
}

enum Sidecar {
  static let schema = SchemaObject(
    name: "store_sidecar",
    sql: """
      CREATE TABLE "store_sidecar" ("account_key" INTEGER NOT NULL, "table_name" TEXT NOT NULL, \
      "record_key" TEXT NOT NULL, "revision" INTEGER NOT NULL, "json" TEXT, \
      PRIMARY KEY ("account_key", "table_name", "record_key")) STRICT, WITHOUT ROWID
      """)
}

extension Access {
  func remoteState(_ table: String, _ key: String) throws -> RemoteState? {
    var state: RemoteState?
    try session.connection.run(
      "SELECT revision, json FROM store_sidecar WHERE account_key = ? AND table_name = ? AND record_key = ?"
    ) {
      try bindName(table, key, $0)
    } row: { row in
      state = RemoteState(revision: try row.integer(0), json: row.isNull(1) ? nil : try row.text(1))
      return false
    }
    return state
  }

  func setRemoteState(_ state: RemoteState, _ table: String, _ key: String) throws {
    try session.connection.run(
      """
      INSERT INTO store_sidecar (account_key, table_name, record_key, revision, json) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account_key, table_name, record_key)
      DO UPDATE SET revision = excluded.revision, json = excluded.json
      """
    ) { binder in
      try bindName(table, key, binder)
      try binder.bind(state.revision, 4)
      try state.json.bind(binder, 5)
    }
  }
}

extension Reading where Self: ~Copyable, Scope == AccountScope {
  /// What the server last said of the row with this key; nil where it never spoke of it.
  public func remoteState<R: Record>(of type: R.Type, _ key: R.Key) throws -> RemoteState? {
    try access.remoteState(R.table.name, key.stored.keyText)
  }
}

extension Transaction where Scope == AccountScope {
  /// Writes down what the server said of the row with this key.
  public func setRemoteState<R: Record>(_ state: RemoteState, of type: R.Type, _ key: R.Key) throws {
    try setRemoteState(state, of: R.table.declaration, key.stored.keyText)
  }

  /// Forgets what the server said of a table's rows, and what waits to be pushed of them: part of emptying
  /// a domain before it crosses.
  public func forgetRemoteState(of table: TableDeclaration) throws {
    try access.session.checkWrite(table)
    for name in ["store_sidecar", "store_outbox"] {
      try access.session.connection.run("DELETE FROM \(name) WHERE account_key = ? AND table_name = ?") {
        binder in
        try binder.bind(access.account ?? 0, 1)
        try binder.bind(table.name, 2)
      }
    }
  }
}
