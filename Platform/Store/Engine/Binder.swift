import CSQLite

/// Sets the parameters of a statement. Parameters are counted from 1.
public struct Binder: ~Copyable {
  let statement: OpaquePointer
  // Its statement's. (Swift 6.3 fails to optimise a noncopyable value with a reference that counts.)
  let arena: Unmanaged<Arena>

  func bind(_ value: Int64, _ index: Int32) throws(StoreError) {
    try check(sqlite3_bind_int64(statement, index, value))
  }
  func bind(_ value: Double, _ index: Int32) throws(StoreError) {
    try check(sqlite3_bind_double(statement, index, value))
  }
  func bind(_ value: String, _ index: Int32) throws(StoreError) {
    var value = value
    let code = value.withUTF8 { bytes in
      let count = UInt64(bytes.count)
      // An empty string may have no storage; SQLite takes a null pointer for NULL.
      guard let start = bytes.baseAddress else { return ferry_bind_text(statement, index, "", 0) }
      guard bytes.count <= Arena.largest else { return ferry_bind_text(statement, index, start, count) }
      return ferry_bind_kept_text(
        statement, index, arena._withUnsafeGuaranteedRef { $0.keep(UnsafeRawBufferPointer(bytes)) }, count)
    }
    try check(code)
  }
  func bind(_ value: [UInt8], _ index: Int32) throws(StoreError) {
    try check(value.withUnsafeBytes { ferry_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) })
  }
  @usableFromInline
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
