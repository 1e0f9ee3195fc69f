import Foundation

/// How a property is kept in its column.
public protocol ColumnForm: SendableMetatype {
  /// What the property is.
  associatedtype Value: Sendable
  /// How the column is declared.
  static var shape: ColumnShape { get }
  /// Reads column `index` of the current row.
  ///
  /// - Throws: `StoreError.badValue` where the stored value isn't one of this form.
  static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Value
  /// Binds a value to parameter `index`, counted from 1.
  ///
  /// - Throws: `StoreError.notANumber`, or `StoreError.notEncodable`.
  static func bind(_ value: Value, _ binder: borrowing Binder, _ index: Int32) throws(StoreError)
  /// The value as it is stored.
  ///
  /// - Throws: `StoreError.notEncodable`.
  static func stored(_ value: Value) throws(StoreError) -> StoredValue
  /// Whether it keeps as JSON what is a column value, which queries can compare.
  static var isNeedlessJSON: Bool { get }
}

extension ColumnForm {
  public static var isNeedlessJSON: Bool { false }
}

/// A column that holds the value itself.
public enum PlainForm<Value: ColumnValue>: ColumnForm {
  public static var shape: ColumnShape { Value.shape }
  @inlinable @inline(__always)
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Value {
    try Value.read(row, index)
  }
  @inlinable @inline(__always)
  public static func bind(_ value: Value, _ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try value.bind(binder, index)
  }
  @inlinable
  public static func stored(_ value: Value) -> StoredValue { value.stored }
}

/// A list: a JSON array in the row, and a side table of the store's with a row for each member.
///
/// No CHECK holds the text to JSON: `json_valid` is no function that a schema may use with `trusted_schema` off
/// (SQLite 3.40 says "unsafe use"); reading does.
public enum MembersForm<Element: ColumnValue>: ColumnForm {
  public static var shape: ColumnShape {
    ColumnShape(storage: .text, meaning: .json, member: MemberShape(Element.shape))
  }

  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> [Element] {
    guard let members = MemberShape(Element.shape).members(in: try row.text(index)) else {
      throw row.badValue(index, [Element].self)
    }
    var values: [Element] = []
    values.reserveCapacity(members.count)
    for member in members {
      guard let value = Element.value(from: member) else { throw row.badValue(index, [Element].self) }
      values.append(value)
    }
    return values
  }

  public static func bind(_ value: [Element], _ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    let members = value.map(\.stored)
    // Elsewhere SQLite itself would meet it, and store NULL.
    for case .real(let number) in members where number.isNaN {
      throw .notANumber(parameter: Int(index))
    }
    try binder.bind(MemberShape.json(of: members), index)
  }

  public static func stored(_ value: [Element]) -> StoredValue {
    .text(MemberShape.json(of: value.map(\.stored)))
  }
}

/// A value as JSON, in a text that is always the same for the same value: without spaces, with its keys in
/// the order of their UTF-8 bytes.
public enum JSONForm<Value: Codable & Sendable>: ColumnForm {
  public static var shape: ColumnShape { ColumnShape(storage: .text, meaning: .json) }
  public static var isNeedlessJSON: Bool { Value.self is any ColumnValue.Type }

  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(try row.text(index).utf8))
    } catch {
      throw row.badValue(index, Value.self)
    }
  }

  public static func bind(_ value: Value, _ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(try text(value), index)
  }

  public static func stored(_ value: Value) throws(StoreError) -> StoredValue { .text(try text(value)) }

  private static func text(_ value: Value) throws(StoreError) -> String {
    let data: Data
    do {
      data = try JSONEncoder().encode(value)
    } catch {
      throw .notEncodable(type: "\(Value.self)", why: "\(error)")
    }
    guard let tree = JSONTree(parsing: String(decoding: data, as: UTF8.self)) else {
      throw .notEncodable(type: "\(Value.self)", why: "its encoding is no JSON")
    }
    return tree.canonical
  }
}

/// A value that may be absent: NULL, where a list without members and JSON's `null` are something else.
public enum OptionalForm<Form: ColumnForm>: ColumnForm {
  public static var shape: ColumnShape {
    var shape = Form.shape
    shape.isOptional = true
    return shape
  }
  public static var isNeedlessJSON: Bool { Form.isNeedlessJSON }
  @inlinable
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Form.Value? {
    row.isNull(index) ? nil : try Form.read(row, index)
  }
  @inlinable
  public static func bind(_ value: Form.Value?, _ binder: borrowing Binder, _ index: Int32) throws(StoreError)
  {
    if let value { try Form.bind(value, binder, index) } else { try binder.bindNull(index) }
  }
  @inlinable
  public static func stored(_ value: Form.Value?) throws(StoreError) -> StoredValue {
    if let value { try Form.stored(value) } else { .null }
  }
}
