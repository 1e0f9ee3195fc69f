/// An account as a field of a device's row, in its written form `user@server`.
extension AccountID: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .text, meaning: .identifier) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> AccountID {
    do {
      return try AccountID(try row.text(index))
    } catch {
      throw row.badValue(index, AccountID.self)
    }
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(description, index)
  }
  public var stored: StoredValue { .text(description) }
  public static func value(from stored: StoredValue) -> AccountID? {
    guard case .text(let text) = stored else { return nil }
    do { return try AccountID(text) } catch { return nil }
  }
}
