/// The declaration of a table's columns (the format specification, section 6).
struct Spec {
  let node: Node
  let publicCount: Int
  let keys: PackedIntegers
  private let types: PackedIntegers
  private let attributes: PackedIntegers
  private let names: ShortStrings
  private let enumerated: Slots?

  /// Leaf indexes have 16 bits and no two columns share one.
  private static let maxColumns = 65_536

  init(_ node: Node, _ snapshot: Snapshot, _ claims: NodeClaims) throws(RealmFileError) {
    let slots = try Slots(node, "a table spec")
    guard slots.count == 6 else { throw node.damage("a table spec has \(slots.count) elements") }
    self.node = node
    types = try snapshot.node(at: slots.ref(0, "the column types"), claims: claims)
      .integers("the column types")
    names = try ShortStrings(
      snapshot.node(at: slots.ref(1, "the column names"), claims: claims), "the column names")
    attributes = try snapshot.node(at: slots.ref(2, "the column attributes"), claims: claims)
      .integers("the column attributes")
    keys = try snapshot.node(at: slots.ref(5, "the column keys"), claims: claims)
      .integers("the column keys")
    if let ref = try slots.optionalRef(4, "the enumerated strings") {
      enumerated = try Slots(snapshot.node(at: ref, claims: claims), "the enumerated strings")
    } else {
      enumerated = nil
    }
    publicCount = names.count
    let count = types.count
    guard attributes.count == count, keys.count == count, publicCount <= count, count <= Self.maxColumns
    else {
      throw node.damage("the parts of a table spec differ in length")
    }
  }

  /// The public columns in the order in which they were added.
  ///
  /// `targets` holds target table keys by leaf index.
  func columns(
    targets: PackedIntegers?, snapshot: Snapshot, claims: NodeClaims
  ) throws(RealmFileError) -> (columns: [ColumnLayout], unread: [RealmTable.UnreadColumn]) {
    var taken = Set<Int>()
    var columns: [ColumnLayout] = []
    var unread: [RealmTable.UnreadColumn] = []
    for index in 0..<types.count {
      let key = ColumnKey(bits: keys[index])
      guard taken.insert(key.leafIndex).inserted || snapshot.isSalvaging else {
        throw node.damage("two columns share a leaf index")
      }
      let isBacklink = types[index] & 0xFFFF == TypeCode.backlink
      guard isBacklink == (index >= publicCount) || snapshot.isSalvaging else {
        throw node.damage("there are \(publicCount) names for \(index) or more public columns")
      }
      if index >= publicCount { continue }
      let target = targets?.element(Int64(key.leafIndex)).flatMap { snapshot.tableName($0) }
      do throws(RealmFileError) {
        columns.append(try column(index, key, target: target, snapshot: snapshot, claims: claims))
      } catch {
        guard snapshot.isSalvaging else { throw error }
        unread.append(.init(name: try names.text(index) ?? "", why: .damaged))
      }
    }
    return (columns, unread)
  }

  private func column(
    _ index: Int, _ key: ColumnKey, target: String?, snapshot: Snapshot, claims: NodeClaims
  ) throws(RealmFileError) -> ColumnLayout {
    let code = types[index] & 0xFFFF
    // The column key is what leaves are read by; while salvaging, its word is enough.
    guard let type = TypeCode.type(key.typeCode), TypeCode.type(code) == type || snapshot.isSalvaging else {
      throw node.damage("column \(index) has type \(code) in one place and \(key.typeCode) in another")
    }
    let ignored = ColumnAttribute.indexed | ColumnAttribute.unique
    guard attributes[index] & 0xFF & ~ignored == key.attributes & ~ignored || snapshot.isSalvaging else {
      throw node.damage("the attributes of column \(index) differ between two places")
    }
    let collection: RealmCollection
    let bits = key.attributes & (ColumnAttribute.list | ColumnAttribute.dictionary | ColumnAttribute.set)
    switch bits {
    case 0 where key.typeCode == TypeCode.linkList: collection = .list
    case 0: collection = .none
    case ColumnAttribute.list: collection = .list
    case ColumnAttribute.dictionary: collection = .dictionary
    case ColumnAttribute.set: collection = .set
    default: throw node.damage("column \(index) is more than one kind of collection")
    }
    let column = RealmColumn(
      name: try names.text(index) ?? "", type: type,
      isNullable: key.attributes & ColumnAttribute.nullable != 0,
      collection: collection, target: type == .link ? target : nil)
    var strings: EnumeratedStrings?
    if type == .string, collection == .none, let enumerated,
      let ref = try enumerated.optionalRef(index, "the enumerated strings of a column")
    {
      strings = EnumeratedStrings(root: ref)
    }
    return ColumnLayout(
      column: column, leafIndex: key.leafIndex,
      hasIntKeys: collection == .dictionary && types[index] >> 16 & 0xFF == 0, enumerated: strings)
  }
}
