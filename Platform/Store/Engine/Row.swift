import CSQLite

/// The row a statement stands on. Columns are counted from 0.
///
/// It can't leave the statement: it isn't copyable and is only ever lent.
public struct Row: ~Copyable {
  let statement: OpaquePointer

  @usableFromInline
  func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  func integer(_ index: Int32) throws(StoreError) -> Int64 {
    var integer: Int64 = 0
    guard ferry_column_integer(statement, index, &integer) else { throw badValue(index, Int64.self) }
    return integer
  }
  func real(_ index: Int32) throws(StoreError) -> Double {
    var real = 0.0
    guard ferry_column_real(statement, index, &real) else { throw badValue(index, Double.self) }
    return real
  }
  func text(_ index: Int32) throws(StoreError) -> String {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    guard ferry_column_text(statement, index, &bytes, &count) else { throw badValue(index, String.self) }
    let stored = UnsafeBufferPointer(start: bytes, count: count)
    let text = String(decoding: stored, as: UTF8.self)
    // Bytes that are no UTF-8 were replaced just now; a text that another program wrote isn't ours to mend.
    guard text.hasBytes(stored) else { throw badValue(index, String.self) }
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

  @usableFromInline
  func badValue(_ index: Int32, _ type: Any.Type) -> StoreError {
    let name = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index)"
    return .badValue(column: name, expected: "\(type)")
  }
}
