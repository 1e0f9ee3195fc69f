/// Seconds and nanoseconds side by side (the format specification, section 9.9).
struct TimestampLeaf {
  let seconds: NullableIntegers
  let nanoseconds: PackedIntegers
  let ref: Int

  init(_ node: Node, snapshot: Snapshot, claims: NodeClaims?) throws(RealmFileError) {
    let slots = try Slots(node, "a leaf of timestamps")
    guard slots.count == 2, !node.isInner else {
      throw node.damage("a leaf of timestamps has \(slots.count) parts")
    }
    seconds = try NullableIntegers(
      snapshot.node(at: slots.ref(0, "the seconds"), claims: claims), "the seconds of timestamps")
    nanoseconds = try snapshot.node(at: slots.ref(1, "the nanoseconds"), claims: claims)
      .integers("the nanoseconds of timestamps")
    ref = node.ref
    guard seconds.count == nanoseconds.count else {
      throw node.damage("the parts of a leaf of timestamps differ in length")
    }
  }

  @inline(__always)
  func value(_ index: Int) throws(RealmFileError) -> RealmValue {
    guard let seconds = seconds[index] else { return .null }
    return try Self.value(seconds: seconds, nanoseconds: nanoseconds[index], ref: ref)
  }

  static func value(seconds: Int64, nanoseconds: Int64, ref: Int) throws(RealmFileError) -> RealmValue {
    guard nanoseconds > -1_000_000_000, nanoseconds < 1_000_000_000 else {
      throw .damaged(what: "a timestamp has \(nanoseconds) nanoseconds", offset: ref)
    }
    return .timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }
}

/// Integers whose first element stands for null (the format specification, section 9.1).
struct NullableIntegers {
  private let elements: PackedIntegers
  private let sentinel: Int64

  init(_ node: Node, _ name: StaticString) throws(RealmFileError) {
    elements = try node.integers(name)
    guard elements.count >= 1 else { throw node.damage("\(name) have no null value") }
    sentinel = elements[0]
  }

  var count: Int { elements.count - 1 }

  @inline(__always)
  subscript(index: Int) -> Int64? {
    let value = elements[index + 1]
    return value == sentinel ? nil : value
  }
}
