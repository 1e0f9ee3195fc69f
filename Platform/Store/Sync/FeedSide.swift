// Outbox and sidecar as a sync engine needs them: by a table's declaration and a key's text, since it moves rows of
// every table and knows no record's type.

extension Reading where Self: ~Copyable, Scope == AccountScope {
  /// The next local changes of a table that wait for a push, oldest first.
  ///
  /// - Parameters:
  ///   - sequence: those behind this number.
  ///   - last: and not behind this one.
  public func outbox(of table: TableDeclaration, after sequence: Int64, through last: Int64, limit: Int)
    throws -> [OutboxEntry]
  {
    var entries: [OutboxEntry] = []
    try access.session.connection.run(
      """
      SELECT record_key, operation, base, sequence FROM store_outbox
      WHERE account_key = ? AND table_name = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
      """
    ) { binder in
      try binder.bind(access.account ?? 0, 1)
      try binder.bind(table.name, 2)
      try binder.bind(sequence, 3)
      try binder.bind(last, 4)
      try binder.bind(Int64(limit), 5)
    } row: { row in
      entries.append(try Outbox.entry(table.name, row.text(0), row, from: 1))
      return true
    }
    return entries
  }

  /// The local change of a row that waits for a push; nil where there is none.
  public func outboxEntry(of table: TableDeclaration, _ key: String) throws -> OutboxEntry? {
    var entry: OutboxEntry?
    try access.session.connection.run(
      """
      SELECT operation, base, sequence FROM store_outbox
      WHERE account_key = ? AND table_name = ? AND record_key = ?
      """
    ) {
      try access.bindName(table.name, key, $0)
    } row: { row in
      entry = try Outbox.entry(table.name, key, row, from: 0)
      return false
    }
    return entry
  }

  /// How many local changes of a table wait for a push, and the number of the last one.
  public func outboxSize(of table: TableDeclaration) throws -> (puts: Int, deletes: Int, last: Int64) {
    var size = (puts: 0, deletes: 0, last: Int64(0))
    try access.session.connection.run(
      """
      SELECT operation, count(*), max(sequence) FROM store_outbox WHERE account_key = ? AND table_name = ?
      GROUP BY operation
      """
    ) { binder in
      try binder.bind(access.account ?? 0, 1)
      try binder.bind(table.name, 2)
    } row: { row in
      let count = Int(try row.integer(1))
      if try row.text(0) == OutboxEntry.Operation.delete.rawValue {
        size.deletes = count
      } else {
        size.puts = count
      }
      size.last = Swift.max(size.last, try row.integer(2))
      return true
    }
    return size
  }

  /// What the server last said of a row; nil where it never spoke of it.
  public func remoteState(of table: TableDeclaration, _ key: String) throws -> RemoteState? {
    try access.remoteState(table.name, key)
  }

  /// How many rows of a table the server is known to hold, tombstones and void states left out, and the highest
  /// revision that it ever spoke of, those of tombstones too.
  public func remoteSize(of table: TableDeclaration) throws -> (count: Int, last: Int64) {
    var size = (count: 0, last: Int64(0))
    try access.session.connection.run(
      """
      SELECT count(*) FILTER (WHERE json IS NOT NULL AND revision > 0), coalesce(max(revision), 0)
      FROM store_sidecar WHERE account_key = ? AND table_name = ?
      """
    ) { binder in
      try binder.bind(access.account ?? 0, 1)
      try binder.bind(table.name, 2)
    } row: { row in
      size = (Int(try row.integer(0)), try row.integer(1))
      return false
    }
    return size
  }

  /// The next keys of a table that the server is known to hold, with its revisions, in the order of the keys.
  ///
  /// - Parameter areVoid: instead those whose states are void, tombstones too.
  public func remoteKeys(of table: TableDeclaration, areVoid: Bool = false, after key: String?, limit: Int)
    throws -> [(key: String, revision: Int64)]
  {
    let condition = areVoid ? "revision = 0" : "revision > 0 AND json IS NOT NULL"
    var keys: [(key: String, revision: Int64)] = []
    try access.session.connection.run(
      """
      SELECT record_key, revision FROM store_sidecar
      WHERE account_key = ? AND table_name = ? AND (? IS NULL OR record_key > ?) AND \(condition)
      ORDER BY record_key LIMIT ?
      """
    ) { binder in
      try binder.bind(access.account ?? 0, 1)
      try binder.bind(table.name, 2)
      try key.bind(binder, 3)
      try key.bind(binder, 4)
      try binder.bind(Int64(limit), 5)
    } row: { row in
      keys.append((key: try row.text(0), revision: try row.integer(1)))
      return true
    }
    return keys
  }

  /// The next keys of rows of which no server ever spoke and that don't wait for a push either: what crossed
  /// and was never compared.
  public func uncomparedKeys(of table: TableDeclaration, after key: String?, limit: Int) throws -> [String] {
    let (name, column) = (table.name, table.key.name)
    var keys: [String] = []
    try access.session.connection.run(
      """
      SELECT t."\(column)" FROM "\(name)" AS t WHERE t.account_key = ?1 AND (?2 IS NULL OR t."\(column)" > ?2)
      AND NOT EXISTS (SELECT 1 FROM store_sidecar AS s
        WHERE s.account_key = ?1 AND s.table_name = ?3 AND s.record_key = t."\(column)")
      AND NOT EXISTS (SELECT 1 FROM store_outbox AS o
        WHERE o.account_key = ?1 AND o.table_name = ?3 AND o.record_key = t."\(column)")
      ORDER BY t."\(column)" LIMIT ?4
      """
    ) { binder in
      try binder.bind(access.account ?? 0, 1)
      try key.bind(binder, 2)
      try binder.bind(name, 3)
      try binder.bind(Int64(limit), 4)
    } row: { row in
      keys.append(try row.text(0))
      return true
    }
    return keys
  }
}

extension Transaction where Scope == AccountScope {
  /// Says what of a row waits for a push, and from what the server must start. An entry that there is keeps its
  /// number: a push of it that is under way is still a push of it.
  public func setPending(
    _ operation: OutboxEntry.Operation, base: BaseRevision, of table: TableDeclaration, _ key: String
  ) throws {
    try access.session.checkWrite(table)
    let sequence = try outboxEntry(of: table, key)?.sequence ?? access.session.nextSequence()
    try access.session.connection.run(
      """
      INSERT INTO store_outbox (account_key, table_name, record_key, operation, base, sequence)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (account_key, table_name, record_key)
      DO UPDATE SET operation = excluded.operation, base = excluded.base
      """
    ) { binder in
      try access.bindName(table.name, key, binder)
      try binder.bind(operation.rawValue, 4)
      try base.stored.bind(binder, 5)
      try binder.bind(sequence, 6)
    }
  }

  /// Takes a row out of the outbox: there is nothing to push of it any more.
  public func dequeue(of table: TableDeclaration, _ key: String) throws {
    try access.session.checkWrite(table)
    try access.session.connection.run(
      "DELETE FROM store_outbox WHERE account_key = ? AND table_name = ? AND record_key = ?"
    ) { try access.bindName(table.name, key, $0) }
  }

  /// Writes down what the server said of a row.
  public func setRemoteState(_ state: RemoteState, of table: TableDeclaration, _ key: String) throws {
    try access.session.checkWrite(table)
    try access.setRemoteState(state, table.name, key)
  }

  /// Forgets what the server said of a row.
  public func forgetRemoteState(of table: TableDeclaration, _ key: String) throws {
    try access.session.checkWrite(table)
    try access.session.connection.run(
      "DELETE FROM store_sidecar WHERE account_key = ? AND table_name = ? AND record_key = ?"
    ) { try access.bindName(table.name, key, $0) }
  }

  /// Makes void what the server said of a table's rows, because it is another server now: the contents stay, as
  /// what both sides last agreed on, their revisions become 0, and local changes start from nobody knows what.
  public func voidRemoteStates(of table: TableDeclaration) throws {
    try access.session.checkWrite(table)
    for sql in [
      "UPDATE store_sidecar SET revision = 0 WHERE account_key = ? AND table_name = ?",
      "UPDATE store_outbox SET base = NULL WHERE account_key = ? AND table_name = ?",
    ] {
      try access.session.connection.run(sql) { binder in
        try binder.bind(access.account ?? 0, 1)
        try binder.bind(table.name, 2)
      }
    }
  }
}

extension Outbox {
  /// The entry of which operation, base and number stand from a column on.
  fileprivate static func entry(_ table: String, _ key: String, _ row: borrowing Row, from index: Int32)
    throws
    -> OutboxEntry
  {
    guard let operation = OutboxEntry.Operation(rawValue: try row.text(index)) else {
      throw row.badValue(index, OutboxEntry.Operation.self)
    }
    return OutboxEntry(
      table: table, key: key, operation: operation,
      base: BaseRevision(stored: row.isNull(index + 1) ? nil : try row.integer(index + 1)),
      sequence: try row.integer(index + 2))
  }
}

extension Table {
  /// Whether a record's changes are for the server.
  public func travels(_ record: R) -> Bool { parts.tracking.covers(record) }
}
