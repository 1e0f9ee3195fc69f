/// The first 24 bytes of a file, and which snapshot they select (the format specification, section 1).
struct Header {
  static let size = 24

  let bytes: [UInt8]
  /// The file format of the active snapshot.
  let format: Int
  /// Where the top node is; 0 in a database that was never committed to.
  let topRef: Int64

  /// Whether the top ref is in a footer.
  var isStreaming: Bool { bytes[23] & 1 == 0 && Self.word(bytes, at: 0) == UInt64.max }

  private static let mnemonic: [UInt8] = Array("T-DB".utf8)
  private static let footerCookie: UInt64 = 0x3034_1252_37E5_26C8

  init(bytes: [UInt8], format: Int, topRef: Int64) {
    (self.bytes, self.format, self.topRef) = (bytes, format, topRef)
  }

  init(_ source: any ByteSource) throws(RealmFileError) {
    guard source.size > 0 else { throw .emptyFile }
    guard source.size >= Self.size else { throw .notARealmFile }
    let bytes = try Self.read(Self.size, at: 0, from: source)
    guard Array(bytes[16..<20]) == Self.mnemonic else {
      throw try Self.diagnose(source)
    }
    let selector = Int(bytes[23] & 1)
    let format = Int(bytes[20 + selector])
    var topRef = Self.word(bytes, at: 8 * selector)
    let isKnown = format == 0 || RealmFile.readableFormats.contains(format)
    guard isKnown else { throw .unsupportedFormat(format) }
    guard source.size % 8 == 0 else {
      throw .damaged(
        what: "the size of the file, \(source.size) bytes, is not a multiple of 8", offset: source.size)
    }
    if selector == 0, topRef == UInt64.max {
      topRef = try Self.footer(source)
    }
    guard topRef == 0 || (topRef >= UInt64(Self.size) && topRef & 7 == 0 && topRef < UInt64(source.size))
    else {
      throw .damaged(what: "the top ref points outside the file, to \(topRef)", offset: 8 * selector)
    }
    guard topRef == 0 || format != 0 else {
      throw .damaged(what: "the active snapshot has data but no file format", offset: 20 + selector)
    }
    // Only a database that was never committed to has no top node; then the other slot has none either, unless
    // the first commit is under way, and that one starts from format 0.
    guard topRef != 0 || format == 0 || Self.word(bytes, at: 8 * (1 - selector)) == 0 else {
      throw .damaged(
        what: "the active snapshot has no data although there was a commit", offset: 8 * selector)
    }
    self.bytes = bytes
    self.format = format
    self.topRef = Int64(topRef)
  }

  /// The top ref in the last 16 bytes of a file in streaming form.
  ///
  /// An old library may have padded such a file with zeros to the end of a page (section 1.2); the footer is
  /// then the last thing before the zeros.
  static func footer(_ source: any ByteSource) throws(RealmFileError) -> UInt64 {
    let reach = min(source.size - size, 1 << 17) & ~7
    guard reach >= 16 else { throw .damaged(what: "the footer is missing", offset: source.size) }
    let tail = try read(reach, at: source.size - reach, from: source)
    var end = tail.count
    while end >= 16, word(tail, at: end - 8) == 0 { end -= 8 }
    guard end >= 16, word(tail, at: end - 8) == footerCookie else {
      throw .damaged(what: "the footer is missing", offset: source.size - 16)
    }
    return word(tail, at: end - 16)
  }

  /// What a file without the mnemonic is.
  private static func diagnose(_ source: any ByteSource) throws(RealmFileError) -> RealmFileError {
    let start = try read(min(source.size, 4096), at: 0, from: source)
    if start.allSatisfy({ $0 == 0 }) {
      return .damaged(what: "there are only zeros where the header belongs", offset: 0)
    }
    return looksEncrypted(start, size: source.size) ? .encrypted : .notARealmFile
  }

  /// Section 18.3: whole pages, and a first entry that is a counter followed by an authentication code.
  ///
  /// The code's 28 bytes are as good as random, which text, zeros, other databases and a damaged header aren't.
  private static func looksEncrypted(_ start: [UInt8], size: Int) -> Bool {
    guard size % 4096 == 0, size >= 8192, start.count >= 32 else { return false }
    guard start[0..<4].contains(where: { $0 != 0 }) else { return false }
    let code = start[4..<32]
    let zeros = code.filter { $0 == 0 }.count
    let high = code.filter { $0 >= 0x80 }.count
    return zeros < 8 && high >= 3
  }

  static func read(
    _ count: Int, at offset: Int, from source: any ByteSource
  ) throws(RealmFileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { buffer.deallocate() }
    try source.fill(buffer, from: offset)
    return [UInt8](buffer)
  }

  static func word(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
