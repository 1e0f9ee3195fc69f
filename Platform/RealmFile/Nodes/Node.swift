/// One node of the file (the format specification, section 2): header decoded, payload known to be in memory.
struct Node {
  let ref: Int
  let payload: UnsafeRawPointer
  let flags: UInt8
  /// The element count; for blobs and fixed-size bytes it counts bytes.
  let size: Int

  static let headerSize = 8

  var isInner: Bool { flags & 0x80 != 0 }
  var hasRefs: Bool { flags & 0x40 != 0 }
  var hasContext: Bool { flags & 0x20 != 0 }
  var widthType: UInt8 { (flags >> 3) & 3 }
  var widthCode: Int { Int(flags & 7) }
  var width: Int { (1 << widthCode) >> 1 }

  /// Payload bytes before rounding; nil for the width type that no released version writes.
  static func payloadSize(flags: UInt8, size: Int) -> Int? {
    let width = (1 << Int(flags & 7)) >> 1
    switch (flags >> 3) & 3 {
    case 0: return (size * width + 7) >> 3
    case 1: return size * width
    case 2: return size
    default: return nil
    }
  }

  func damage(_ what: String) -> RealmFileError {
    .damaged(what: what, offset: ref)
  }

  /// The elements of a plain integer node.
  func integers(_ name: StaticString) throws(RealmFileError) -> PackedIntegers {
    guard !hasRefs, !isInner, widthType == 0 else { throw damage("\(name) is not an integer node") }
    return PackedIntegers(base: payload, widthCode: widthCode, count: size)
  }

  /// The elements of a node whose elements are refs or tagged values.
  func refs(_ name: StaticString) throws(RealmFileError) -> PackedIntegers {
    guard hasRefs, widthType == 0 else { throw damage("\(name) is not a node of refs") }
    return PackedIntegers(base: payload, widthCode: widthCode, count: size)
  }

  /// The bytes of a blob node.
  func bytes(_ name: StaticString) throws(RealmFileError) -> UnsafeRawBufferPointer {
    guard !hasRefs, !isInner, widthType == 2 else { throw damage("\(name) is not a blob") }
    return UnsafeRawBufferPointer(start: payload, count: size)
  }
}

/// Slots of a node of refs, read by what is expected there (the format specification, section 3.2).
struct Slots {
  let node: Node
  private let elements: PackedIntegers

  init(_ node: Node, _ name: StaticString) throws(RealmFileError) {
    self.node = node
    self.elements = try node.refs(name)
  }

  var count: Int { elements.count }

  /// The raw element; slots beyond the end read as 0.
  func raw(_ index: Int) -> Int64 {
    index < elements.count ? elements[index] : 0
  }

  /// A ref that must be there.
  func ref(_ index: Int, _ name: StaticString) throws(RealmFileError) -> Int64 {
    guard let ref = try optionalRef(index, name) else { throw node.damage("\(name) is missing") }
    return ref
  }

  /// A ref, or nil where the slot is 0 or absent.
  func optionalRef(_ index: Int, _ name: StaticString) throws(RealmFileError) -> Int64? {
    let value = raw(index)
    guard value & 1 == 0 else { throw node.damage("\(name) is a number where a ref is expected") }
    return value == 0 ? nil : value
  }

  /// A tagged number, or nil where the slot is 0 or absent.
  func optionalTagged(_ index: Int, _ name: StaticString) throws(RealmFileError) -> UInt64? {
    let value = raw(index)
    if value == 0 { return nil }
    guard value & 1 == 1 else { throw node.damage("\(name) is a ref where a number is expected") }
    return UInt64(bitPattern: value) >> 1
  }

  /// A tagged number that must be there.
  func tagged(_ index: Int, _ name: StaticString) throws(RealmFileError) -> UInt64 {
    guard let value = try optionalTagged(index, name) else { throw node.damage("\(name) is missing") }
    return value
  }
}
