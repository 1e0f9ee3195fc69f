/// A JSON value that keeps what was sent: members in order, whole numbers whole, text byte for byte.
///
/// Foundation's dictionaries can't do this. Swift's `==` on strings holds the composed and the decomposed
/// form of a letter for equal, so a `[String: Any]` merges two members whose names differ only in that, and
/// two records that differ on the server would compare as the same here. Names and texts are therefore
/// compared as UTF-8 bytes throughout.
public enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number written without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// A number written without fraction and exponent that fits no 64 bits, as it was written: of a member that
  /// nobody here knows not a digit is lost.
  case wide(String)
  /// Any other number.
  case number(Double)
  /// Text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members by name.
  case object(JSONObject)
}

/// What a value is, if it is that.
extension JSONValue {
  /// Whether the value is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The truth value.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The whole number.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number, also where it was written whole (then rounded to a `Double`).
  public var numberValue: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    case .wide(let digits): Double(digits)
    default: nil
    }
  }

  /// The text.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The items of the list.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The object.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of that name; `nil` where there is none, or where the value is no object.
  public subscript(name: String) -> JSONValue? {
    objectValue?[name]
  }

  /// What the value is, in a word that ends a message.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .integer, .wide, .number: "number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `"text"`
  public init(stringLiteral value: String) { self = .string(value) }
  /// `1`
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// `1.5`
  public init(floatLiteral value: Double) { self = .number(value) }
  /// `true`
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `[1, "two"]`
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// `["name": 1]`; of a name given twice the later value stays.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}
