import CSQLite
import Foundation

/// Every row of every table of a store's file, the store's own tables included, as lines of text: two runs that
/// ended the same have the same lines. It reads the file with SQLite alone, so it shows also what the store
/// wouldn't.
///
/// Left out is what differs between two runs: when something was written down, how long it took, and what was
/// drained from the log's spill.
public enum StoreDump {
  /// Columns that hold the time of the run.
  private static let times: [String: String] = [
    "kernel_journal": "updated_at", "kernel_quarantine": "at", "sync_conflict": "at",
    "kernel_retirement": "at",
  ]

  /// The lines of the store at `path`, sorted within a table; nobody may have it open for writing.
  public static func lines(of path: String) throws -> [String] {
    let file = try DumpedFile(path)
    var lines: [String] = []
    for table in try file.tables() where !["log_drain", "kernel_phase_time"].contains(table) {
      let rows = try file.rows(
        "SELECT * FROM \"\(table)\"" + (table == "log" ? " WHERE category = 'legacy'" : ""))
      let left = times[table]
      lines += rows.map { row in
        "\(table): "
          + row.filter { $0.column != left }.map { "\($0.column)=\($0.value)" }.joined(separator: " ")
      }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return lines
  }

  /// What a query gives, as text. What a crash left in side files is brought into the file before.
  public static func rows(of path: String, _ sql: String) throws -> [[String?]] {
    try DumpedFile(path, readOnly: false).plainRows(sql)
  }

  /// What one of two dumps has and the other hasn't, for a failure that can be read.
  public static func differences(_ left: [String], _ right: [String]) -> [String] {
    let (leftSet, rightSet) = (Set(left), Set(right))
    return left.filter { !rightSet.contains($0) }.map { "- \($0)" }
      + right.filter { !leftSet.contains($0) }.map { "+ \($0)" }
      + (left.count == right.count ? [] : ["\(left.count) lines, \(right.count) lines"])
  }
}

/// A connection of its own, for looking only.
private final class DumpedFile {
  private var handle: OpaquePointer?

  init(_ path: String, readOnly: Bool = true) throws {
    let flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else {
      throw GoldenFault("\(path) can't be opened")
    }
    // Whoever had it open may be about to let go of it.
    sqlite3_busy_timeout(handle, 5000)
  }

  deinit { sqlite3_close_v2(handle) }

  func tables() throws -> [String] {
    // Its names are in snake case, so the quotes around them are all that was added.
    try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").flatMap { row in
      row.map { String($0.value.dropFirst().dropLast()) }
    }
  }

  func rows(_ sql: String) throws -> [[(column: String, value: String)]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw fault(sql) }
    defer { sqlite3_finalize(statement) }
    var rows: [[(column: String, value: String)]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map { index in
            (String(cString: sqlite3_column_name(statement, index)), text(statement, index))
          })
      case SQLITE_DONE: return rows
      default: throw fault(sql)
      }
    }
  }

  func plainRows(_ sql: String) throws -> [[String?]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw fault(sql) }
    defer { sqlite3_finalize(statement) }
    var rows: [[String?]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { index in
          sqlite3_column_text(statement, index).map { bytes in
            let count = Int(sqlite3_column_bytes(statement, index))
            return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
          }
        })
    }
    return rows
  }

  private func text(_ statement: OpaquePointer?, _ index: Int32) -> String {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_NULL: return "null"
    case SQLITE_INTEGER: return "\(sqlite3_column_int64(statement, index))"
    case SQLITE_FLOAT: return "\(sqlite3_column_double(statement, index))"
    default:
      // Text is shown by its bytes where a control character would break the line.
      let isText = sqlite3_column_type(statement, index) == SQLITE_TEXT
      let count = Int(sqlite3_column_bytes(statement, index))
      let bytes =
        sqlite3_column_blob(statement, index).map { Array(UnsafeRawBufferPointer(start: $0, count: count)) }
        ?? []
      return isText
        ? String(decoding: bytes, as: UTF8.self).debugDescription : Data(bytes).base64EncodedString()
    }
  }

  private func fault(_ sql: String) -> GoldenFault {
    GoldenFault("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
  }
}
