/// Reads one cell that lies in nodes of its own: a collection, or a mixed value.
struct CollectionReader {
  let snapshot: Snapshot
  let claims: NodeClaims?
  private var remaining = maxElements
  private var remainingBytes: Int
  private var depth = 0

  /// The library's own limit for collections in collections.
  private static let maxDepth = 100
  private static let maxLeafSize = 1000
  /// A node of zeros costs 8 bytes whatever its length, so that a small file can hold a list that fits no memory.
  private static let maxElements = 1 << 24

  init(snapshot: Snapshot, claims: NodeClaims?) {
    self.snapshot = snapshot
    self.claims = claims
    remainingBytes = snapshot.end
  }

  /// What a collection without a root is.
  static func empty(_ collection: RealmCollection) -> RealmValue {
    switch collection {
    case .none: .null
    case .list: .list([])
    case .set: .set([])
    case .dictionary: .dictionary(RealmDictionary(entries: []))
    }
  }

  /// The collection at `ref`, which is not 0, as its column declares it.
  mutating func value(_ ref: Int64, of layout: ColumnLayout) throws(RealmFileError) -> RealmValue {
    guard ref & 1 == 0 else { throw .damaged(what: "a collection is a number", offset: 0) }
    let column = layout.column
    if let element = layout.tree?.element { return .list(try subtable(ref, element)) }
    switch column.collection {
    case .list: return .list(try elements(ref, of: column))
    case .set: return .set(try elements(ref, of: column))
    case .dictionary:
      return .dictionary(
        snapshot.header.format < 23
          ? try hashedDictionary(ref, hasIntKeys: layout.hasIntKeys, valueType: column.type)
          : try dictionary(ref, hasIntKeys: layout.hasIntKeys, valueType: column.type))
    case .none: return .null
    }
  }

  /// Element `index`, which the caller has checked, of a leaf of mixed values.
  mutating func mixedValue(_ leaf: MixedLeaf, _ index: Int) throws(RealmFileError) -> RealmValue {
    guard let nested = try leaf.collection(index) else { return try leaf.single(index, reader: &self) }
    return try nestedValue(nested)
  }

  private mutating func nestedValue(_ nested: MixedLeaf.Nested) throws(RealmFileError) -> RealmValue {
    guard depth < Self.maxDepth else { throw .damaged(what: "collections are nested too deeply", offset: 0) }
    depth += 1
    defer { depth -= 1 }
    switch nested {
    case .list(let root?): return .list(try mixedList(root))
    case .list: return .list([])
    case .dictionary(let root?):
      return .dictionary(try dictionary(root, hasIntKeys: false, valueType: .mixed))
    case .dictionary: return .dictionary(RealmDictionary(entries: []))
    }
  }

  private mutating func elements(_ root: Int64, of column: RealmColumn) throws(RealmFileError) -> [RealmValue]
  {
    if column.type == .mixed { return try mixedList(root) }
    return try elements(root, type: column.type, isNullable: column.isNullable, target: column.target)
  }

  /// The elements of a list of mixed values.
  private mutating func mixedList(_ root: Int64) throws(RealmFileError) -> [RealmValue] {
    var values: [RealmValue] = []
    let node = try snapshot.node(at: root, claims: claims)
    guard node.isInner else {
      _ = try appendMixed(node, to: &values)
      return values
    }
    let (leaves, stated) = try tree.leaves(under: node)
    var total = 0
    for leaf in leaves { total += try appendMixed(leaf, to: &values) }
    guard total == stated else { throw node.damage("a list does not have the length it states") }
    return values
  }

  private mutating func appendMixed(_ node: Node, to values: inout [RealmValue]) throws(RealmFileError) -> Int
  {
    let leaf = try MixedLeaf(node, snapshot: snapshot, claims: claims)
    let count = leaf.composite.count
    try spend(count, node)
    if values.isEmpty { values.reserveCapacity(count) }
    for index in 0..<count { values.append(try mixedValue(leaf, index)) }
    return count
  }

  /// The elements of a list or set of single values.
  private mutating func elements(
    _ root: Int64, type: RealmType, isNullable: Bool, target: String?
  ) throws(RealmFileError) -> [RealmValue] {
    var values: [RealmValue] = []
    let node = try snapshot.node(at: root, claims: claims)
    guard node.isInner else {
      _ = try append(node, type: type, isNullable: isNullable, target: target, to: &values)
      return values
    }
    let (leaves, stated) = try tree.leaves(under: node)
    var total = 0
    for leaf in leaves {
      total += try append(leaf, type: type, isNullable: isNullable, target: target, to: &values)
    }
    guard total == stated else { throw node.damage("a list does not have the length it states") }
    return values
  }

  /// The elements of a list of formats up to 9: a table of one column.
  private mutating func subtable(
    _ ref: Int64, _ element: ColumnarTree.Element
  ) throws(RealmFileError) -> [RealmValue] {
    let node = try snapshot.node(at: ref, claims: claims)
    guard let root = try Slots(node, "a list").optionalRef(0, "the values of a list") else { return [] }
    let tree = ColumnarTree(code: element.code, isNullable: element.isNullable, root: root)
    var walk = ColumnWalk(tree, from: 0, snapshot: snapshot, claims: claims)
    var values: [RealmValue] = []
    while try walk.advance(to: values.count) {
      try spend(walk.end - values.count, node)
      for index in values.count..<walk.end {
        let cell = try walk.leaf.cell(
          index - walk.first, enumerated: nil, snapshot: snapshot, claims: claims)
        values.append(RealmValue(cell, target: nil, snapshot: snapshot))
      }
    }
    return values
  }

  private mutating func append(
    _ node: Node, type: RealmType, isNullable: Bool, target: String?, to values: inout [RealmValue]
  ) throws(RealmFileError) -> Int {
    let leaf = try ColumnLeaf(node, type: type, isNullable: isNullable, snapshot: snapshot, claims: claims)
    let count = leaf.count
    try spend(count, node)
    if values.isEmpty { values.reserveCapacity(count) }
    for index in 0..<count {
      let cell = try leaf.cell(index, enumerated: nil, snapshot: snapshot, claims: claims)
      let value = RealmValue(cell, target: target, snapshot: snapshot)
      // A link without an object is hidden from applications.
      if type == .link, value.isNull { continue }
      values.append(value)
    }
    return count
  }

  private var tree: BPlusTree {
    var tree = BPlusTree(snapshot: snapshot, claims: claims)
    tree.maxElements = remaining
    return tree
  }

  private mutating func spend(_ count: Int, _ node: Node) throws(RealmFileError) {
    guard count <= Self.maxLeafSize else { throw node.damage("a leaf of a list has \(count) elements") }
    guard count <= remaining else { throw node.damage("a value has more than \(Self.maxElements) elements") }
    remaining -= count
  }

  /// Throws `damaged` when a cell has more bytes of text than the file.
  mutating func spend(bytes count: Int, _ ref: Int) throws(RealmFileError) {
    guard count <= remainingBytes else {
      throw .damaged(what: "a value is longer than the file it is in", offset: ref)
    }
    remainingBytes -= count
  }

  /// A dictionary of formats 23 and later, and of mixed values: two trees side by side.
  mutating func dictionary(
    _ ref: Int64, hasIntKeys: Bool, valueType: RealmType
  ) throws(RealmFileError) -> RealmDictionary {
    let node = try snapshot.node(at: ref, claims: claims)
    let slots = try Slots(node, "a dictionary")
    guard slots.count == 2 else { throw node.damage("a dictionary has \(slots.count) parts") }
    let keys = try elements(
      slots.ref(0, "the keys of a dictionary"), type: hasIntKeys ? .int : .string, isNullable: false,
      target: nil)
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
      guard let slots = cluster.slots else { continue }
      let node = slots.node
      let keyNode = try snapshot.node(
        at: slots.ref(1, "the keys of a dictionary"), claims: claims)
      let valueNode = try snapshot.node(
        at: slots.ref(2, "the values of a dictionary"), claims: claims)
      var (keys, values): ([RealmValue], [RealmValue]) = ([], [])
      _ = try append(
        keyNode, type: hasIntKeys ? .int : .string, isNullable: false, target: nil, to: &keys)
      _ = try appendMixed(valueNode, to: &values)
      guard keys.count == cluster.count, values.count == cluster.count else {
        throw node.damage("the parts of a dictionary differ in length")
      }
      for index in 0..<cluster.count {
        entries.append(try Self.entry(keys[index], values[index], valueType, node))
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
