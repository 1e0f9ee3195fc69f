/// Who writes.
public enum Origin: Sendable, Equatable {
  /// A person. What changes in a tracked table enters the outbox.
  case local
  /// A server, by what it sent.
  case server
  /// A crossing, which passes the gate that it has shut for others.
  case crossing
  /// The program, about itself: a line of a log.
  case system
}

/// What a committed write survives.
public enum Durability: Sendable {
  /// The death of the process: always.
  case process
  /// Also a power failure, at the price of waiting for the disk (SQLite's `synchronous = FULL`).
  case powerLoss
}

/// A transaction in progress on a connection: what `Snapshot` and `Transaction` stand on.
///
/// It is reached only through values that are lent to a closure, so nothing of it outlives the transaction.
final class Session {
  let connection: Connection
  let origin: Origin
  let tables: Set<String>
  private let isCancelled: @Sendable () -> Bool
  /// The last number given to a change in the outbox; nil until this transaction gives one.
  private var sequence: Int64?
  /// How many rows a person has changed in this transaction.
  var edits: Int64 = 0
  /// The table that was checked last.
  private var known = ""
  /// The tracked rows that this transaction has deleted, as they were before.
  var deletedRows: [RowName: DeletedRow] = [:]
  /// nil while nobody listens to change sets.
  private var journal: RowJournal?

  init(
    _ connection: Connection, origin: Origin, tables: Set<String>, isListening: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    journal = isListening ? RowJournal() : nil
    self.connection = connection
    self.origin = origin
    self.tables = tables
    self.isCancelled = isCancelled
  }

  func checkCancellation() throws { if isCancelled() { throw CancellationError() } }

  /// The next number of an outbox entry. Numbers are never given twice, also not after the entry is gone: a
  /// push that is under way would take a later change for its own.
  func nextSequence() throws -> Int64 {
    let next = try (sequence ?? connection.integer("SELECT last FROM store_sequence") ?? 0) + 1
    sequence = next
    return next
  }

  func saveSequence() throws {
    guard let sequence else { return }
    try connection.run(
      """
      INSERT INTO store_sequence (id, last) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET last = excluded.last
      """
    ) { try $0.bind(sequence, 1) }
  }

  /// Whether the commit is to name each row.
  var isListening: Bool { journal != nil }

  /// To be called before a row is inserted, updated or deleted.
  func willChange(_ table: TableDeclaration, _ account: Int64?, _ key: StoredValue) throws {
    try journal?.willChange(table, account, key, on: connection)
  }

  /// To be called before a handle's part of a table is emptied.
  func willEmpty(_ table: TableDeclaration, _ account: Int64?) throws {
    try journal?.willEmpty(table, account, on: connection)
  }

  /// What the transaction has done so far.
  func commit() throws -> Commit {
    Commit(
      origin: origin, regions: connection.footprint.changed, rows: try journal?.changes(on: connection) ?? [])
  }

  /// Refuses a table that the store wasn't opened with, before SQL says "no such table".
  func check(_ table: TableDeclaration) throws {
    // The same one again and again, mostly; then the two are one text in memory, which is soon seen.
    if table.name != known {
      guard tables.contains(table.name) else { throw StoreError.unknownTable(table.name) }
      known = table.name
    }
    try checkCancellation()
  }

  /// Refuses a write to a table whose domain hasn't crossed.
  func checkWrite(_ table: TableDeclaration) throws {
    try check(table)
    if origin != .crossing, case .shut(let reason, let tables?) = connection.gate, tables.contains(table.name)
    {
      throw StoreError.tableShut(table: table.name, reason: reason)
    }
  }
}

extension Connection {
  /// Runs `body` in a write transaction: it commits when `body` returns, and rolls back when `body` throws.
  ///
  /// - Parameter isListening: whether the commit is to name each row.
  func transact<Result>(
    origin: Origin, durability: Durability, tables: Set<String>, isListening: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool, _ body: (Session) throws -> Result
  ) throws -> (result: Result, commit: Commit) {
    try endStrayTransaction()
    if case .powerLoss = durability { try execute("PRAGMA synchronous = FULL") }
    defer { if case .powerLoss = durability { lowerDurability() } }
    // IMMEDIATE: a transaction that reads first and writes later meets SQLITE_BUSY_SNAPSHOT at once,
    // whatever the busy timeout.
    try run(.beginImmediate)
    footprint.begin()
    isTransacting = true
    defer { isTransacting = false }
    return try finishing {
      // A crossing passes the gate, and makes the table that it is read from.
      if origin != .crossing {
        try readGate()
        if case .shut(let reason, nil) = gate { throw StoreError.gateShut(reason: reason) }
      }
      let session = Session(
        self, origin: origin, tables: tables, isListening: isListening, isCancelled: isCancelled)
      let result = try body(session)
      try session.checkCancellation()
      try session.saveSequence()
      try session.saveEdits()
      return (result, try session.commit())
    }
  }

  /// Runs `body` over one snapshot of the store.
  func snapshot<Result>(
    tables: Set<String>, isCancelled: @escaping @Sendable () -> Bool, _ body: (Session) throws -> Result
  ) throws -> Result {
    try endStrayTransaction()
    try run(.begin)
    return try finishing { try body(Session(self, origin: .local, tables: tables, isCancelled: isCancelled)) }
  }

  /// Commits after `body`, or rolls back and throws what went wrong first.
  private func finishing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      try run(.commit)
      return result
    } catch {
      // Some failures, a full disk among them, have rolled back already. Where this fails too, the next
      // transaction tries again; the first failure is the one to be told.
      do { if isInTransaction { try execute("ROLLBACK") } } catch {}
      throw error
    }
  }

  /// Ends a transaction whose rollback failed.
  private func endStrayTransaction() throws { if isInTransaction { try execute("ROLLBACK") } }

  /// Back to what the store states. A failure leaves the connection slower, never less durable, and must not
  /// make a write that has been committed look like one that hasn't.
  private func lowerDurability() {
    do { try execute("PRAGMA synchronous = NORMAL") } catch {}
  }
}
