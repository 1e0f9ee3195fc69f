/// A JSON value, for texts that are to be the same for as long as stores live: an unchanged row is told by its
/// bytes, and an encoder's escapes and order of keys are its own affair.
indirect enum JSONTree: Equatable {
  case null
  case bool(Bool)
  /// As it is written.
  case number(String)
  case text(String)
  case list([JSONTree])
  case object([(key: String, value: JSONTree)])

  static func == (left: JSONTree, right: JSONTree) -> Bool {
    left.canonical.utf8.elementsEqual(right.canonical.utf8)
  }

  /// The value without spaces, with keys in the order of their UTF-8 bytes and no escape that needn't be.
  var canonical: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .text(let value): JSONTree.write(value, to: &text)
    case .list(let members):
      text += "["
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        member.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { text += "," }
        JSONTree.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
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
}

extension JSONTree {
  /// The value that a text is; nil where the text is no JSON (RFC 8259), or nested deeper than 500 times.
  init?(parsing text: String) {
    var reader = JSONReader(bytes: Array(text.utf8))
    guard let tree = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = tree
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  private var at = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return at == bytes.count
    }
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ expected: String) -> Bool {
    guard bytes[at...].starts(with: expected.utf8) else { return false }
    at += expected.utf8.count
    return true
  }

  mutating func value(depth: Int) -> JSONTree? {
    guard depth < 500 else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "\""): return text().map { .text($0) }
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    default: return number()
    }
  }

  private mutating func list(_ depth: Int) -> JSONTree? {
    at += 1
    skipSpace()
    if take("]") { return .list([]) }
    var members: [JSONTree] = []
    repeat {
      guard let member = value(depth: depth + 1) else { return nil }
      members.append(member)
      skipSpace()
    } while take(",")
    return take("]") ? .list(members) : nil
  }

  private mutating func object(_ depth: Int) -> JSONTree? {
    at += 1
    skipSpace()
    if take("}") { return .object([]) }
    var members: [(key: String, value: JSONTree)] = []
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let key = text() else { return nil }
      skipSpace()
      guard take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append((key, value))
      skipSpace()
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func number() -> JSONTree? {
    let start = at
    _ = take("-")
    if !take("0") { guard digits() else { return nil } }
    if take(".") { guard digits() else { return nil } }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() else { return nil }
    }
    return at == start ? nil : .number(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  private mutating func digits() -> Bool {
    let start = at
    while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    return at > start
  }

  private mutating func text() -> String? {
    at += 1
    var found: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      // The bytes are those of a String, and so UTF-8.
      case UInt8(ascii: "\""): return String(decoding: found, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escaped() else { return nil }
        found += Array(String(scalar).utf8)
      case 0..<0x20: return nil
      default: found.append(byte)
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    defer { at += 1 }
    switch next {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      at += 1
      guard let unit = unit() else { return nil }
      if !(0xd800...0xdfff).contains(unit) {
        at -= 1
        return Unicode.Scalar(unit)
      }
      guard unit < 0xdc00, take("\\u"), let low = self.unit(), (0xdc00...0xdfff).contains(low) else {
        return nil
      }
      at -= 1
      return Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    default: return nil
    }
  }

  private mutating func unit() -> UInt32? {
    guard at + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[at..<at + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    at += 4
    return unit
  }
}
