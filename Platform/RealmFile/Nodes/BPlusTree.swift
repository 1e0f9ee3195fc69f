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

  /// The leaves under `root` from left to right, and the number of elements that the root states where it is an
  /// inner node. The caller, who alone can count the elements of a leaf, compares.
  func leaves(under root: Node) throws(RealmFileError) -> (leaves: [Node], stated: Int?) {
    guard root.isInner else { return ([root], nil) }
    var leaves: [Node] = []
    let stated = try descend(root, levels: Self.maxLevels, into: &leaves)
    return (leaves, stated)
  }

  private func descend(_ node: Node, levels: Int, into leaves: inout [Node]) throws(RealmFileError) -> Int {
    guard levels > 1 else { throw node.damage("a list has too many levels") }
    let slots = try Slots(node, "an inner node of a list")
    guard slots.count >= 3, slots.count - 2 <= Self.maxChildren else {
      throw node.damage("an inner node of a list has \(slots.count) elements")
    }
    let stated = try slots.tagged(slots.count - 1, "the length of a list")
    guard stated <= UInt64(maxElements) else { throw node.damage("a value has \(stated) elements") }
    for index in 1..<slots.count - 1 {
      let child = try snapshot.node(at: slots.ref(index, "a part of a list"), claims: claims)
      if child.isInner {
        _ = try descend(child, levels: levels - 1, into: &leaves)
      } else {
        leaves.append(child)
      }
    }
    return Int(stated)
  }
}
