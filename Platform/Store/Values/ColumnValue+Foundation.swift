import Foundation

extension Data: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .blob) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Data {
    Data(try row.blob(index))
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(Array(self), index)
  }
  public var stored: StoredValue { .blob(Array(self)) }
}

/// Stored as its text in lower case, so that it reads the same in a log, a query and a server's record.
extension UUID: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .text) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> UUID {
    guard let value = value(from: .text(try row.text(index))) else { throw row.badValue(index, UUID.self) }
    return value
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(uuidString.lowercased(), index)
  }
  public var stored: StoredValue { .text(uuidString.lowercased()) }
}
