/// Values that carry their type with them (the format specification, section 12).
struct MixedLeaf {
  /// A collection in a mixed value; without a root it is empty.
  enum Nested {
    case list(root: Int64?)
    case dictionary(root: Int64?)
  }

  let composite: PackedIntegers
  private let integers: PackedIntegers?
  private let pairs: PackedIntegers?
  private let strings: BytesLeaf?
  private let roots: PackedIntegers?
  private let ref: Int

  init(_ node: Node, snapshot: Snapshot, claims: NodeClaims?) throws(RealmFileError) {
    let slots = try Slots(node, "a leaf of mixed values")
    guard slots.count == 4 || slots.count == 6, !node.isInner else {
      throw node.damage("a leaf of mixed values has \(slots.count) parts")
    }
    func part(_ index: Int) throws(RealmFileError) -> Node? {
      guard let ref = try slots.optionalRef(index, "a part of mixed values") else { return nil }
      return try snapshot.node(at: ref, claims: claims)
    }
    ref = node.ref
    guard let types = try part(0) else { throw node.damage("a leaf of mixed values has no types") }
    composite = try types.integers("the types of mixed values")
    integers = try part(1)?.integers("the integers of mixed values")
    pairs = try part(2)?.integers("the pairs of mixed values")
    if let node = try part(3) {
      strings = try BytesLeaf(node, isText: true, snapshot: snapshot, claims: claims)
    } else {
      strings = nil
    }
    roots = try part(4)?.refs("the collections of mixed values")
  }

  /// A collection that element `index`, which the caller has checked, holds; nil where it is a single value.
  ///
  /// Apart from `single`, because collections in collections recurse and should need little stack.
  func collection(_ index: Int) throws(RealmFileError) -> Nested? {
    let bits = composite[index]
    switch (bits & 31) - 1 {
    case 19: return .list(root: try root(bits >> 8))
    case 21: return .dictionary(root: try root(bits >> 8))
    default: return nil
    }
  }

  /// Element `index`, which the caller has checked, where it is no collection.
  func single(_ index: Int, reader: inout CollectionReader) throws(RealmFileError) -> RealmValue {
    let bits = composite[index]
    if bits == 0 { return .null }
    let type = (bits & 31) - 1
    let slot = (bits >> 5) & 7
    let x = bits >> 8
    switch type {
    case 0: return .int(slot == 0 ? x : try integer(x))
    case 1: return .bool(x != 0)
    case 2: return RealmValue(text: try bytes(x, &reader))
    case 4: return try bytes(x, &reader).map { .binary([UInt8]($0)) } ?? .null
    case 8:
      let (seconds, nanoseconds) = try pair(x)
      return try TimestampLeaf.value(seconds: seconds, nanoseconds: nanoseconds, ref: ref)
    case 9: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try integer(x))))
    case 10: return .double(Double(bitPattern: UInt64(bitPattern: try integer(x))))
    case 11:
      let (low, high) = try pair(x)
      return .decimal128(RealmDecimal128(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)))
    case 15: return .objectId(RealmObjectID(try start(x, width: 12, &reader)))
    case 16:
      let (table, key) = try pair(x)
      guard key >= 0, let name = reader.snapshot.tableName(table) else { return .null }
      return .link(table: name, key: key)
    case 17: return .uuid(RealmUUID(try start(x, width: 16, &reader)))
    default: throw damage("a mixed value has the type \(type)")
    }
  }

  private func damage(_ what: String) -> RealmFileError {
    .damaged(what: what, offset: ref)
  }

  private func integer(_ x: Int64) throws(RealmFileError) -> Int64 {
    guard let value = integers?.element(x) else { throw damage("a mixed value lies outside its leaf") }
    return value
  }

  private func pair(_ x: Int64) throws(RealmFileError) -> (Int64, Int64) {
    // x came from a shift by 8, so that doubling it can't overflow.
    guard let first = pairs?.element(2 * x), let second = pairs?.element(2 * x + 1) else {
      throw damage("a mixed value lies outside its leaf")
    }
    return (first, second)
  }

  private func bytes(_ x: Int64, _ reader: inout CollectionReader) throws(RealmFileError)
    -> UnsafeRawBufferPointer?
  {
    guard let strings, x >= 0, x < Int64(strings.count) else {
      throw damage("a mixed value lies outside its leaf")
    }
    let bytes = try strings.bytes(Int(x), snapshot: reader.snapshot, claims: reader.claims)
    // Elements can name the same string again and again.
    try reader.spend(bytes: bytes?.count ?? 0, ref)
    return bytes
  }

  private func start(
    _ x: Int64, width: Int, _ reader: inout CollectionReader
  ) throws(RealmFileError) -> UnsafeRawPointer {
    guard let bytes = try bytes(x, &reader), bytes.count == width, let start = bytes.baseAddress else {
      throw damage("an identifier in a mixed value is not \(width) bytes long")
    }
    return start
  }

  private func root(_ x: Int64) throws(RealmFileError) -> Int64? {
    guard let ref = roots?.element(x), ref & 1 == 0 else {
      throw damage("a mixed value lies outside its leaf")
    }
    return ref == 0 ? nil : ref
  }
}
