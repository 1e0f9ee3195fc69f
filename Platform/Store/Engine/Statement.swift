import CSQLite

/// A prepared statement, kept by its connection for the next use of the same SQL.
final class Statement {
  let handle: OpaquePointer
  let sql: String
  /// Between its first row and its last. A second run of the same SQL, begun by whoever gets the rows, needs
  /// a statement of its own.
  private(set) var isRunning = false
  /// The tables that it reads and those that it writes.
  let reads: Set<String>
  let writes: Set<String>
  let isWriting: Bool
  /// Whether it was said to speak of every account's rows.
  let isAcrossAccounts: Bool
  /// In which transaction it last wrote, and whose rows.
  var lastWrite: Mark?

  struct Mark: Equatable {
    let transaction: Int
    let account: Int64?
  }

  init(_ handle: OpaquePointer, sql: String, use: TableUse, isAcrossAccounts: Bool) {
    self.handle = handle
    self.sql = sql
    self.isAcrossAccounts = isAcrossAccounts
    reads = use.reads
    writes = use.writes
    isWriting = !writes.isEmpty
  }

  deinit { sqlite3_finalize(handle) }

  /// Where what is bound stays while the statement runs.
  private let arena = Arena()

  /// Runs the statement from its first row to its last; resets it whatever happens.
  ///
  /// - Parameters:
  ///   - bind: sets the parameters.
  ///   - body: takes a row; false ends the run.
  func run(
    on connection: Connection, bind: (borrowing Binder) throws -> Void = { _ in },
    row body: (borrowing Row) throws -> Bool = { _ in true }
  ) throws {
    isRunning = true
    var rowCount = 0
    defer {
      if rowCount >= PageCache.scanLength { connection.endScan() }
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      arena.clear()
      isRunning = false
    }
    try bind(Binder(statement: handle, arena: .passUnretained(arena)))
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        rowCount += 1
        if rowCount == PageCache.scanLength { connection.beginScan() }
        guard try body(Row(statement: handle)) else { return }
      case SQLITE_DONE: return
      default: throw connection.failure("running \(sql)")
      }
    }
  }
}
