/// One stored value.
///
/// Two values are equal when the same bytes are stored: strings compare by UTF-8 bytes (an NFC and an NFD form
/// of a text differ), floating-point numbers by bit pattern, decimals by sign, coefficient and exponent.
public enum RealmValue: Sendable {
  /// No value. A link to a missing or deleted object reads as null too.
  case null
  /// A whole number; every integer type of an SDK is stored so.
  case int(Int64)
  /// True or false.
  case bool(Bool)
  /// A 32-bit floating-point number, NaN and infinities among them.
  case float(Float)
  /// A 64-bit floating-point number, NaN and infinities among them.
  case double(Double)
  /// Text; it may contain NUL characters.
  case string(String)
  /// The bytes of a string column's value that are not valid UTF-8.
  case invalidUTF8([UInt8])
  /// Bytes.
  case binary([UInt8])
  /// A point in time as stored: seconds since 1970-01-01 UTC, any 64-bit value, and nanoseconds
  /// (-999,999,999 … 999,999,999). Both are at most zero before 1970.
  case timestamp(seconds: Int64, nanoseconds: Int32)
  /// A 12-byte object identifier.
  case objectId(RealmObjectID)
  /// A 16-byte identifier.
  case uuid(RealmUUID)
  /// A decimal with its sign, coefficient and exponent as stored.
  case decimal128(RealmDecimal128)
  /// A link to the object with this key in the table of this name (the full name, as in `RealmTable.name`).
  case link(table: String, key: Int64)
  /// The elements of a list in order. Links to deleted objects are left out.
  case list([RealmValue])
  /// The elements of a set in stored order, which differs between file formats.
  case set([RealmValue])
  /// Entries by text keys.
  case dictionary(RealmDictionary)

  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension RealmValue: Equatable {
  /// Whether the same bytes are stored; see the type.
  public static func == (left: RealmValue, right: RealmValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.int(let left), .int(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.invalidUTF8(let left), .invalidUTF8(let right)): left == right
    case (.binary(let left), .binary(let right)): left == right
    case (.timestamp(let left, let leftRest), .timestamp(let right, let rightRest)):
      left == right && leftRest == rightRest
    case (.objectId(let left), .objectId(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.decimal128(let left), .decimal128(let right)): left == right
    case (.link(let leftTable, let left), .link(let rightTable, let right)):
      left == right && leftTable.utf8.elementsEqual(rightTable.utf8)
    case (.list(let left), .list(let right)): left == right
    case (.set(let left), .set(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }
}

/// A stored dictionary: entries in stored order, which is key order since format 23 and hash order before.
public struct RealmDictionary: Sendable, Equatable {
  /// A key and its value.
  public struct Entry: Sendable, Equatable {
    /// The key; keys that are numbers in the file appear as their digits.
    public let key: String
    /// The value; null where the file holds a null or a link to a deleted object.
    public let value: RealmValue

    /// An entry with this key and value.
    public init(key: String, value: RealmValue) {
      self.key = key
      self.value = value
    }

    /// Equal by the UTF-8 bytes of the key, and by the value.
    public static func == (left: Entry, right: Entry) -> Bool {
      left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }
  }

  /// The entries in stored order.
  public let entries: [Entry]

  /// A dictionary of these entries, in this order.
  public init(entries: [Entry]) {
    self.entries = entries
  }

  /// The value whose key has the same UTF-8 bytes; nil where there is none.
  public subscript(key: String) -> RealmValue? {
    entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }
}
