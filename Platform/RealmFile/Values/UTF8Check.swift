/// Whether bytes are valid UTF-8, without making a string of them.
enum UTF8Check {
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let count = bytes.count
    var index = 0
    while index < count {
      if index + 8 <= count,
        base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
        continue
      }
      let first = base.load(fromByteOffset: index, as: UInt8.self)
      if first < 0x80 {
        index += 1
        continue
      }
      guard let length = length(base + index, first, count - index) else { return false }
      index += length
    }
    return true
  }

  /// The length of the character of two to four bytes that begins with `first`; nil where there is none.
  @inline(__always)
  private static func length(_ start: UnsafeRawPointer, _ first: UInt8, _ left: Int) -> Int? {
    // The second byte's range depends on the first: no overlong forms, no surrogates, nothing past U+10FFFF.
    let (length, second): (Int, ClosedRange<UInt8>)
    switch first {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard length <= left, second.contains(start.load(fromByteOffset: 1, as: UInt8.self)) else { return nil }
    for offset in 2..<max(length, 2) where start.load(fromByteOffset: offset, as: UInt8.self) & 0xC0 != 0x80 {
      return nil
    }
    return length
  }
}
