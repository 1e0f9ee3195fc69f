import CSQLite
import Testing

/// Reads an exported database back through SQLite itself.
final class SQLiteReader {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY, nil)
    handle = try #require(opened)
    try #require(code == SQLITE_OK)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Every row, each value as text; nil is NULL.
  func rows(_ sql: String) throws -> [[String?]] {
    try each(sql) { statement in
      (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) }
      }
    }
  }

  /// The first column, as bytes.
  func blobs(_ sql: String) throws -> [[UInt8]?] {
    try each(sql) { statement in
      if sqlite3_column_type(statement, 0) == SQLITE_NULL { return nil }
      let count = Int(sqlite3_column_bytes(statement, 0))
      return Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count))
    }
  }

  /// The first column, as numbers.
  func doubles(_ sql: String) throws -> [Double] { try each(sql) { sqlite3_column_double($0, 0) } }

  private func each<Value>(_ sql: String, _ read: (OpaquePointer) -> Value) throws -> [Value] {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    try #require(code == SQLITE_OK, "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
    let statement = try #require(prepared)
    defer { sqlite3_finalize(statement) }
    var values: [Value] = []
    while sqlite3_step(statement) == SQLITE_ROW { values.append(read(statement)) }
    try #require(sqlite3_errcode(handle) == SQLITE_DONE || sqlite3_errcode(handle) == SQLITE_OK)
    return values
  }
}
