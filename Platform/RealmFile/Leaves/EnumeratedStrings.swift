/// The distinct strings of an interned column, which its leaves name by number (the format specification,
/// section 9.6).
final class EnumeratedStrings {
  private let root: Int64
  private let nulls: NullStyle
  private var claims: NodeClaims?
  private var leaves: [(first: Int, leaf: BytesLeaf)]?
  private var count = 0
  /// The strings of long leaves that were looked at, which lie in nodes of their own.
  private var known: [Int: UnsafeRawBufferPointer?] = [:]

  init(root: Int64, nulls: NullStyle = .marked) {
    self.root = root
    self.nulls = nulls
  }

  /// The string with this number; nil for null.
  func bytes(_ number: Int64, snapshot: Snapshot) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    let leaves: [(first: Int, leaf: BytesLeaf)]
    if let known = self.leaves { leaves = known } else { leaves = try open(snapshot) }
    guard number >= 0, number < Int64(count) else {
      throw .damaged(what: "an interned string has the number \(number) of \(count)", offset: Int(root))
    }
    let index = Int(number)
    var low = 0
    var high = leaves.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if leaves[middle].first <= index { low = middle } else { high = middle }
    }
    let entry = leaves[low]
    guard entry.leaf.ownsNodes else {
      return try entry.leaf.bytes(index - entry.first, snapshot: snapshot, claims: nil)
    }
    if let bytes = known[index] { return bytes }
    let bytes = try entry.leaf.bytes(index - entry.first, snapshot: snapshot, claims: claims)
    known[index] = .some(bytes)
    return bytes
  }

  private func open(_ snapshot: Snapshot) throws(RealmFileError) -> [(first: Int, leaf: BytesLeaf)] {
    let tree = BPlusTree(snapshot: snapshot, claims: NodeClaims(fileSize: snapshot.end))
    claims = tree.claims
    let (nodes, stated) = try tree.leaves(under: snapshot.node(at: root, claims: tree.claims))
    var leaves: [(first: Int, leaf: BytesLeaf)] = []
    var total = 0
    for node in nodes {
      let leaf = try BytesLeaf(
        node, isText: true, nulls: nulls, snapshot: snapshot, claims: tree.claims)
      if leaf.count > 0 { leaves.append((first: total, leaf: leaf)) }
      total += leaf.count
    }
    guard stated == nil || stated == total else {
      throw .damaged(what: "there are not as many interned strings as stated", offset: Int(root))
    }
    count = total
    self.leaves = leaves
    return leaves
  }
}
