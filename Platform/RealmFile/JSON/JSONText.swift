/// JSON written as UTF-8 bytes, in the canonical spelling that Python's `json.dumps` has without spaces.
struct JSONText {
  var bytes: [UInt8] = []

  mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in quoted(utf8) }
  }

  private mutating func quoted(_ utf8: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""): raw("\\\"")
      case UInt8(ascii: "\\"): raw("\\\\")
      case 0x08: raw("\\b")
      case 0x09: raw("\\t")
      case 0x0A: raw("\\n")
      case 0x0C: raw("\\f")
      case 0x0D: raw("\\r")
      case 0..<0x20: raw("\\u00" + Hexadecimal.text(CollectionOfOne(byte)))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func base64(_ data: [UInt8]) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    bytes.append(UInt8(ascii: "\""))
    var index = 0
    while index < data.count {
      let count = min(3, data.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(data[index + offset]) : 0) }
      for position in 0..<4 {
        let digit = Int(group >> UInt32(18 - 6 * position) & 63)
        bytes.append(position <= count ? alphabet[digit] : UInt8(ascii: "="))
      }
      index += 3
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The elements of a sequence with commas between them.
  mutating func list<Element>(
    _ elements: some Sequence<Element>, open: String = "[", close: String = "]",
    _ write: (inout JSONText, Element) -> Void
  ) {
    raw(open)
    var isFirst = true
    for element in elements {
      if !isFirst { raw(",") }
      isFirst = false
      write(&self, element)
    }
    raw(close)
  }
}
