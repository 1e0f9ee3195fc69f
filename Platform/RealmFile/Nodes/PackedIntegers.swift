/// The elements of an integer node (the format specification, section 3.1), all of one width.
///
/// An index handed in has been checked against `count`; the bytes have been checked when the node was read.
struct PackedIntegers {
  let base: UnsafeRawPointer
  /// The width code of the node header: the width is `(1 << code) >> 1` bits.
  let widthCode: Int
  let count: Int

  /// Element `index`, with widths of 8 bits and more signed.
  @inline(__always)
  subscript(index: Int) -> Int64 {
    assert(index >= 0 && index < count)
    switch widthCode {
    case 0: return 0
    case 1: return Int64((base.load(fromByteOffset: index >> 3, as: UInt8.self) >> UInt8(index & 7)) & 1)
    case 2:
      return Int64((base.load(fromByteOffset: index >> 2, as: UInt8.self) >> UInt8(2 * (index & 3))) & 3)
    case 3:
      return Int64((base.load(fromByteOffset: index >> 1, as: UInt8.self) >> UInt8(4 * (index & 1))) & 15)
    case 4: return Int64(base.load(fromByteOffset: index, as: Int8.self))
    case 5: return Int64(Int16(littleEndian: base.loadUnaligned(fromByteOffset: index << 1, as: Int16.self)))
    case 6: return Int64(Int32(littleEndian: base.loadUnaligned(fromByteOffset: index << 2, as: Int32.self)))
    default: return Int64(littleEndian: base.loadUnaligned(fromByteOffset: index << 3, as: Int64.self))
    }
  }

  /// Element `index`, with all widths unsigned: cluster keys and B+tree offsets are written so.
  @inline(__always)
  func unsigned(_ index: Int) -> UInt64 {
    let bits = UInt64(bitPattern: self[index])
    switch widthCode {
    case 4: return bits & 0xFF
    case 5: return bits & 0xFFFF
    case 6: return bits & 0xFFFF_FFFF
    default: return bits
    }
  }

  /// Element `index`, or nil when an index taken from the file lies outside.
  @inline(__always)
  func element(_ index: Int64) -> Int64? {
    guard index >= 0, index < Int64(count) else { return nil }
    return self[Int(index)]
  }
}
