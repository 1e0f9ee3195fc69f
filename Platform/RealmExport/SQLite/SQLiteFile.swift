import CSQLite

/// A connection to a database that is being made: no journal file, no sharing, one transaction.
///
/// The file has a temporary name and is removed when anything fails, so there is nothing that a journal on the disk
/// could save.
final class SQLiteFile {
  private let handle: OpaquePointer

  init(path: String) throws(ExportError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw .sqlite(doing: "Making", reason: String(cString: sqlite3_errstr(code)))
    }
    handle = opened
    // All is set: where anything below throws, `deinit` closes the file.
    // A misspelt name in double quotes must be an error and no text.
    for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
      guard ferry_db_switch(handle, option, 0) == SQLITE_OK else { throw failure("Setting up") }
    }
    // In memory, where a statement that fails can be taken back; of an empty file it has nothing to keep.
    try run("PRAGMA journal_mode = MEMORY")
    try run("PRAGMA synchronous = OFF")
    try run("PRAGMA locking_mode = EXCLUSIVE")
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs a statement and passes over its rows.
  func run(_ sql: String) throws(ExportError) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  func prepare(_ sql: String) throws(ExportError) -> SQLiteStatement {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure("Preparing a statement for")
    }
    return SQLiteStatement(prepared, of: self)
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Whether the last failure was a broken constraint.
  var isConstraintBroken: Bool { sqlite3_errcode(handle) & 0xFF == SQLITE_CONSTRAINT }

  func failure(_ doing: String) -> ExportError {
    .sqlite(doing: doing, reason: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A prepared statement; parameters count from 1.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let file: SQLiteFile

  fileprivate init(_ handle: OpaquePointer, of file: SQLiteFile) {
    self.handle = handle
    self.file = file
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether there is a row.
  func step() throws(ExportError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw file.failure("Writing")
    }
  }

  /// Runs it with what is bound, for statements without rows, and makes it ready for the next time.
  func insert() throws(ExportError) {
    defer { sqlite3_reset(handle) }
    _ = try step()
  }

  func bind(_ number: Int64, at index: Int32) throws(ExportError) {
    try check(sqlite3_bind_int64(handle, index, number))
  }

  func bind(_ number: Double, at index: Int32) throws(ExportError) {
    try check(sqlite3_bind_double(handle, index, number))
  }

  func bindNull(at index: Int32) throws(ExportError) { try check(sqlite3_bind_null(handle, index)) }

  /// Binds text, NUL and bytes that are no UTF-8 included.
  func bind(text: [UInt8], at index: Int32) throws(ExportError) {
    try check(
      text.withUnsafeBytes { bytes in
        let characters = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        // An empty array may have no address, and no address would be NULL.
        return ferry_bind_text(handle, index, characters ?? Self.empty, UInt64(bytes.count))
      })
  }

  func bind(text: String, at index: Int32) throws(ExportError) {
    var text = text
    try check(
      text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          ferry_bind_text(handle, index, $0.baseAddress ?? Self.empty, UInt64($0.count))
        }
      })
  }

  func bind(blob: [UInt8], at index: Int32) throws(ExportError) {
    try check(blob.withUnsafeBytes { ferry_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) })
  }

  // proof: allocated once, of one zero byte that nothing writes to.
  private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()

  private func check(_ code: Int32) throws(ExportError) {
    guard code == SQLITE_OK else { throw file.failure("Writing") }
  }
}
