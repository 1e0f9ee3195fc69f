extension RealmKey {
  /// A key from 128 hexadecimal digits of either case.
  ///
  /// - Throws: `RealmDecryptionError.badKey`.
  public init(hex: String) throws(RealmDecryptionError) {
    guard let bytes = Self.hexadecimal(Array(hex.utf8)) else {
      throw .badKey("It is not made of \(2 * Self.size) hexadecimal digits")
    }
    try self.init(bytes: bytes)
  }

  /// A key from base64, in the standard or the URL alphabet, with or without padding.
  ///
  /// - Throws: `RealmDecryptionError.badKey`.
  public init(base64: String) throws(RealmDecryptionError) {
    guard let bytes = Self.base64(Array(base64.utf8)) else { throw .badKey("It is not base64") }
    try self.init(bytes: bytes)
  }

  /// A key from what a file or a variable holds: 64 bytes as they are, 128 hexadecimal digits, or base64. One
  /// line break at the end may follow.
  ///
  /// The three can't be taken for each other: 64 bytes are 128 digits in hexadecimal and 86 or 88 in base64.
  ///
  /// - Throws: `RealmDecryptionError.badKey`.
  public init(content: [UInt8]) throws(RealmDecryptionError) {
    let line = content.count == Self.size ? content[...] : Self.withoutLineBreak(content)
    switch line.count {
    case Self.size: try self.init(bytes: Array(line))
    case 2 * Self.size:
      guard let bytes = Self.hexadecimal(Array(line)) else {
        throw .badKey("It has \(line.count) characters, and they are not hexadecimal digits")
      }
      try self.init(bytes: bytes)
    case 86, 88:
      guard let bytes = Self.base64(Array(line)) else {
        throw .badKey("It has \(line.count) characters, and they are not base64")
      }
      try self.init(bytes: bytes)
    default:
      throw .badKey(
        "It has \(line.count) bytes: neither a key of 64 bytes, nor 128 hexadecimal digits, nor base64")
    }
  }

  private static func withoutLineBreak(_ content: [UInt8]) -> ArraySlice<UInt8> {
    var line = content[...]
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
    let digits = text.compactMap { character -> UInt8? in
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var letters = text[...]
    while letters.last == UInt8(ascii: "="), text.count - letters.count < 2 { letters.removeLast() }
    guard letters.count == text.count || text.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for letter in letters {
      let value: UInt8
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    // What is left over are the zeros that fill the last letter: another value there is another text's end.
    return count < 6 && bits & (1 << count - 1) == 0 ? bytes : nil
  }
}
