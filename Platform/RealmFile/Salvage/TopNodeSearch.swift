/// Looks through a whole file for nodes that have the form of a top node (the format specification, section 4).
enum TopNodeSearch {
  private static let pieceSize = 1 << 20
  /// The most that a top node takes: 12 elements of 64 bits.
  private static let overlap = 104
  private static let maxFound = 16

  /// Where such nodes are, those of later versions first.
  static func refs(_ source: any ByteSource) throws(RealmFileError) -> [Int64] {
    var found: [(ref: Int64, version: UInt64)] = []
    var offset = 24
    while offset + 16 <= source.size {
      let count = min(pieceSize + overlap, source.size - offset)
      let bytes = try Header.read(count, at: offset, from: source)
      bytes.withUnsafeBytes { bytes in
        for place in stride(from: 0, to: min(pieceSize, count - 15), by: 8) {
          if let version = version(bytes, place, fileSize: source.size) {
            found.append((Int64(offset + place), version))
          }
        }
      }
      // Only the latest are of use, and a hostile file can hold any number.
      found.sort { $0.version > $1.version }
      found.removeLast(max(0, found.count - maxFound))
      offset += pieceSize
    }
    return found.map(\.ref)
  }

  /// The snapshot's version where a top node begins at `place`.
  private static func version(_ bytes: UnsafeRawBufferPointer, _ place: Int, fileSize: Int) -> UInt64? {
    let flags = bytes[place + 4]
    let count = Int(bytes[place + 7])
    guard bytes[place] == 0x41, (0x45...0x47).contains(flags), (7...12).contains(count),
      bytes[place + 5] == 0, bytes[place + 6] == 0, let base = bytes.baseAddress,
      let size = Node.payloadSize(flags: flags, size: count), place + 8 + size <= bytes.count
    else { return nil }
    let slots = PackedIntegers(base: base + place + 8, widthCode: Int(flags & 7), count: count)
    let areRefs = [0, 1].allSatisfy { slots[$0] >= 24 && slots[$0] & 7 == 0 && slots[$0] < Int64(fileSize) }
    guard areRefs, slots[2] & 1 == 1, slots[6] & 1 == 1, slots[2] > 0, slots[6] > 0 else { return nil }
    return UInt64(slots[6]) >> 1
  }
}
