/// A value as SQLite stores it: what a column value is bound as, and what a query's literals are.
public enum StoredValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Equal as SQLite compares with its BINARY collation: text by UTF-8 bytes, where Swift's `==` on
  /// `String` takes canonically equivalent texts as equal.
  public static func == (left: StoredValue, right: StoredValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    // NaN, which no store holds, is a legacy row's: equal to itself, or no dictionary would find it.
    case (.real(let left), .real(let right)): left == right || (left.isNaN && right.isNaN)
    case (.text(let left), .text(let right)): left.hasBytes(of: right)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.isNaN ? .nan : value)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .blob(let value): hasher.combine(value)
    }
  }

  /// Ordered as SQLite orders two values of one column; nil where the column's type forbids the pair.
  func isLess(than other: StoredValue) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
    default: nil
    }
  }
}
