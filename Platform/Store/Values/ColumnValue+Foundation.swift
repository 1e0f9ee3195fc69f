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
    guard let value = UUID(uuidString: try row.text(index)) else { throw row.badValue(index, UUID.self) }
    return value
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(uuidString.lowercased(), index)
  }
  public var stored: StoredValue { .text(uuidString.lowercased()) }
}

/// A list of texts, stored as a JSON array. No CHECK holds it to that: `json_valid` is no function that a
/// schema may use with `trusted_schema` off (SQLite 3.40 says "unsafe use"); reading does.
extension Array: ColumnValue where Element == String {
  public static var shape: ColumnShape { ColumnShape(storage: .text, meaning: .json) }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> [String] {
    do {
      return try JSONDecoder().decode([String].self, from: Data(try row.text(index).utf8))
    } catch {
      throw row.badValue(index, [String].self)
    }
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try binder.bind(json, index)
  }
  public var stored: StoredValue { .text(json) }

  /// Written here rather than by JSONEncoder, whose escapes are its own affair: equal lists must be equal
  /// texts for as long as stores live, since an unchanged row is told by its bytes.
  private var json: String {
    var text = "["
    for (index, member) in enumerated() {
      text += index == 0 ? "\"" : ",\""
      for scalar in member.unicodeScalars {
        switch scalar {
        case "\"", "\\": text += "\\\(scalar)"
        case "\0"..<" ":
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
      }
      text += "\""
    }
    return text + "]"
  }
}
