/// Reads one cell that lies in nodes of its own: a collection, or a mixed value.
struct CollectionReader {
  let snapshot: Snapshot
  let claims: NodeClaims?
  private var remaining = maxElements
  private var depth = 0

  /// The library's own limit for collections in collections.
  private static let maxDepth = 100
  private static let maxLeafSize = 1000
  /// A node of zeros costs 8 bytes whatever its length, so that a small file can hold a list that fits no memory.
  private static let maxElements = 1 << 24

  init(snapshot: Snapshot, claims: NodeClaims?) {
    self.snapshot = snapshot
    self.claims = claims
  }

  /// The collection at `ref`, as its column declares it.
  mutating func value(_ ref: Int64, of layout: ColumnLayout) throws(RealmFileError) -> RealmValue {
    guard ref & 1 == 0 else { throw .damaged(what: "a collection is a number", offset: layout.leafIndex) }
    let column = layout.column
    switch column.collection {
    case .list: return .list(ref == 0 ? [] : try elements(ref, of: column))
    case .set: return .set(ref == 0 ? [] : try elements(ref, of: column))
    case .dictionary:
      if ref == 0 { return .dictionary(RealmDictionary(entries: [])) }
      let isTree = snapshot.header.format < 23
      return .dictionary(
        isTree
          ? try hashedDictionary(ref, hasIntKeys: layout.hasIntKeys, valueType: column.type)
          : try dictionary(ref, hasIntKeys: layout.hasIntKeys, valueType: column.type))
    case .none: return .null
    }
  }

  /// Runs `body` one level deeper, within the limit of nesting.
  mutating func nested<Value>(
    _ body: (inout CollectionReader) throws(RealmFileError) -> Value
  ) throws(RealmFileError) -> Value {
    guard depth < Self.maxDepth else { throw .damaged(what: "collections are nested too deeply", offset: 0) }
    depth += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  /// The elements of a list of mixed values.
  mutating func mixedList(_ root: Int64) throws(RealmFileError) -> [RealmValue] {
    try elements(root, type: .mixed, isNullable: true, target: nil)
  }

  private mutating func elements(_ root: Int64, of column: RealmColumn) throws(RealmFileError) -> [RealmValue] {
    try elements(root, type: column.type, isNullable: column.isNullable, target: column.target)
  }

  private mutating func elements(
    _ root: Int64, type: RealmType, isNullable: Bool, target: String?
  ) throws(RealmFileError) -> [RealmValue] {
    var values: [RealmValue] = []
    var reader = self
    var tree = BPlusTree(snapshot: snapshot, claims: claims)
    tree.maxElements = remaining
    _ = try tree.eachLeaf(root) { (node: Node) throws(RealmFileError) -> Int in
      let leaf = try ColumnLeaf(
        node, type: type, isNullable: isNullable, snapshot: reader.snapshot, claims: reader.claims)
      let count = leaf.count
      try reader.spend(count, node)
      if values.isEmpty { values.reserveCapacity(count) }
      for index in 0..<count {
        let value = try leaf.value(index, target: target, enumerated: nil, reader: &reader)
        // A link without an object is hidden from applications.
        if type == .link, value.isNull { continue }
        values.append(value)
      }
      return count
    }
    self = reader
    return values
  }

  private mutating func spend(_ count: Int, _ node: Node) throws(RealmFileError) {
    guard count <= Self.maxLeafSize else { throw node.damage("a leaf of a list has \(count) elements") }
    guard count <= remaining else { throw node.damage("a value has more than \(Self.maxElements) elements") }
    remaining -= count
  }

  /// A dictionary of formats 23 and later, and of mixed values: two trees side by side.
  mutating func dictionary(
    _ ref: Int64, hasIntKeys: Bool, valueType: RealmType
  ) throws(RealmFileError) -> RealmDictionary {
    let node = try snapshot.node(at: ref, claims: claims)
    let slots = try Slots(node, "a dictionary")
    guard slots.count == 2 else { throw node.damage("a dictionary has \(slots.count) parts") }
    let keys = try elements(
      slots.ref(0, "the keys of a dictionary"), type: hasIntKeys ? .int : .string, isNullable: false, target: nil)
    let values = try mixedList(slots.ref(1, "the values of a dictionary"))
    guard keys.count == values.count else {
      throw node.damage("a dictionary has \(keys.count) keys and \(values.count) values")
    }
    var entries: [RealmDictionary.Entry] = []
    entries.reserveCapacity(keys.count)
    for index in 0..<keys.count {
      entries.append(try Self.entry(keys[index], values[index], valueType, node))
    }
    return RealmDictionary(entries: entries)
  }

  /// A dictionary of formats 21 and 22: a cluster tree in which rows are keyed by the hash of their key.
  private mutating func hashedDictionary(
    _ ref: Int64, hasIntKeys: Bool, valueType: RealmType
  ) throws(RealmFileError) -> RealmDictionary {
    var entries: [RealmDictionary.Entry] = []
    var tree = ClusterTree(root: ref, from: 0, snapshot: snapshot, claims: claims)
    while let cluster = try tree.next() {
      if cluster.count == 0 { continue }
      let node = cluster.slots.node
      let keyLeaf = try ColumnLeaf(
        snapshot.node(at: cluster.slots.ref(1, "the keys of a dictionary"), claims: claims),
        type: hasIntKeys ? .int : .string, isNullable: false, snapshot: snapshot, claims: claims)
      let valueLeaf = try ColumnLeaf(
        snapshot.node(at: cluster.slots.ref(2, "the values of a dictionary"), claims: claims),
        type: .mixed, isNullable: true, snapshot: snapshot, claims: claims)
      guard keyLeaf.count == cluster.count, valueLeaf.count == cluster.count else {
        throw node.damage("the parts of a dictionary differ in length")
      }
      try spend(cluster.count, node)
      for index in 0..<cluster.count {
        let key = try keyLeaf.value(index, target: nil, enumerated: nil, reader: &self)
        let value = try valueLeaf.value(index, target: nil, enumerated: nil, reader: &self)
        entries.append(try Self.entry(key, value, valueType, node))
      }
    }
    return RealmDictionary(entries: entries)
  }

  private static func entry(
    _ key: RealmValue, _ value: RealmValue, _ type: RealmType, _ node: Node
  ) throws(RealmFileError) -> RealmDictionary.Entry {
    guard type == .mixed || value.isNull || value.isOf(type) else {
      throw node.damage("a dictionary of \(type.rawValue) holds another type")
    }
    switch key {
    case .string(let text): return RealmDictionary.Entry(key: text, value: value)
    case .int(let number): return RealmDictionary.Entry(key: String(number), value: value)
    default: throw node.damage("a key of a dictionary is not text")
    }
  }
}

extension RealmValue {
  /// Whether this is a single value of the given column type.
  fileprivate func isOf(_ type: RealmType) -> Bool {
    switch (self, type) {
    case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string),
      (.invalidUTF8, .string), (.binary, .binary), (.timestamp, .timestamp), (.objectId, .objectId),
      (.uuid, .uuid), (.decimal128, .decimal128), (.link, .link), (.link, .typedLink):
      true
    default: false
    }
  }
}
