/// A cluster: the node that holds up to 256 rows, with their keys worked out.
struct ClusterNode {
  /// The node itself; nil where the rows lie in a tree per column.
  let slots: Slots?
  let count: Int
  /// The sum of the key offsets on the way here.
  let base: UInt64
  /// Where the next cluster's keys begin, as the nodes above say.
  let limit: UInt64
  /// Keys within the cluster; nil in compact form, where they are 0, 1, 2 and so on.
  let localKeys: PackedIntegers?

  static let maxRows = 256

  init(
    _ node: Node, base: UInt64, limit: UInt64 = .max, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) {
    let slots = try Slots(node, "a cluster")
    self.slots = slots
    self.base = base
    self.limit = limit
    if slots.raw(0) & 1 == 1 {
      localKeys = nil
      count = Int(clamping: try slots.tagged(0, "the row count of a cluster"))
    } else {
      let ref = try slots.ref(0, "the row count of a cluster")
      let keys = try snapshot.node(at: ref, claims: claims).integers("the keys of a cluster")
      localKeys = keys
      count = keys.count
    }
    guard count <= Self.maxRows else { throw node.damage("a cluster has \(count) rows") }
  }

  /// Rows of formats up to 9, which are known by their index.
  init(rows: Range<Int>) {
    slots = nil
    count = rows.count
    base = UInt64(rows.lowerBound)
    limit = .max
    localKeys = nil
  }

  func key(_ index: Int) -> Int64 {
    Int64(bitPattern: base &+ (localKeys.map { $0.unsigned(index) } ?? UInt64(index)))
  }
}

/// Walks a cluster tree (the format specification, section 8) from cluster to cluster in ascending key order.
struct ClusterTree {
  private struct Level {
    let slots: Slots
    let offsets: PackedIntegers?
    let depth: Int
    let base: UInt64
    let limit: UInt64
    let stated: UInt64
    /// Clusters on the left were passed over, so that the rows can't be counted.
    let isPartial: Bool
    var next: Int
    var counted: UInt64 = 0

    var children: Int { slots.count - 3 }

    /// Where the keys of the child after this one begin.
    func limit(_ child: Int) -> UInt64 {
      child + 1 < children ? base &+ offset(child + 1) : limit
    }

    func offset(_ child: Int) -> UInt64 {
      offsets.map { $0.unsigned(child) } ?? UInt64(child) << UInt64(8 * depth)
    }
  }

  private let snapshot: Snapshot
  private let claims: NodeClaims?
  private let root: Int64
  private let start: UInt64
  private var path: [Level] = []
  private var hasStarted = false

  private static let maxDepth = 7
  private static let maxChildren = 256

  /// A walk over the clusters that can hold keys of `start` and above.
  init(root: Int64, from start: UInt64, snapshot: Snapshot, claims: NodeClaims?) {
    self.snapshot = snapshot
    self.claims = claims
    self.root = root
    self.start = start
  }

  /// The number of rows that the tree says it has.
  static func rowCount(root: Int64, snapshot: Snapshot) throws(RealmFileError) -> Int {
    let node = try snapshot.node(at: root, claims: nil)
    guard node.isInner else { return try ClusterNode(node, base: 0, snapshot: snapshot, claims: nil).count }
    let slots = try Slots(node, "the rows of a table")
    let (depth, count) = (try depth(slots, under: nil), try slots.tagged(2, "the row count of a table"))
    let most = UInt64(slots.count - 3).multipliedReportingOverflow(by: 1 << UInt64(8 * depth))
    guard count <= UInt64(Int.max), most.overflow || count <= most.partialValue else {
      throw node.damage("a table can't have the \(count) rows it claims")
    }
    return Int(count)
  }

  /// The next cluster, or nil after the last one.
  mutating func next() throws(RealmFileError) -> ClusterNode? {
    guard hasStarted else {
      hasStarted = true
      return try descend(root, base: 0, limit: .max, seeking: start > 0)
    }
    while var level = path.popLast() {
      guard level.next < level.children else {
        try finish(level)
        continue
      }
      let child = level.next
      level.next += 1
      path.append(level)
      let ref = try level.slots.ref(3 + child, "a child of a cluster tree")
      return try descend(
        ref, base: level.base &+ level.offset(child), limit: level.limit(child), seeking: false)
    }
    return nil
  }

  /// Ends the walk: `next` returns nil from here on.
  mutating func stop() {
    path = []
    hasStarted = true
  }

  private mutating func descend(
    _ root: Int64, base rootBase: UInt64, limit rootLimit: UInt64, seeking: Bool
  ) throws(RealmFileError) -> ClusterNode {
    var ref = root
    var base = rootBase
    var limit = rootLimit
    while true {
      let node = try snapshot.node(at: ref, claims: claims)
      let parentDepth = path.last?.depth
      guard node.isInner else {
        guard parentDepth == nil || parentDepth == 1 else {
          throw node.damage("a cluster tree ends too early")
        }
        let cluster = try ClusterNode(
          node, base: base, limit: limit, snapshot: snapshot, claims: claims)
        count(UInt64(cluster.count))
        return cluster
      }
      var level = try level(node, base: base, limit: limit, seeking: seeking, under: parentDepth)
      let child = level.next
      level.next += 1
      path.append(level)
      ref = try level.slots.ref(3 + child, "a child of a cluster tree")
      base = level.base &+ level.offset(child)
      limit = level.limit(child)
    }
  }

  private func level(
    _ node: Node, base: UInt64, limit: UInt64, seeking: Bool, under parentDepth: Int?
  ) throws(RealmFileError) -> Level {
    let slots = try Slots(node, "an inner node of a cluster tree")
    let depth = try Self.depth(slots, under: parentDepth)
    var offsets: PackedIntegers?
    if let ref = try slots.optionalRef(0, "the key offsets of a cluster tree") {
      let elements = try snapshot.node(at: ref, claims: claims).integers("the key offsets of a cluster tree")
      guard elements.count == slots.count - 3 else {
        throw node.damage("a cluster tree has \(elements.count) key offsets for \(slots.count - 3) children")
      }
      for index in elements.count > 1 ? 1..<elements.count : 0..<0 {
        guard elements.unsigned(index - 1) < elements.unsigned(index) else {
          throw node.damage("the keys of a cluster tree do not ascend")
        }
      }
      offsets = elements
    }
    let level = Level(
      slots: slots, offsets: offsets, depth: depth, base: base, limit: limit,
      stated: try slots.tagged(2, "the row count of a cluster tree"), isPartial: seeking, next: 0)
    return seeking ? sought(level) : level
  }

  /// The same level, set to the last child that begins at or before the key sought.
  private func sought(_ level: Level) -> Level {
    var level = level
    let wanted = start < level.base ? 0 : start - level.base
    var low = 0
    var high = level.children
    while high - low > 1 {
      let middle = (low + high) / 2
      if level.offset(middle) <= wanted { low = middle } else { high = middle }
    }
    level.next = low
    return level
  }

  private static func depth(_ slots: Slots, under parentDepth: Int?) throws(RealmFileError) -> Int {
    let depth = try slots.tagged(1, "the depth of a cluster tree")
    guard depth >= 1, depth <= UInt64(maxDepth), parentDepth == nil || Int(depth) + 1 == parentDepth else {
      throw slots.node.damage("a cluster tree has a wrong depth")
    }
    guard slots.count > 3, slots.count - 3 <= maxChildren else {
      throw slots.node.damage("an inner node of a cluster tree has \(slots.count) elements")
    }
    return Int(depth)
  }

  private mutating func count(_ rows: UInt64) {
    guard !path.isEmpty else { return }
    path[path.count - 1].counted += rows
  }

  private mutating func finish(_ level: Level) throws(RealmFileError) {
    guard level.isPartial || level.counted == level.stated else {
      throw level.slots.node.damage("a tree of \(level.stated) rows has \(level.counted)")
    }
    count(level.counted)
  }
}
