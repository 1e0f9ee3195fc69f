/// The distinct strings of an interned column, which its leaves name by number (the format specification,
/// section 9.6).
final class EnumeratedStrings {
  private let root: Int64
  private var claims: NodeClaims?
  private var leaves: [(first: Int, leaf: BytesLeaf)]?
  private var count = 0
  private var made: [RealmValue?] = []
  private var madeBeyond: [Int: RealmValue] = [:]

  /// Room for this many strings is made at once; a node that claims to have more may have nothing but nulls.
  private static let maxReserved = 65_536

  init(root: Int64) {
    self.root = root
  }

  /// The string with this number, or null.
  func value(_ number: Int64, snapshot: Snapshot) throws(RealmFileError) -> RealmValue {
    if number >= 0, number < Int64(made.count), let value = made[Int(number)] { return value }
    let leaves: [(first: Int, leaf: BytesLeaf)]
    if let known = self.leaves { leaves = known } else { leaves = try open(snapshot) }
    guard number >= 0, number < Int64(count) else {
      throw .damaged(what: "an interned string has the number \(number) of \(count)", offset: Int(root))
    }
    let index = Int(number)
    if index >= made.count, let value = madeBeyond[index] { return value }
    var low = 0
    var high = leaves.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if leaves[middle].first <= index { low = middle } else { high = middle }
    }
    let entry = leaves[low]
    let bytes = try entry.leaf.bytes(index - entry.first, snapshot: snapshot, claims: claims)
    let value = RealmValue(text: bytes)
    if index < made.count { made[index] = value } else { madeBeyond[index] = value }
    return value
  }

  private func open(_ snapshot: Snapshot) throws(RealmFileError) -> [(first: Int, leaf: BytesLeaf)] {
    let tree = BPlusTree(snapshot: snapshot, claims: NodeClaims(fileSize: snapshot.end))
    claims = tree.claims
    let (nodes, stated) = try tree.leaves(under: snapshot.node(at: root, claims: tree.claims))
    var leaves: [(first: Int, leaf: BytesLeaf)] = []
    var total = 0
    for node in nodes {
      let leaf = try BytesLeaf(node, isText: true, snapshot: snapshot, claims: tree.claims)
      if leaf.count > 0 { leaves.append((first: total, leaf: leaf)) }
      total += leaf.count
    }
    guard stated == nil || stated == total else {
      throw .damaged(what: "there are not as many interned strings as stated", offset: Int(root))
    }
    count = total
    made = Array(repeating: nil, count: min(total, Self.maxReserved))
    self.leaves = leaves
    return leaves
  }
}
