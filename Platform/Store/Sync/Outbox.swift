/// A local change that a server hasn't confirmed: the store itself writes it down, in the transaction that
/// made the change, so that no caller can forget to.
public struct OutboxEntry: Sendable, Equatable {
  /// What the server is to do.
  public enum Operation: String, Sendable { case put, delete }

  /// The table's name in the schema.
  public let table: String
  /// The record's key, in text form.
  public let key: String
  /// What the server is to do.
  public let operation: Operation
  /// What the server had when the row was first changed.
  public let base: BaseRevision
  /// Grows with every change and is never given twice, so that a change made during its own push is told
  /// from the one that was pushed.
  public let sequence: Int64
}

/// The server's revision that a local change started from.
public enum BaseRevision: Sendable, Equatable {
  /// Not known: the row came over from the legacy file. Pull first.
  case unknown
  /// The server never had the row.
  case absent
  case revision(Int64)

  init(stored: Int64?) {
    switch stored {
    case nil: self = .unknown
    case 0: self = .absent
    case .some(let revision): self = .revision(revision)
    }
  }

  var stored: Int64? {
    switch self {
    case .unknown: nil
    case .absent: 0
    case .revision(let revision): revision
    }
  }
}

enum Outbox {
  static let schema = SchemaObject(
    name: "store_outbox",
    sql: """
      CREATE TABLE "store_outbox" ("account_key" INTEGER NOT NULL, "table_name" TEXT NOT NULL, \
      "record_key" TEXT NOT NULL, "operation" TEXT NOT NULL CHECK ("operation" IN ('put', 'delete')), \
      "base" INTEGER, "sequence" INTEGER NOT NULL, \
      PRIMARY KEY ("account_key", "table_name", "record_key")) STRICT, WITHOUT ROWID
      """)

  static let sequenceSchema = SchemaObject(
    name: "store_sequence",
    sql: """
      CREATE TABLE "store_sequence" ("id" INTEGER PRIMARY KEY CHECK ("id" = 1), "last" INTEGER NOT NULL) STRICT
      """)

  // A later change keeps the base of the first one: that is what the server is asked to compare with.
  fileprivate static let enqueue = FixedSQL(
    """
    INSERT INTO store_outbox (account_key, table_name, record_key, operation, base, sequence)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_key, table_name, record_key)
    DO UPDATE SET operation = excluded.operation, sequence = excluded.sequence
    """)
  fileprivate static let revision = FixedSQL(
    "SELECT revision FROM store_sidecar WHERE account_key = ? AND table_name = ? AND record_key = ?")
}

extension Reading where Self: ~Copyable, Scope == AccountScope {
  /// The local changes of this account that wait for a push, oldest first.
  public func outbox() throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    try access.session.connection.run(
      """
      SELECT table_name, record_key, operation, base, sequence FROM store_outbox
      WHERE account_key = ? ORDER BY sequence
      """
    ) {
      try $0.bind(access.account ?? 0, 1)
    } row: { row in
      guard let operation = OutboxEntry.Operation(rawValue: try row.text(2)) else {
        throw row.badValue(2, OutboxEntry.Operation.self)
      }
      entries.append(
        OutboxEntry(
          table: try row.text(0), key: try row.text(1), operation: operation,
          base: BaseRevision(stored: row.isNull(3) ? nil : try row.integer(3)), sequence: try row.integer(4)))
      return true
    }
    return entries
  }

  /// How many local changes of this account wait for a push.
  public func outboxCount() throws -> Int {
    let count = try access.session.connection.integer(
      "SELECT count(*) FROM store_outbox WHERE account_key = ?"
    ) { try $0.bind(access.account ?? 0, 1) }
    return Int(count ?? 0)
  }

  /// Whether the row with this key has a local change that waits for a push.
  public func isInOutbox<R: Record>(_ type: R.Type, _ key: R.Key) throws -> Bool {
    try access.session.connection.integer(
      "SELECT 1 FROM store_outbox WHERE account_key = ? AND table_name = ? AND record_key = ?"
    ) { try access.bindName(R.table.name, key.stored.keyText, $0) } != nil
  }
}

extension Transaction {
  /// Puts a row that crossed unsent into the outbox, if it is one that travels at all.
  ///
  /// - Parameter base: `.unknown` makes the engine ask the server first.
  public func enqueue<R: Record>(_ type: R.Type, _ key: R.Key, base: BaseRevision) throws
  where R.Scope == Scope {
    let table = R.table
    guard table.declaration.hasAccount else { throw StoreError.unknownTable(table.name) }
    try access.session.checkWrite(table.declaration)
    guard let record = try find(R.self, key), table.tracking.covers(record) else { return }
    try enqueue(R.self, key.stored.keyText, .put, base: base)
  }

  /// Takes a row out of the outbox: the server has it as it is here.
  public func confirm<R: Record>(_ type: R.Type, _ key: R.Key) throws where R.Scope == Scope {
    try access.session.checkWrite(R.table.declaration)
    try dequeue(R.self, key)
  }

  func dequeue<R: Record>(_ type: R.Type, _ key: R.Key) throws {
    try access.session.connection.run(
      "DELETE FROM store_outbox WHERE account_key = ? AND table_name = ? AND record_key = ?"
    ) { try access.bindName(R.table.name, key.stored.keyText, $0) }
  }

  /// - Parameter wasLocal: whether the row was none that travels: what the server has under its key isn't what the
  ///   change started from.
  func enqueuePut<R: Record>(_ type: R.Type, _ key: R.Key, isNew: Bool, wasLocal: Bool = false) throws {
    let keyText = key.stored.keyText
    let base =
      wasLocal ? .unknown : try base(of: R.self, keyText, absent: isNew ? .absent : .unknown)
    try enqueue(R.self, keyText, .put, base: base)
  }

  func enqueueDelete<R: Record>(_ type: R.Type, _ key: R.Key) throws {
    let keyText = key.stored.keyText
    // A row that the server never had leaves no trace: made and unmade before any push.
    try access.session.connection.run(
      "DELETE FROM store_outbox WHERE account_key = ? AND table_name = ? AND record_key = ? AND base = 0"
    ) { try access.bindName(R.table.name, keyText, $0) }
    if access.session.connection.changes > 0 { return }
    try enqueue(R.self, keyText, .delete, base: try base(of: R.self, keyText, absent: .unknown))
  }

  private func base<R: Record>(of type: R.Type, _ key: String, absent: BaseRevision) throws -> BaseRevision {
    let access = access
    let name = R.table.name
    var base = absent
    try access.session.connection.run(Outbox.revision) {
      try access.bindName(name, key, $0)
    } row: { row in
      base = .revision(try row.integer(0))
      return false
    }
    return base
  }

  private func enqueue<R: Record>(
    _ type: R.Type, _ key: String, _ operation: OutboxEntry.Operation, base: BaseRevision
  ) throws {
    let access = access
    let sequence = try access.session.nextSequence()
    try access.session.connection.run(Outbox.enqueue) { binder in
      try access.bindName(R.table.name, key, binder)
      try binder.bind(operation.rawValue, 4)
      try base.stored.bind(binder, 5)
      try binder.bind(sequence, 6)
    }
  }
}

extension Access {
  func bindName(_ table: String, _ key: String, _ binder: borrowing Binder) throws {
    try binder.bind(account ?? 0, 1)
    try binder.bind(table, 2)
    try binder.bind(key, 3)
  }
}

extension StoredValue {
  /// A key's text form, for tables that name rows of any other table.
  var keyText: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    case .blob(let value): value.map { String($0, radix: 16) }.joined(separator: "-")
    }
  }
}
