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
    snapshot.tableNames = Array(repeating: nil, count: slots.count)
    for slot in 0..<slots.count {
      let ref = slots.raw(slot)
      guard ref != 0, ref & 1 == 0 else { continue }
      let head = try TableHead(
        snapshot.node(at: ref, claims: claims), slot: slot, name: names.text(slot) ?? "")
      snapshot.tableNames[slot] = (key: head.key, name: head.name)
      heads.append(head)
    }
    var tables: [RealmTable] = []
    for head in heads {
      tables.append(try RealmTable(TableLayout(head, snapshot: snapshot, claims: claims), snapshot: snapshot))
    }
    return tables
  }
}
