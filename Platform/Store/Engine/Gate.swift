/// The gate: one row that every write reads inside its BEGIN IMMEDIATE, so that a crossing shuts out the
/// writers of other processes too. A killed crossing leaves it shut on purpose: half the data is no state
/// to write into.
enum Gate {
  enum State: Equatable {
    case open
    /// Shut for all writers, or only for those of some tables.
    case shut(reason: String, tables: Set<String>?)
  }

  static let schema = SchemaObject(
    name: "store_gate",
    sql: """
      CREATE TABLE "store_gate" ("id" INTEGER PRIMARY KEY CHECK ("id" = 1), "reason" TEXT NOT NULL, \
      "tables" TEXT) STRICT
      """)
}

extension Connection {
  /// Reads the gate's row into `gate`.
  func readGate() throws {
    var state = Gate.State.open
    try run(.readGate) { _ in
    } row: { row in
      let tables = row.isNull(1) ? nil : try row.text(1)
      state = .shut(
        reason: try row.text(0), tables: tables.map { Set($0.split(separator: " ").map(String.init)) })
      return false
    }
    gate = state
  }
}

extension Transaction where Scope == DeviceScope {
  /// Shuts writers out until `openGate()`, in this process and in others.
  ///
  /// - Parameters:
  ///   - reason: what a refused writer is told.
  ///   - tables: only writers of these; nil for all.
  public func shutGate(reason: String, tables: [String]? = nil) throws {
    try access.session.connection.run(
      """
      INSERT INTO store_gate (id, reason, tables) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET reason = excluded.reason, tables = excluded.tables
      """
    ) { binder in
      try binder.bind(reason, 1)
      try tables.map { $0.joined(separator: " ") }.bind(binder, 2)
    }
  }

  /// Lets writers in again.
  public func openGate() throws { try access.session.connection.run("DELETE FROM store_gate") }
}

extension Reading where Self: ~Copyable, Scope == DeviceScope {
  /// The tables whose writers are shut out, none where the gate is open; nil where all are.
  public func gateTables() throws -> Set<String>? {
    var tables: Set<String>? = []
    try access.session.connection.run("SELECT tables FROM store_gate") { _ in
    } row: { row in
      tables = row.isNull(0) ? nil : Set(try row.text(0).split(separator: " ").map(String.init))
      return false
    }
    return tables
  }

  /// Why writers are shut out of the whole store; nil when they aren't.
  public func gateReason() throws -> String? {
    try access.session.connection.text("SELECT reason FROM store_gate WHERE tables IS NULL")
  }
}
