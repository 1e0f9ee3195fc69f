import CSQLite
import Foundation

/// One connection to the store's file, with its prepared statements. Used by one thread at a time.
final class Connection {
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// Those of SQL that never varies, by its number.
  private var fixed: [Statement?] = []
  /// The gate's row as last read, so that its text is taken apart once (see `Gate`).
  var gate = Gate.State.open
  /// Inside `transact`, from BEGIN to COMMIT.
  var isTransacting = false
  /// How many statements that scan are running.
  var scanCount = 0
  /// What the statements of this connection have touched.
  var footprint = Footprint()
  /// How many statements it has prepared.
  private(set) var prepareCount = 0
  private let tableUse = TableUse()
  private let logMeter = LogMeter()
  /// When its statements are to stop; nil where they never are.
  var stopSign: StopSign?
  /// What SQLite said last of the commits of others.
  private var dataVersion: Int64?

  /// Shapes of queries are few; those of `contains` over lists of every length needn't be.
  private static let statementLimit = 256

  /// Opens the file and states every setting the store relies on (traps M7).
  ///
  /// - Parameters:
  ///   - readOnly: neither makes the file nor changes it.
  ///   - vfs: the SQLite VFS to go through; nil for SQLite's own.
  init(path: String, readOnly: Bool, vfs: String? = nil) throws(StoreError) {
    let flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags, vfs)
    guard let opened else {
      throw .sqlite(code: code, message: String(cString: sqlite3_errstr(code)), doing: "opening \(path)")
    }
    handle = opened
    if code != SQLITE_OK {
      let error = failure("opening \(path)")
      throw error
    }
    sqlite3_busy_timeout(handle, 5000)
    guard tableUse.attach(to: handle) == SQLITE_OK else { throw failure("setting the authorizer") }
    guard CaseFolding.register(on: handle) == SQLITE_OK else { throw failure("adding a function") }
    // A misspelt column in double quotes would be a string literal that finds nothing.
    for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_TRUSTED_SCHEMA] {
      guard ferry_db_switch(handle, option, 0) == SQLITE_OK else { throw failure("setting option \(option)") }
    }
    guard ferry_db_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1) == SQLITE_OK else {
      throw failure("setting the defensive option")
    }
    // Until the store is accepted: closing the last connection to a file that was refused must not move its
    // write-ahead log into it.
    try keepLogOnClose(true)
    // `fullfsync` is what it takes on Apple systems for a sync to reach the disk; elsewhere it says nothing.
    for pragma in ["cell_size_check = ON", "foreign_keys = ON", "fullfsync = ON", "synchronous = NORMAL"] {
      try execute("PRAGMA \(pragma)")
    }
  }

  deinit {
    statements.removeAll()
    fixed.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether closing the last connection to the file leaves its write-ahead log beside it.
  func keepLogOnClose(_ keep: Bool) throws(StoreError) {
    guard ferry_db_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0) == SQLITE_OK else {
      throw failure("setting what closing does")
    }
  }

  /// Leaves the write-ahead log to a checkpointer, and counts its pages.
  func leaveCheckpoints() throws(StoreError) {
    logMeter.attach(to: handle)
    // A log that one huge transaction made is cut once it begins anew.
    try execute("PRAGMA journal_size_limit = \(Checkpointer.bound)")
  }

  /// How many pages the log had after this connection's last commit.
  var logPages: Int { logMeter.count }

  /// Gives up on what is locked after a tenth of a second.
  func beImpatient() { sqlite3_busy_timeout(handle, 100) }

  /// Runs SQL that has no parameters and whose rows nobody wants.
  ///
  /// - Parameter why: why it must speak of every account's rows, where it does; see `AccountCheck`.
  func execute(_ sql: String, acrossAccounts why: StaticString? = nil) throws(StoreError) {
    tableUse.clear()
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure("running \(sql)") }
    if why == nil { checkAccounts(sql) }
  }

  /// Stops a debug build whose statement, prepared just now, could read or write rows of any account.
  private func checkAccounts(_ sql: String) {
    #if DEBUG
      let fault = AccountCheck(connection: handle, use: tableUse).fault(in: sql)
      precondition(fault == nil, "a statement \(fault ?? ""): \(sql)")
    #endif
  }

  /// The prepared statement for this SQL, made at its first use, or another one while that one is running.
  private func statement(_ sql: String, _ why: StaticString?) throws(StoreError) -> Statement {
    try checkTransaction(sql)
    let kept = statements[sql]
    assert(kept == nil || kept?.isAcrossAccounts == (why != nil), "\(sql) isn't always across accounts")
    if let kept, !kept.isRunning { return kept }
    let statement = try prepare(sql, acrossAccounts: why)
    if kept == nil {
      if statements.count >= Connection.statementLimit { statements = statements.filter(\.value.isRunning) }
      statements[sql] = statement
    }
    return statement
  }

  private func statement(_ sql: FixedSQL) throws(StoreError) -> Statement {
    try checkTransaction(sql.text)
    if sql.number < fixed.count, let kept = fixed[sql.number], !kept.isRunning { return kept }
    let statement = try prepare(sql.text)
    while fixed.count <= sql.number { fixed.append(nil) }
    if fixed[sql.number] == nil { fixed[sql.number] = statement }
    return statement
  }

  private func checkTransaction(_ sql: String) throws(StoreError) {
    // A full disk, among others, rolls back by itself. What a body that goes on wrote then would be committed
    // statement by statement.
    guard !isTransacting || isInTransaction else {
      throw .sqlite(
        code: SQLITE_ABORT | (2 << 8), message: "an earlier failure has undone the transaction",
        doing: "running \(sql)")
    }
  }

  private func prepare(_ sql: String, acrossAccounts why: StaticString? = nil) throws(StoreError) -> Statement
  {
    var prepared: OpaquePointer?
    prepareCount += 1
    tableUse.clear()
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK,
      let prepared
    else { throw tooLarge() ?? failure("preparing \(sql)") }
    let statement = Statement(prepared, sql: sql, use: tableUse, isAcrossAccounts: why != nil)
    if why == nil { checkAccounts(sql) }
    return statement
  }

  /// Runs a statement with parameters.
  ///
  /// - Parameter why: why it must speak of every account's rows, where it does; see `AccountCheck`.
  func run(
    _ sql: String, acrossAccounts why: StaticString? = nil,
    bind: (borrowing Binder) throws -> Void = { _ in }, row: (borrowing Row) throws -> Bool = { _ in true }
  ) throws {
    try run(statement(sql, why), bind, row)
  }

  func run(
    _ sql: FixedSQL, bind: (borrowing Binder) throws -> Void = { _ in },
    row: (borrowing Row) throws -> Bool = { _ in true }
  ) throws {
    try run(statement(sql), bind, row)
  }

  private func run(
    _ statement: Statement, _ bind: (borrowing Binder) throws -> Void,
    _ row: (borrowing Row) throws -> Bool
  ) throws {
    footprint.willRun(statement)
    guard statement.isWriting else { return try statement.run(on: self, bind: bind, row: row) }
    let before = sqlite3_total_changes64(handle)
    try statement.run(on: self, bind: bind, row: row)
    if sqlite3_total_changes64(handle) != before { footprint.didWrite(statement) }
  }

  /// The single integer that a query gives; nil for no row or NULL.
  func integer(
    _ sql: String, acrossAccounts why: StaticString? = nil,
    bind: (borrowing Binder) throws -> Void = { _ in }
  ) throws -> Int64? {
    var result: Int64?
    try run(sql, acrossAccounts: why, bind: bind) { row in
      result = row.isNull(0) ? nil : try row.integer(0)
      return false
    }
    return result
  }

  /// The single text that a query gives; nil for no row or NULL.
  func text(
    _ sql: String, acrossAccounts why: StaticString? = nil,
    bind: (borrowing Binder) throws -> Void = { _ in }
  ) throws -> String? {
    var result: String?
    try run(sql, acrossAccounts: why, bind: bind) { row in
      result = row.isNull(0) ? nil : try row.text(0)
      return false
    }
    return result
  }

  /// Whether anybody but this connection has committed since this was last asked.
  func hasForeignCommits() throws -> Bool {
    let version = try integer("PRAGMA data_version")
    defer { dataVersion = version }
    return version != dataVersion
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The rowid of the last row inserted; the mark where none was since `markLastInsert(_:)`.
  var lastInsert: Int64 { sqlite3_last_insert_rowid(handle) }
  func markLastInsert(_ mark: Int64) { sqlite3_set_last_insert_rowid(handle, mark) }

  /// The last failure by its name where a query has more values, terms or tables than SQLite takes, which varies by
  /// how it was built. SQLite has a text for it and no code.
  private func tooLarge() -> StoreError? {
    let (code, why) = (sqlite3_errcode(handle), String(cString: sqlite3_errmsg(handle)))
    let texts = ["variable number", "too many", "too large", "stack overflow", "at most"]
    let isTooLarge = code == SQLITE_TOOBIG || (code == SQLITE_ERROR && texts.contains { why.contains($0) })
    return isTooLarge ? .queryTooLarge(why: why) : nil
  }

  /// The file, wherever links lead.
  var filePath: String? { sqlite3_db_filename(handle, "main").map { String(cString: $0) } }

  /// The last failure, in SQLite's words; a full disk by its name, which SQLite has only where a file was to grow.
  func failure(_ doing: String) -> StoreError {
    let code = sqlite3_extended_errcode(handle)
    let isFull =
      switch code & 0xff {
      case SQLITE_FULL: true
      case SQLITE_CANTOPEN, SQLITE_IOERR: [ENOSPC, EDQUOT].contains(sqlite3_system_errno(handle))
      default: false
      }
    if isFull, let filePath { return .diskFull(path: filePath) }
    return .sqlite(code: code, message: String(cString: sqlite3_errmsg(handle)), doing: doing)
  }
}
