/// The top node of a snapshot (the format specification, section 4): the list of tables.
enum Group {
  private static let legalSizes: Set<Int> = [3, 5, 7, 9, 10, 11, 12]
  private static let maxTables = 65_536

  /// Reads the tables of a snapshot in group order; vacant slots are left out.
  static func tables(of snapshot: Snapshot) throws(RealmFileError) -> [RealmTable] {
    guard snapshot.header.topRef != 0 else { return [] }
    let claims = NodeClaims(fileSize: snapshot.image.size)
    let topNode = try snapshot.node(at: snapshot.header.topRef, claims: claims)
    let top = try Slots(topNode, "the top node")
    guard legalSizes.contains(top.count) else {
      throw topNode.damage("the top node has \(top.count) elements")
    }
    let logicalSize = try top.tagged(2, "the logical file size")
    try snapshot.bound(by: Int(clamping: logicalSize), top: topNode)

    let namesNode = try snapshot.node(at: top.ref(0, "the list of table names"), claims: claims)
    let names = try ShortStrings(namesNode, "the list of table names")
    let tablesNode = try snapshot.node(at: top.ref(1, "the list of tables"), claims: claims)
    let slots = try Slots(tablesNode, "the list of tables")
    guard names.count == slots.count, slots.count <= maxTables else {
      throw tablesNode.damage("there are \(names.count) table names for \(slots.count) tables")
    }

    var heads: [TableHead] = []
    if snapshot.isColumnar { try refuseProgressTable(names, snapshot, tablesNode) }
    snapshot.tableNames = Array(repeating: nil, count: slots.count)
    for slot in 0..<slots.count {
      let ref = slots.raw(slot)
      guard ref != 0, ref & 1 == 0 else { continue }
      let head = try TableHead(
        snapshot.node(at: ref, claims: claims), slot: slot, name: names.text(slot) ?? "", snapshot: snapshot)
      snapshot.tableNames[slot] = (key: head.key, name: head.name)
      heads.append(head)
    }
    return snapshot.isColumnar
      ? try columnarTables(heads, snapshot, claims) : try clusteredTables(heads, snapshot, claims)
  }

  /// The library keeps such a table while it upgrades a file to format 10 (the format specification, section 17).
  private static func refuseProgressTable(
    _ names: ShortStrings, _ snapshot: Snapshot, _ node: Node
  ) throws(RealmFileError) {
    for slot in 0..<names.count where try names.text(slot) == "!UPDATE_PROGRESS" {
      throw snapshot.halfUpgraded(node)
    }
  }

  private static func clusteredTables(
    _ heads: [TableHead], _ snapshot: Snapshot, _ claims: NodeClaims
  ) throws(RealmFileError) -> [RealmTable] {
    var tables: [RealmTable] = []
    for head in heads {
      tables.append(try RealmTable(TableLayout(head, snapshot: snapshot, claims: claims), snapshot: snapshot))
    }
    return tables
  }

  /// Formats up to 9: the table of primary keys is read first, and is no table of the app's.
  private static func columnarTables(
    _ heads: [TableHead], _ snapshot: Snapshot, _ claims: NodeClaims
  ) throws(RealmFileError) -> [RealmTable] {
    func table(_ head: TableHead, _ keys: PrimaryKeys) throws(RealmFileError) -> RealmTable {
      try RealmTable(
        TableLayout(columnar: head, primaryKeys: keys, snapshot: snapshot, claims: claims), snapshot: snapshot
      )
    }
    var keys = PrimaryKeys()
    if let head = heads.first(where: { $0.name == PrimaryKeys.tableName }) {
      keys = try PrimaryKeys(table(head, keys))
    }
    var tables: [RealmTable] = []
    for head in heads where head.name != PrimaryKeys.tableName { tables.append(try table(head, keys)) }
    return tables
  }
}
