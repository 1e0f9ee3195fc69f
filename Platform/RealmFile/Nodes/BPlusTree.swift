/// The tree that lists, sets and the parts of dictionaries are stored in (the format specification, section 10).
struct BPlusTree {
  let snapshot: Snapshot
  let claims: NodeClaims?
  /// A list that states more elements is refused before it is read.
  var maxElements = Int.max

  private static let maxLevels = 8
  private static let maxChildren = 1000

  init(snapshot: Snapshot, claims: NodeClaims?) {
    self.snapshot = snapshot
    self.claims = claims
  }

  /// Visits the leaves under `root` from left to right; `visit` returns how many elements a leaf holds.
  ///
  /// Returns the number of elements. Throws `damaged` where inner nodes say another number.
  func eachLeaf(
    _ root: Int64, _ visit: (Node) throws(RealmFileError) -> Int
  ) throws(RealmFileError) -> Int {
    try descend(root, levels: Self.maxLevels, visit)
  }

  private func descend(
    _ ref: Int64, levels: Int, _ visit: (Node) throws(RealmFileError) -> Int
  ) throws(RealmFileError) -> Int {
    let node = try snapshot.node(at: ref, claims: claims)
    guard node.isInner else { return try visit(node) }
    guard levels > 1 else { throw node.damage("a list has too many levels") }
    let slots = try Slots(node, "an inner node of a list")
    guard slots.count >= 3, slots.count - 2 <= Self.maxChildren else {
      throw node.damage("an inner node of a list has \(slots.count) elements")
    }
    let stated = try slots.tagged(slots.count - 1, "the length of a list")
    guard stated <= UInt64(maxElements) else { throw node.damage("a value has \(stated) elements") }
    var total = 0
    for index in 1..<slots.count - 1 {
      total += try descend(slots.ref(index, "a part of a list"), levels: levels - 1, visit)
    }
    guard UInt64(total) == stated else {
      throw node.damage("a list of \(stated) elements has \(total)")
    }
    return total
  }
}
