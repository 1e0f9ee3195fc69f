/// A Swift type that one column can hold.
///
/// A type says how it is stored, is read from a row by column index, and is bound to a statement. Reading
/// throws where the stored value isn't one of the type; nothing is replaced by a default.
public protocol ColumnValue: Sendable {
  /// How the column is declared.
  static var shape: ColumnShape { get }
  /// Reads column `index` of the current row.
  ///
  /// - Throws: `StoreError.badValue` where the stored value isn't one of this type.
  static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Self
  /// Binds the value to parameter `index`, counted from 1.
  ///
  /// - Throws: `StoreError.notANumber` for a NaN, which SQLite would store as NULL.
  func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError)
  /// The value as it is stored, for literals of a query.
  var stored: StoredValue { get }
  /// The value that is stored so; nil where there is none of this type.
  static func value(from stored: StoredValue) -> Self?
}

/// How a column is declared: its storage class, whether it may be NULL, what its value means to a person.
public struct ColumnShape: Sendable, Equatable {
  /// A storage class of a STRICT table.
  public enum Storage: String, Sendable {
    case integer = "INTEGER", real = "REAL", text = "TEXT", blob = "BLOB"
  }
  /// What a value stands for, so that a tool can show it.
  public enum Meaning: Sendable { case plain, flag, time, identifier, choice, json }

  /// The storage class.
  public var storage: Storage
  /// What a value stands for.
  public var meaning: Meaning = .plain
  /// Whether it may be NULL.
  public var isOptional = false
  /// A condition on the value, with `?` for the column's name.
  var check: String?
  /// Of a list: how its members are stored.
  var member: MemberShape?
}

extension Int64: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .integer) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Int64 {
    try row.integer(index)
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(self, index)
  }
  public var stored: StoredValue { .integer(self) }
}

extension Int: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .integer) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Int {
    guard let value = Int(exactly: try row.integer(index)) else { throw row.badValue(index, Int.self) }
    return value
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(Int64(self), index)
  }
  public var stored: StoredValue { .integer(Int64(self)) }
}

extension Bool: ColumnValue {
  public static var shape: ColumnShape {
    ColumnShape(storage: .integer, meaning: .flag, check: "? IN (0, 1)")
  }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Bool {
    switch try row.integer(index) {
    case 0: false
    case 1: true
    default: throw row.badValue(index, Bool.self)
    }
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(Int64(self ? 1 : 0), index)
  }
  public var stored: StoredValue { .integer(self ? 1 : 0) }
}

extension Double: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .real) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Double {
    try row.real(index)
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    guard !isNaN else { throw .notANumber(parameter: Int(index)) }
    try binder.bind(self, index)
  }
  public var stored: StoredValue { .real(self) }
}

extension String: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .text) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> String {
    try row.text(index)
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(self, index)
  }
  public var stored: StoredValue { .text(self) }
}

extension Timestamp: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .integer, meaning: .time) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Timestamp {
    Timestamp(nanoseconds: try row.integer(index))
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(nanoseconds, index)
  }
  public var stored: StoredValue { .integer(nanoseconds) }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  public static var shape: ColumnShape {
    var shape = Wrapped.shape
    shape.isOptional = true
    return shape
  }
  @inlinable
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Wrapped? {
    row.isNull(index) ? nil : try Wrapped.read(row, index)
  }
  @inlinable
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    if let self { try self.bind(binder, index) } else { try binder.bindNull(index) }
  }
  public var stored: StoredValue { self?.stored ?? .null }
}
