/// Decimals of 0, 4, 8 or 16 bytes each (the format specification, section 9.11).
struct DecimalLeaf {
  let base: UnsafeRawPointer
  let width: Int
  let count: Int
  private let isZero: Bool

  init(_ node: Node) throws(RealmFileError) {
    guard !node.hasRefs, !node.isInner, node.widthType == 1, [0, 4, 8, 16].contains(node.width) else {
      throw node.damage("a leaf of decimals is of another kind")
    }
    base = node.payload
    width = node.width
    count = node.size
    isZero = node.hasContext
  }

  /// Element `index`, which the caller has checked; nil for null.
  func value(_ index: Int) -> RealmDecimal128? {
    assert(index >= 0 && index < count)
    let start = base + index * width
    switch width {
    case 4:
      let bits = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
      return bits == 0x7C00_00AA ? nil : RealmDecimal128(bid32: bits)
    case 8:
      let bits = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
      return bits == 0x7C00_0000_0000_00AA ? nil : RealmDecimal128(bid64: bits)
    case 16:
      let low = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
      let high = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      return high == 0x7C00_0000_0000_0000 && low == 0xAA
        ? nil : RealmDecimal128(high: high, low: low)
    default:
      return isZero ? .zero : nil
    }
  }
}
