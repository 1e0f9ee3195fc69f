/// Strings of one fixed width each (the format specification, section 9.2).
struct ShortStrings {
  let base: UnsafeRawPointer
  let width: Int
  let count: Int
  let ref: Int

  init(_ node: Node, _ name: StaticString) throws(RealmFileError) {
    guard !node.hasRefs, !node.isInner, node.widthType == 1 else {
      throw node.damage("\(name) is not a node of short strings")
    }
    base = node.payload
    width = node.width
    count = node.size
    ref = node.ref
  }

  /// The bytes of element `index`, which the caller has checked; nil for null.
  @inline(__always)
  func bytes(_ index: Int) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    assert(index >= 0 && index < count)
    if width == 0 { return nil }
    let start = base + index * width
    let pad = Int(start.load(fromByteOffset: width - 1, as: UInt8.self))
    if pad < width { return UnsafeRawBufferPointer(start: start, count: width - 1 - pad) }
    guard pad == width else { throw .damaged(what: "a short string is padded past its width", offset: ref) }
    return nil
  }

  /// Element `index` as text, with U+FFFD for what is not UTF-8.
  func text(_ index: Int) throws(RealmFileError) -> String? {
    try bytes(index).map { String(decoding: $0, as: UTF8.self) }
  }
}
