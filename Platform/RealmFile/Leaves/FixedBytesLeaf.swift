/// Values of 12 or 16 bytes in blocks of eight (the format specification, section 9.10).
struct FixedBytesLeaf {
  let base: UnsafeRawPointer
  let width: Int
  let count: Int

  init(_ node: Node, width: Int) throws(RealmFileError) {
    guard !node.hasRefs, !node.isInner, node.widthType == 1, node.size == 0 || node.width == 1 else {
      throw node.damage("a leaf of \(width)-byte values is of another kind")
    }
    let block = 8 * width + 1
    let count = (node.size - (node.size + block - 1) / block) / width
    guard node.size == count * width + (count + 7) / 8 else {
      throw node.damage("a leaf of \(width)-byte values has \(node.size) bytes")
    }
    self.base = node.payload
    self.width = width
    self.count = count
  }

  /// Where element `index`, which the caller has checked, lies; nil for null.
  func start(_ index: Int) -> UnsafeRawPointer? {
    assert(index >= 0 && index < count)
    let block = base + (index >> 3) * (8 * width + 1)
    let nulls = block.load(as: UInt8.self)
    if nulls >> UInt8(index & 7) & 1 == 1 { return nil }
    return block + 1 + (index & 7) * width
  }
}
