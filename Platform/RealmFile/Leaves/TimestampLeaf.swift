/// Seconds and nanoseconds side by side (the format specification, section 9.9).
struct TimestampLeaf {
  let seconds: NullableIntegers
  let nanoseconds: PackedIntegers
  /// What to add to an index into `seconds` for one into `nanoseconds`: 0 unless the two are in trees of their own.
  let shift: Int
  let ref: Int

  /// Leaves of two trees, of which the second lies `shift` elements behind the first.
  init(seconds: NullableIntegers, nanoseconds: PackedIntegers, shift: Int, ref: Int) {
    (self.seconds, self.nanoseconds, self.shift, self.ref) = (seconds, nanoseconds, shift, ref)
  }

  init(_ node: Node, snapshot: Snapshot, claims: NodeClaims?) throws(RealmFileError) {
    let slots = try Slots(node, "a leaf of timestamps")
    guard slots.count == 2, !node.isInner else {
      throw node.damage("a leaf of timestamps has \(slots.count) parts")
    }
    seconds = try NullableIntegers(
      snapshot.node(at: slots.ref(0, "the seconds"), claims: claims), "the seconds of timestamps")
    nanoseconds = try snapshot.node(at: slots.ref(1, "the nanoseconds"), claims: claims)
      .integers("the nanoseconds of timestamps")
    shift = 0
    ref = node.ref
    guard seconds.count == nanoseconds.count else {
      throw node.damage("the parts of a leaf of timestamps differ in length")
    }
  }

  @inline(__always)
  func cell(_ index: Int) throws(RealmFileError) -> RawCell {
    guard let seconds = seconds[index] else { return .null }
    let nanoseconds = nanoseconds[index + shift]
    return .timestamp(seconds: seconds, nanoseconds: try Self.checked(nanoseconds, ref))
  }

  static func value(seconds: Int64, nanoseconds: Int64, ref: Int) throws(RealmFileError) -> RealmValue {
    .timestamp(seconds: seconds, nanoseconds: try checked(nanoseconds, ref))
  }

  @inline(__always)
  private static func checked(_ nanoseconds: Int64, _ ref: Int) throws(RealmFileError) -> Int32 {
    guard nanoseconds > -1_000_000_000, nanoseconds < 1_000_000_000 else {
      throw .damaged(what: "a timestamp has \(nanoseconds) nanoseconds", offset: ref)
    }
    return Int32(nanoseconds)
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
