/// What a reader needs to know of one public column: its declaration, and where its leaves are.
final class ColumnLayout {
  let column: RealmColumn
  /// The slot of the column in cluster leaves, less one (the format specification, section 7.2).
  let leafIndex: Int
  let hasIntKeys: Bool
  /// The strings that an interned column's numbers stand for.
  let enumerated: EnumeratedStrings?

  init(column: RealmColumn, leafIndex: Int, hasIntKeys: Bool, enumerated: EnumeratedStrings?) {
    self.column = column
    self.leafIndex = leafIndex
    self.hasIntKeys = hasIntKeys
    self.enumerated = enumerated
  }
}

/// A column key (the format specification, section 7.2) taken apart.
struct ColumnKey {
  let bits: Int64

  var leafIndex: Int { Int(bits & 0xFFFF) }
  var typeCode: Int64 { (bits >> 16) & 0x3F }
  var attributes: Int64 { (bits >> 22) & 0xFF }
}

/// Attribute bits of a column (the format specification, section 7.1).
enum ColumnAttribute {
  static let indexed: Int64 = 1
  static let unique: Int64 = 2
  static let nullable: Int64 = 16
  static let list: Int64 = 32
  static let dictionary: Int64 = 64
  static let set: Int64 = 128
}

/// Type codes of columns and of mixed values (the format specification, section 7.1).
enum TypeCode {
  static let linkList: Int64 = 13
  static let backlink: Int64 = 14

  static func type(_ code: Int64) -> RealmType? {
    switch code {
    case 0: .int
    case 1: .bool
    case 2: .string
    case 4: .binary
    case 6: .mixed
    case 8: .timestamp
    case 9: .float
    case 10: .double
    case 11: .decimal128
    case 12, 13: .link
    case 15: .objectId
    case 16: .typedLink
    case 17: .uuid
    default: nil
    }
  }
}
