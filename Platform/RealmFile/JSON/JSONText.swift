/// JSON written as UTF-8 bytes, in the canonical spelling that Python's `json.dumps` has without spaces.
struct JSONText {
  var bytes: [UInt8] = []

  mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func raw(_ ready: [UInt8]) {
    bytes.append(contentsOf: ready)
  }

  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in quoted(UnsafeRawBufferPointer(utf8)) }
  }

  /// Stored text: a string, or what says that the bytes are none.
  mutating func text(_ utf8: UnsafeRawBufferPointer) {
    if UTF8Check.isValid(utf8) { return quoted(utf8) }
    raw("{\"$invalidUTF8\":")
    base64(utf8)
    raw("}")
  }

  /// Valid UTF-8 in quotes; runs of characters that need no escape are copied in one piece.
  private mutating func quoted(_ utf8: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    while start < utf8.count {
      let end = Self.plainEnd(utf8, from: start)
      if end > start { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start..<end])) }
      if end < utf8.count { escaped(utf8[end]) }
      start = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Where the next character that needs an escape is.
  private static func plainEnd(_ utf8: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = utf8.baseAddress else { return utf8.count }
    var index = start
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    while index + 8 <= utf8.count {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // The high bit of a byte is set here where it is below 0x20, a quote or a backslash; or, which only costs
      // time, beside one that is.
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let special =
        ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      if special & highs != 0 { break }
      index += 8
    }
    while index < utf8.count {
      let byte = base.load(fromByteOffset: index, as: UInt8.self)
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
      index += 1
    }
    return index
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case 0x08: raw("\\b")
    case 0x09: raw("\\t")
    case 0x0A: raw("\\n")
    case 0x0C: raw("\\f")
    case 0x0D: raw("\\r")
    default: raw("\\u00" + Hexadecimal.text(CollectionOfOne(byte)))
    }
  }

  mutating func integer(_ number: Int64) {
    if number >= 0, number < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(number))
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number.magnitude
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<20]))
    }
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  mutating func base64(_ data: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    bytes.reserveCapacity(bytes.count + (data.count + 2) / 3 * 4 + 1)
    let alphabet = Self.alphabet
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

  mutating func base64(_ data: [UInt8]) {
    data.withUnsafeBytes { base64($0) }
  }

  /// The elements of a sequence with commas between them.
  mutating func list<Element>(
    _ elements: some Sequence<Element>, open: StaticString = "[", close: StaticString = "]",
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
