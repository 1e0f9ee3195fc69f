extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first byte that doesn't belong to well-formed UTF-8 (Unicode 15, table 3-7), or `nil`.
  ///
  /// Written out because the standard library either repairs in silence or needs newer systems than Ferry's.
  var firstInvalidUTF8Offset: Int? {
    var offset = 0
    while offset < count {
      offset = endOfASCII(from: offset)
      guard offset < count else { return nil }
      guard let length = sequenceLength(at: offset) else { return offset }
      offset += length
    }
    return nil
  }

  /// Eight bytes at a time while they are all ASCII.
  private func endOfASCII(from start: Int) -> Int {
    var offset = start
    let raw = UnsafeRawBufferPointer(self)
    while offset + 8 <= count,
      raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      offset += 8
    }
    while offset < count, self[offset] < 0x80 { offset += 1 }
    return offset
  }

  /// The length of the well-formed sequence of several bytes at `offset`.
  private func sequenceLength(at offset: Int) -> Int? {
    let first = self[offset]
    // The second byte's range is where overlong forms, surrogates and values past U+10FFFF are shut out.
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
    guard offset + length <= count, second.contains(self[offset + 1]) else { return nil }
    for index in (offset + 2)..<Swift.max(offset + length, offset + 2) where self[index] & 0xC0 != 0x80 {
      return nil
    }
    return length
  }
}
