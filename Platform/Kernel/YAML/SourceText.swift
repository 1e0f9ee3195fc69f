/// A file's bytes, and the line and column of each.
struct SourceText {
  /// The content without its byte order mark.
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ content: UnsafeBufferPointer<UInt8>) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    bytes =
      content.starts(with: mark) ? UnsafeBufferPointer(rebasing: content.dropFirst(mark.count)) : content
  }

  /// Counts from the start: only a fault asks, and it asks once.
  func position(ofByte offset: Int) -> SourcePosition {
    var line = 1
    var column = 1
    for index in 0..<min(offset, bytes.count) {
      let byte = bytes[index]
      let endsLine =
        byte == UInt8(ascii: "\n")
        || (byte == UInt8(ascii: "\r")
          && !(index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")))
      if endsLine {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != UInt8(ascii: "\r") {
        column += 1
      }
    }
    return SourcePosition(line: line, column: column)
  }
}

/// Walks from libyaml's marks, which count code points, to bytes. Marks only ever move forward, so the whole
/// walk over a file costs one pass.
struct CodePointCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var codePoint = 0
  private var offset = 0

  init(_ text: SourceText) { bytes = text.bytes }

  /// The byte that the code point at `index` begins with, or `nil` behind the end.
  mutating func byte(atCodePoint index: Int) -> UInt8? {
    while codePoint < index, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      codePoint += 1
    }
    return codePoint == index && offset < bytes.count ? bytes[offset] : nil
  }
}
