/// Texts: copied in one piece where they hold no escape, which is nearly always.
extension JSONParser {
  /// Reads the text that begins with the quotation mark at hand.
  mutating func string() throws(JSONFault) -> String {
    offset += 1
    let start = offset
    while true {
      switch try current() {
      case UInt8(ascii: "\""):
        defer { offset += 1 }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
      case UInt8(ascii: "\\"):
        return try escapedString(from: start)
      case let byte where byte < 0x20:
        throw fault(.controlCharacter(byte))
      default:
        offset += 1
      }
    }
  }

  private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
    var text = Array(bytes[start..<offset])
    while true {
      switch try current() {
      case UInt8(ascii: "\""):
        offset += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        try escape(into: &text)
      case let byte where byte < 0x20:
        throw fault(.controlCharacter(byte))
      case let byte:
        text.append(byte)
        offset += 1
      }
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
    let start = offset
    offset += 1
    let byte = try current()
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: try unicodeEscape(startedAt: start).utf8)
    default: throw fault(.invalidEscape, at: start)
    }
  }

  /// The character of `\uXXXX`, or of the two such escapes that make a surrogate pair.
  private mutating func unicodeEscape(startedAt start: Int) throws(JSONFault) -> Character {
    let high = try hexadecimal(startedAt: start)
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    guard high < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { throw fault(.loneSurrogate, at: start) }
    let second = offset
    offset += 2
    let low = try hexadecimal(startedAt: second)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw fault(.loneSurrogate, at: start) }
    return Character(scalar)
  }

  private mutating func hexadecimal(startedAt start: Int) throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch try current() {
      case let byte where (0x30...0x39).contains(byte): digit = byte - 0x30
      case let byte where (0x41...0x46).contains(byte): digit = byte - 0x41 + 10
      case let byte where (0x61...0x66).contains(byte): digit = byte - 0x61 + 10
      default: throw fault(.invalidEscape, at: start)
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
