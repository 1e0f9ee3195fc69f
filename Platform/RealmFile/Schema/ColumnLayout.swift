/// What a reader needs to know of one public column: its declaration, and where its leaves are.
final class ColumnLayout {
  let column: RealmColumn
  /// The slot of the column in cluster leaves, less one (the format specification, section 7.2).
  let leafIndex: Int
  let hasIntKeys: Bool
  /// The strings that an interned column's numbers stand for.
  let enumerated: EnumeratedStrings?
  /// Formats up to 9: the tree that the values are in; nil where they are in clusters.
  let tree: ColumnarTree?
  /// The text of a link up to its key, in canonical JSON; nil where the column has no target.
  private(set) lazy var quotedLink: [UInt8]? = column.target.map { target in
    var text = JSONText()
    text.raw("{\"$link\":[")
    text.string(target)
    text.raw(",")
    return text.bytes
  }

  init(column: RealmColumn, leafIndex: Int, hasIntKeys: Bool, enumerated: EnumeratedStrings?) {
    self.column = column
    self.leafIndex = leafIndex
    self.hasIntKeys = hasIntKeys
    self.enumerated = enumerated
    self.tree = nil
  }

  init(column: RealmColumn, tree: ColumnarTree, enumerated: EnumeratedStrings?) {
    self.column = column
    self.leafIndex = 0
    self.hasIntKeys = false
    self.enumerated = enumerated
    self.tree = tree
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
  static let enumerated: Int64 = 3
  static let subtable: Int64 = 5
  static let oldMixed: Int64 = 6
  static let oldDate: Int64 = 7
  static let timestamp: Int64 = 8
  static let link: Int64 = 12
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
