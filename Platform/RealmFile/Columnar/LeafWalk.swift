/// Walks the leaves of a B+tree (the format specification, section 10) from left to right, or from the leaf that
/// holds a certain element on.
struct LeafWalk {
  private struct Level {
    let slots: Slots
    var next: Int
  }

  private let snapshot: Snapshot
  private let claims: NodeClaims?
  private let root: Int64
  private let start: Int
  private var path: [Level] = []
  private var hasStarted = false
  /// The number of elements before the leaf that `next` gave last, or before the one it gives next once the caller
  /// has counted that leaf's elements in.
  var position = 0

  private static let maxLevels = 8
  private static let maxChildren = 1000

  init(root: Int64, from start: Int, snapshot: Snapshot, claims: NodeClaims?) {
    (self.root, self.start, self.snapshot, self.claims) = (root, start, snapshot, claims)
  }

  /// The next leaf, or nil after the last one.
  mutating func next() throws(RealmFileError) -> Node? {
    guard hasStarted else {
      hasStarted = true
      return try descend(root, isSeeking: start > 0)
    }
    while var level = path.popLast() {
      guard level.next < level.slots.count - 1 else { continue }
      let ref = try level.slots.ref(level.next, "a part of a column")
      level.next += 1
      path.append(level)
      return try descend(ref, isSeeking: false)
    }
    return nil
  }

  private mutating func descend(_ from: Int64, isSeeking: Bool) throws(RealmFileError) -> Node {
    var ref = from
    while true {
      let node = try snapshot.node(at: ref, claims: claims)
      guard node.isInner else { return node }
      guard path.count < Self.maxLevels else { throw node.damage("a column has too many levels") }
      let slots = try Slots(node, "an inner node of a column")
      guard slots.count >= 3, slots.count - 2 <= Self.maxChildren else {
        throw node.damage("an inner node of a column has \(slots.count) elements")
      }
      let child = isSeeking ? try seek(slots) : 0
      ref = try slots.ref(1 + child, "a part of a column")
      path.append(Level(slots: slots, next: child + 2))
    }
  }

  /// The child that holds element `start`; moves `position` to its first element.
  private mutating func seek(_ slots: Slots) throws(RealmFileError) -> Int {
    let children = slots.count - 2
    let wanted = UInt64(start - position)
    if slots.raw(0) & 1 == 1 {
      let each = try slots.tagged(0, "the elements per part of a column")
      guard each > 0, each <= UInt64(Int32.max) else {
        throw slots.node.damage("the parts of a column have \(each) elements")
      }
      let child = min(wanted / each, UInt64(children - 1))
      position += Int(child * each)
      return Int(child)
    }
    let ref = try slots.ref(0, "the offsets of the parts of a column")
    let offsets = try snapshot.node(at: ref, claims: claims).integers("the offsets of the parts of a column")
    guard offsets.count == children - 1 else {
      throw slots.node.damage("a column has \(offsets.count) offsets for \(children) parts")
    }
    var child = 0
    while child < offsets.count, offsets.unsigned(child) <= wanted { child += 1 }
    if child > 0 { position += Int(offsets.unsigned(child - 1)) }
    return child
  }
}
