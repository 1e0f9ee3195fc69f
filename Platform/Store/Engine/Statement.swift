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
  /// In which transaction it last wrote, and whose rows.
  var lastWrite: Mark?

  struct Mark: Equatable {
    let transaction: Int
    let account: Int64?
  }

  init(_ handle: OpaquePointer, sql: String, reads: Set<String>, writes: Set<String>) {
    self.handle = handle
    self.sql = sql
    self.reads = reads
    self.writes = writes
  }

  deinit { sqlite3_finalize(handle) }

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
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      isRunning = false
    }
    try bind(Binder(statement: handle))
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: guard try body(Row(statement: handle)) else { return }
      case SQLITE_DONE: return
      default: throw connection.failure("running \(sql)")
      }
    }
  }
}

/// Sets the parameters of a statement. Parameters are counted from 1.
public struct Binder: ~Copyable {
  let statement: OpaquePointer

  func bind(_ value: Int64, _ index: Int32) throws(StoreError) {
    try check(sqlite3_bind_int64(statement, index, value))
  }
  func bind(_ value: Double, _ index: Int32) throws(StoreError) {
    try check(sqlite3_bind_double(statement, index, value))
  }
  func bind(_ value: String, _ index: Int32) throws(StoreError) {
    var value = value
    let code = value.withUTF8 { bytes in
      // An empty string may have no storage; SQLite takes a null pointer for NULL.
      guard let base = bytes.baseAddress else { return ferry_bind_text(statement, index, "", 0) }
      return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        ferry_bind_text(statement, index, $0, UInt64(bytes.count))
      }
    }
    try check(code)
  }
  func bind(_ value: [UInt8], _ index: Int32) throws(StoreError) {
    try check(value.withUnsafeBytes { ferry_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) })
  }
  func bindNull(_ index: Int32) throws(StoreError) { try check(sqlite3_bind_null(statement, index)) }

  func bind(_ value: StoredValue, _ index: Int32) throws(StoreError) {
    switch value {
    case .null: try bindNull(index)
    case .integer(let value): try bind(value, index)
    case .real(let value): try value.bind(self, index)
    case .text(let value): try bind(value, index)
    case .blob(let value): try bind(value, index)
    }
  }

  func bind(all values: [StoredValue]) throws(StoreError) {
    for (index, value) in values.enumerated() { try bind(value, Int32(index + 1)) }
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else {
      throw .sqlite(code: code, message: String(cString: sqlite3_errstr(code)), doing: "binding a parameter")
    }
  }
}

/// The row a statement stands on. Columns are counted from 0.
///
/// It can't leave the statement: it isn't copyable and is only ever lent.
public struct Row: ~Copyable {
  let statement: OpaquePointer

  func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  func integer(_ index: Int32) throws(StoreError) -> Int64 {
    guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw badValue(index, Int64.self) }
    return sqlite3_column_int64(statement, index)
  }
  func real(_ index: Int32) throws(StoreError) -> Double {
    guard sqlite3_column_type(statement, index) == SQLITE_FLOAT else { throw badValue(index, Double.self) }
    return sqlite3_column_double(statement, index)
  }
  func text(_ index: Int32) throws(StoreError) -> String {
    guard sqlite3_column_type(statement, index) == SQLITE_TEXT,
      let bytes = sqlite3_column_text(statement, index)
    else { throw badValue(index, String.self) }
    let stored = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index)))
    var text = String(decoding: stored, as: UTF8.self)
    // Bytes that are no UTF-8 were replaced just now; a text that another program wrote isn't ours to mend.
    guard text.withUTF8({ stored.elementsEqual(UnsafeRawBufferPointer($0)) }) else {
      throw badValue(index, String.self)
    }
    return text
  }
  func blob(_ index: Int32) throws(StoreError) -> [UInt8] {
    guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw badValue(index, [UInt8].self) }
    guard let bytes = sqlite3_column_blob(statement, index) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
  }
  /// The value as it is stored.
  func stored(_ index: Int32) throws(StoreError) -> StoredValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: .text(try text(index))
    case SQLITE_BLOB: .blob(try blob(index))
    default: .null
    }
  }

  func badValue(_ index: Int32, _ type: Any.Type) -> StoreError {
    let name = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index)"
    return .badValue(column: name, expected: "\(type)")
  }
}
