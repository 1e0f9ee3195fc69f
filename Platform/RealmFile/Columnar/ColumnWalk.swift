/// Walks one column of formats up to 9 from piece to piece: rows that lie in one leaf, and for timestamps in one
/// leaf of each of their two trees.
struct ColumnWalk {
  /// The leaf that holds rows `first` to `end`; its element 0 is row `first`.
  private(set) var leaf = ColumnLeaf.unread
  private(set) var first = 0
  private(set) var end = 0

  private let tree: ColumnarTree
  private let snapshot: Snapshot
  private let claims: NodeClaims?
  private let start: Int
  private var main: LeafWalk?
  private var mainEnd = 0
  private var nanoseconds: LeafWalk?
  private var nanosecondsLeaf: (integers: PackedIntegers, first: Int, end: Int)?

  private static let maxLeafSize = 1000

  init(_ tree: ColumnarTree, from start: Int, snapshot: Snapshot, claims: NodeClaims?) {
    (self.tree, self.start, self.snapshot, self.claims) = (tree, start, snapshot, claims)
  }

  /// Moves on to the piece that holds `row`, which is not before the current one. False after the last row.
  mutating func advance(to row: Int) throws(RealmFileError) -> Bool {
    if row < end { return true }
    var walk: LeafWalk
    if let main { walk = main } else { walk = try open() }
    defer { main = walk }
    while mainEnd <= row {
      guard let node = try walk.next() else {
        guard nanosecondsLeaf == nil || nanosecondsLeaf?.end == mainEnd else {
          throw .damaged(what: "a column has seconds without nanoseconds", offset: Int(clamping: tree.root))
        }
        return false
      }
      leaf = try tree.leaf(node, snapshot: snapshot, claims: claims)
      guard leaf.count <= Self.maxLeafSize else { throw node.damage("a leaf has \(leaf.count) elements") }
      first = walk.position
      mainEnd = first + leaf.count
      walk.position = mainEnd
    }
    guard first <= row else { throw .damaged(what: "a column misses rows", offset: Int(clamping: tree.root)) }
    end = mainEnd
    if nanoseconds != nil { try advanceNanoseconds(to: row) }
    return true
  }

  private mutating func open() throws(RealmFileError) -> LeafWalk {
    if let root = try tree.nanosecondsRoot(snapshot) {
      nanoseconds = LeafWalk(root: root, from: start, snapshot: snapshot, claims: claims)
    }
    let root = try tree.mainRoot(snapshot, claims: claims)
    return LeafWalk(root: root, from: start, snapshot: snapshot, claims: claims)
  }

  private mutating func advanceNanoseconds(to row: Int) throws(RealmFileError) {
    while (nanosecondsLeaf?.end ?? 0) <= row {
      guard let node = try nanoseconds?.next(), let position = nanoseconds?.position else {
        throw .damaged(what: "a timestamp has no nanoseconds", offset: Int(clamping: tree.root))
      }
      let integers = try node.integers("the nanoseconds of timestamps")
      guard integers.count <= Self.maxLeafSize else {
        throw node.damage("a leaf has \(integers.count) elements")
      }
      nanosecondsLeaf = (integers, position, position + integers.count)
      nanoseconds?.position = position + integers.count
    }
    guard let part = nanosecondsLeaf, part.first <= row, let seconds = leaf.nullable else {
      throw .damaged(what: "a timestamp has no nanoseconds", offset: Int(clamping: tree.root))
    }
    leaf.timestamps = TimestampLeaf(
      seconds: seconds, nanoseconds: part.integers, shift: first - part.first,
      ref: snapshot.offset(of: part.integers.base))
    end = min(mainEnd, part.end)
  }
}
