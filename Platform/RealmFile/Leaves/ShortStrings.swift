/// Strings of one fixed width each (the format specification, section 9.2).
struct ShortStrings {
  let base: UnsafeRawPointer
  let width: Int
  let count: Int
  let ref: Int
  /// What an element of no characters is, where it looks like null: null, or empty in a column without nulls.
  private let nothing: UnsafeRawBufferPointer?

  init(_ node: Node, _ name: StaticString, nulls: NullStyle = .marked) throws(RealmFileError) {
    guard !node.hasRefs, !node.isInner, node.widthType == 1 else {
      throw node.damage("\(name) is not a node of short strings")
    }
    base = node.payload
    width = node.width
    count = node.size
    ref = node.ref
    nothing = nulls == .none ? UnsafeRawBufferPointer(start: nil, count: 0) : nil
  }

  /// The same leaf with another number of elements, which the caller has checked.
  init(_ other: ShortStrings, count: Int) {
    (base, width, self.count) = (other.base, other.width, count)
    (ref, nothing) = (other.ref, other.nothing)
  }

  /// The bytes of element `index`, which the caller has checked; nil for null.
  @inline(__always)
  func bytes(_ index: Int) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    assert(index >= 0 && index < count)
    if width == 0 { return nothing }
    let start = base + index * width
    let pad = Int(start.load(fromByteOffset: width - 1, as: UInt8.self))
    if pad < width { return UnsafeRawBufferPointer(start: start, count: width - 1 - pad) }
    guard pad == width else { throw .damaged(what: "a short string is padded past its width", offset: ref) }
    return nothing
  }

  /// Element `index` as text, with U+FFFD for what is not UTF-8.
  func text(_ index: Int) throws(RealmFileError) -> String? {
    try bytes(index).map { String(decoding: $0, as: UTF8.self) }
  }
}
