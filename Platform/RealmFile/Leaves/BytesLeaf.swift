/// How a leaf of strings or binaries tells null from empty.
enum NullStyle {
  /// A mark beside the values, 1 for null.
  case marked
  /// Formats up to 9, strings that may be null: a mark beside the values, 0 for null.
  case markedByZero
  /// Formats up to 9, columns without nulls: what would be null elsewhere is empty.
  case none
}

/// A leaf of strings or binaries in any of its three forms (the format specification, sections 9.2 to 9.4).
///
/// A leaf's form follows its longest value; it says by itself which one it is.
enum BytesLeaf {
  case short(ShortStrings)
  case medium(MediumBytes)
  case long(PackedIntegers, terminator: Int, nulls: NullStyle)

  /// Strings are stored with a terminating NUL in the longer forms; binaries are not, and have no short form.
  init(
    _ node: Node, isText: Bool, nulls: NullStyle = .marked, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) {
    let terminator = isText ? 1 : 0
    guard !node.isInner else { throw node.damage("a leaf of strings is an inner node") }
    if !node.hasRefs {
      guard isText else { throw node.damage("a leaf of binaries is not a node of refs") }
      self = .short(try ShortStrings(node, "a leaf of strings", nulls: nulls))
    } else if node.hasContext {
      self = .long(try node.refs("a leaf of strings"), terminator: terminator, nulls: nulls)
    } else {
      self = .medium(
        try MediumBytes(node, terminator: terminator, nulls: nulls, snapshot: snapshot, claims: claims))
    }
  }

  var count: Int {
    switch self {
    case .short(let strings): strings.count
    case .medium(let values): values.ends.count
    case .long(let refs, _, _): refs.count
    }
  }

  /// Whether values of this leaf lie in nodes of their own.
  var ownsNodes: Bool {
    if case .long = self { true } else { false }
  }

  /// The bytes of element `index`, which the caller has checked; nil for null.
  @inline(__always)
  func bytes(
    _ index: Int, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    switch self {
    case .short(let strings): try strings.bytes(index)
    case .medium(let values): try values.bytes(index)
    case .long(let refs, let terminator, let nulls):
      try Self.long(refs[index], terminator: terminator, snapshot: snapshot, claims: claims)
        ?? (nulls == .none ? UnsafeRawBufferPointer(start: nil, count: 0) : nil)
    }
  }

  private static func long(
    _ ref: Int64, terminator: Int, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    if ref == 0 { return nil }
    let bytes = try snapshot.blob(at: ref, claims: claims)
    guard terminator == 1 else { return bytes }
    guard let base = bytes.baseAddress, bytes.count > 0,
      base.load(fromByteOffset: bytes.count - 1, as: UInt8.self) == 0
    else {
      throw .damaged(what: "a string does not end with a NUL", offset: Int(ref))
    }
    return UnsafeRawBufferPointer(start: base, count: bytes.count - 1)
  }
}

/// Values of one leaf in one blob, with their ends beside it (the format specification, section 9.3).
struct MediumBytes {
  let ends: PackedIntegers
  let blob: UnsafeRawBufferPointer
  /// One mark per value; `isNullByZero` says which of the two marks is null.
  let nulls: PackedIntegers
  let isNullByZero: Bool
  let terminator: Int
  let ref: Int

  init(
    _ node: Node, terminator: Int, nulls style: NullStyle, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) {
    let slots = try Slots(node, "a leaf of strings")
    guard slots.count == 3 || (slots.count == 2 && snapshot.isColumnar) else {
      throw node.damage("a leaf of strings has \(slots.count) parts")
    }
    ends = try snapshot.node(at: slots.ref(0, "the ends of strings"), claims: claims)
      .integers("the ends of strings")
    blob = try snapshot.node(at: slots.ref(1, "the bytes of strings"), claims: claims)
      .bytes("the bytes of strings")
    if slots.count == 3, style != .none {
      nulls = try snapshot.node(at: slots.ref(2, "the nulls of strings"), claims: claims)
        .integers("the nulls of strings")
      isNullByZero = style == .markedByZero
    } else {
      // No marks: as many zeros.
      nulls = PackedIntegers(base: node.payload, widthCode: 0, count: ends.count)
      isNullByZero = false
    }
    self.terminator = terminator
    ref = node.ref
    guard nulls.count == ends.count else {
      throw node.damage("the parts of a leaf of strings differ in length")
    }
  }

  @inline(__always)
  func bytes(_ index: Int) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    if (nulls[index] == 0) == isNullByZero { return nil }
    let begin = index == 0 ? 0 : ends[index - 1]
    let end = ends[index]
    guard begin >= 0, end >= begin, end <= Int64(blob.count), let base = blob.baseAddress else {
      throw .damaged(what: "a string lies outside its leaf", offset: ref)
    }
    let length = Int(end) - Int(begin) - terminator
    guard length >= 0 else { throw .damaged(what: "a string lies outside its leaf", offset: ref) }
    if terminator == 1, base.load(fromByteOffset: Int(end) - 1, as: UInt8.self) != 0 {
      throw .damaged(what: "a string does not end with a NUL", offset: ref)
    }
    return UnsafeRawBufferPointer(start: base + Int(begin), count: length)
  }
}
