import FerryStore
import Foundation

/// A value of a legacy row, before a domain has given it a meaning.
public enum LegacyValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case flag(Bool)
  case number(Double)
  case text(String)
  case bytes([UInt8])
  /// Seconds and nanoseconds since 1970, both of one sign, in whatever range the source allows.
  case time(seconds: Int64, nanoseconds: Int32)
  case uuid(UUID)
  /// Twelve bytes.
  case objectID([UInt8])
  /// A link, by the key of the row it leads to.
  case link(LegacyKey)
  case list([LegacyValue])
  /// Values by name, in the order of the source.
  case dictionary([Entry])
  /// A decimal number, as the source writes it: `1.10`, `-Inf`.
  case decimal(String)

  /// A value of a dictionary.
  public struct Entry: Sendable, Equatable {
    public let name: String
    public let value: LegacyValue

    public init(name: String, value: LegacyValue) { (self.name, self.value) = (name, value) }
  }

  /// Text by its bytes: Swift's `==` on `String` would take NFC and NFD as equal.
  public static func == (left: LegacyValue, right: LegacyValue) -> Bool { left.json == right.json }

  /// What it is, for an error.
  var kind: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .flag: "true or false"
    case .number: "number"
    case .text: "text"
    case .bytes: "bytes"
    case .time: "time"
    case .uuid: "UUID"
    case .objectID: "ObjectId"
    case .link: "link"
    case .list: "list"
    case .dictionary: "dictionary"
    case .decimal: "decimal number"
    }
  }
}

/// What identifies a legacy row in its class: its primary key, or its place where the class has none.
public enum LegacyKey: Sendable, Hashable {
  case integer(Int64)
  case text(String)
  case uuid(UUID)
  case objectID([UInt8])
  /// The row's position; it may differ in another copy of the data.
  case position(Int64)

  /// The key as an identifier: reversible, and made of nothing but ASCII letters, digits, `-` and `_`, so
  /// that servers take it whatever the key (`-7` is `i-7`, `언어` is `s_ec_96_b8_ec_96_b4`).
  ///
  /// The first letter tells the kind, so the integer 7 and the text "7" stay two keys.
  public var identifier: String {
    switch self {
    case .integer(let value): return "i\(value)"
    case .uuid(let value): return "u\(value.uuidString.lowercased())"
    case .objectID(let bytes): return "o" + LegacyKey.hex(bytes)
    case .position(let value): return "p\(value)"
    case .text(let text):
      var identifier = "s"
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          identifier.unicodeScalars.append(Unicode.Scalar(byte))
        default: identifier += "_" + LegacyKey.hex([byte])
        }
      }
      return identifier
    }
  }

  /// The key that `identifier` was made from; nil where it wasn't made from one.
  public init?(identifier: String) {
    let rest = String(identifier.dropFirst())
    switch identifier.first {
    case "i":
      guard let value = Int64(rest) else { return nil }
      self = .integer(value)
    case "p":
      guard let value = Int64(rest) else { return nil }
      self = .position(value)
    case "u":
      guard let value = UUID(uuidString: rest) else { return nil }
      self = .uuid(value)
    case "o":
      guard let bytes = LegacyKey.bytes(hex: rest), bytes.count == 12 else { return nil }
      self = .objectID(bytes)
    case "s":
      guard let text = LegacyKey.text(escaped: rest) else { return nil }
      self = .text(text)
    default: return nil
    }
    // Only the one spelling that `identifier` gives: "i07" names no key.
    guard self.identifier.utf8.elementsEqual(identifier.utf8) else { return nil }
  }

  /// The key as a person wrote it, to hold against the placeholders of an identifier.
  public var plainText: String {
    switch self {
    case .integer(let value), .position(let value): String(value)
    case .text(let text): text
    case .uuid(let value): value.uuidString.lowercased()
    case .objectID(let bytes): LegacyKey.hex(bytes)
    }
  }

  /// The key that a value makes; nil for a value that can't be one.
  public init?(_ value: LegacyValue) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .text(let text): self = .text(text)
    case .uuid(let value): self = .uuid(value)
    case .objectID(let bytes): self = .objectID(bytes)
    case .link(let key): self = key
    default: return nil
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(hex: String) -> [UInt8]? {
    let digits = Array(hex.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    return bytes
  }

  private static func text(escaped: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(escaped.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "_") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let escapedByte = LegacyKey.bytes(hex: String(decoding: rest.prefix(2), as: UTF8.self))
      else { return nil }
      bytes += escapedByte
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension Identifier {
  /// The identifier of a legacy row; nil where its key is a placeholder of this kind.
  public init?(legacy key: LegacyKey) {
    guard Identifier(key.plainText) != nil else { return nil }
    self.init(key.identifier)
  }
}
