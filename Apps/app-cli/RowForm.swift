import FerryKernel
import FerryStore
import Foundation

/// A row of a table as a person and as a script gets it, from the table's declaration.
enum RowForm {
  static func isNumber(_ column: ColumnDeclaration) -> Bool {
    let isNumeric = column.shape.storage == .integer || column.shape.storage == .real
    return isNumeric && column.shape.meaning == .plain
  }

  static func cells(_ row: [StoredValue], _ table: TableDeclaration) -> [String] {
    zip(row, table.columns).map { value, column in
      switch (value, column.shape.meaning) {
      case (.null, _): "–"
      case (.integer(let number), .flag): number == 0 ? "no" : "yes"
      case (.integer(let number), .time): Timestamp(nanoseconds: number).description
      case (.integer(let number), _): "\(number)"
      case (.real(let number), _): "\(number)"
      case (.text(let text), _): text
      case (.blob(let bytes), _): "\(bytes.count) bytes"
      }
    }
  }

  /// Times are texts in ISO 8601 with every nanosecond, since many readers of JSON lose digits of a number
  /// that large; bytes are base64.
  static func json(_ row: [StoredValue], _ table: TableDeclaration) -> JSONObject {
    var object = JSONObject()
    for (value, column) in zip(row, table.columns) { object[column.name] = json(value, column.shape.meaning) }
    return object
  }

  private static func json(_ value: StoredValue, _ meaning: ColumnShape.Meaning) -> JSONValue {
    switch (value, meaning) {
    case (.null, _): .null
    case (.integer(let number), .flag): .bool(number != 0)
    case (.integer(let number), .time): .string(Timestamp(nanoseconds: number).description)
    case (.integer(let number), _): .integer(number)
    case (.real(let number), _): number.isFinite ? .number(number) : .string("\(number)")
    case (.text(let text), .json): (try? JSONValue.parse(text: text)) ?? .string(text)  // why: shown as it is
    case (.text(let text), _): .string(text)
    case (.blob(let bytes), _): .string(Data(bytes).base64EncodedString())
    }
  }
}
