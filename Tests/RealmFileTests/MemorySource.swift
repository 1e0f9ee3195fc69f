@testable import RealmFile

/// Bytes in memory in the place of a file: pieces at offsets, zeros between them.
final class MemorySource: ByteSource {
  let path = "memory"
  let size: Int
  var sizeNow: Int
  var pieces: [(offset: Int, bytes: [UInt8])]
  /// How many bytes have been asked for.
  private(set) var filled = 0

  init(_ bytes: [UInt8], at offset: Int = 0, size: Int? = nil) {
    self.pieces = [(offset, bytes)]
    self.size = size ?? offset + bytes.count
    self.sizeNow = self.size
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(RealmFileError) {
    guard offset + buffer.count <= sizeNow else { throw .changedWhileReading }
    filled += buffer.count
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    for piece in pieces {
      let first = max(offset, piece.offset)
      let end = min(offset + buffer.count, piece.offset + piece.bytes.count)
      guard first < end else { continue }
      piece.bytes.withUnsafeBytes { bytes in
        let part = UnsafeRawBufferPointer(rebasing: bytes[first - piece.offset..<end - piece.offset])
        UnsafeMutableRawBufferPointer(rebasing: buffer[first - offset..<end - offset]).copyMemory(from: part)
      }
    }
  }

  func currentSize() -> Int { sizeNow }
}

/// A generator with a seed (SplitMix64), so that a failing round can be run again.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
