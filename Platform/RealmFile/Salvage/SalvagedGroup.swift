/// The tables of one snapshot, each read on its own.
struct SalvagedGroup {
  struct Entry {
    let slot: Int
    let key: UInt64?
    let name: String
    let table: Result<RealmTable, RealmFileError>

    var isRead: Bool {
      if case .success = table { true } else { false }
    }
  }

  let snapshot: Snapshot
  private(set) var entries: [Entry] = []
  private var positions: [Int: Int] = [:]
  /// What is wrong with the top node and the names of the tables.
  private(set) var damage: RealmFileError?

  var tableCount: Int { entries.count(where: \.isRead) }
  var hasTables: Bool { tableCount > 0 }

  /// The error that says so, where a table shows that an upgrade was interrupted.
  var halfUpgraded: RealmFileError? {
    for entry in entries {
      if case .failure(let error) = entry.table, case .halfUpgraded = error { return error }
    }
    return nil
  }

  func entry(slot: Int) -> Entry? {
    positions[slot].map { entries[$0] }
  }

  private static let maxTables = 65_536

  /// Throws where there is no list of tables.
  init(_ snapshot: Snapshot) throws(RealmFileError) {
    self.snapshot = snapshot
    guard snapshot.header.topRef != 0 else { return }
    let claims = NodeClaims(fileSize: snapshot.image.size)
    let topNode = try snapshot.node(at: snapshot.header.topRef, claims: claims)
    let top = try Slots(topNode, "the top node")
    try snapshot.bound(by: Int.max, top: topNode)
    damage = Self.sizeDamage(top, fileSize: snapshot.image.size)
    let tablesNode = try snapshot.node(at: top.ref(1, "the list of tables"), claims: claims)
    let slots = try Slots(tablesNode, "the list of tables")
    guard slots.count <= Self.maxTables else { throw tablesNode.damage("there are \(slots.count) tables") }
    var names: TableNames?
    do throws(RealmFileError) {
      let node = try snapshot.node(at: top.ref(0, "the list of table names"), claims: claims)
      let found = try TableNames(node, count: slots.count, snapshot)
      (names, damage) = (found, damage ?? found.damage)
    } catch {
      damage = error
    }
    let heads = try Self.heads(slots, names, snapshot, claims)
    let keys = Self.primaryKeys(heads, snapshot, claims)
    for head in heads where !(snapshot.isColumnar && head.name == PrimaryKeys.tableName) {
      let table = head.result.flatMap { head in Self.table(head, keys, snapshot, claims) }
      var key: UInt64?
      if case .success(let head) = head.result { key = head.key }
      positions[head.slot] = entries.count
      entries.append(Entry(slot: head.slot, key: key, name: head.name, table: table))
    }
  }

  private static func sizeDamage(_ top: Slots, fileSize: Int) -> RealmFileError? {
    let size = UInt64(bitPattern: top.raw(2)) >> 1
    guard size > UInt64(fileSize) else { return nil }
    return top.node.damage("the file is \(fileSize) bytes long but was written with \(size)")
  }

  private typealias Head = (slot: Int, name: String, result: Result<TableHead, RealmFileError>)

  private static func heads(
    _ slots: Slots, _ names: TableNames?, _ snapshot: Snapshot, _ claims: NodeClaims
  ) throws(RealmFileError) -> [Head] {
    var heads: [Head] = []
    snapshot.tableNames = Array(repeating: nil, count: slots.count)
    for slot in 0..<slots.count {
      let ref = slots.raw(slot)
      guard ref != 0, ref & 1 == 0 else { continue }
      let name = names?.name(slot) ?? "unnamed_\(slot)"
      let result = Result { () throws(RealmFileError) in
        try TableHead(snapshot.node(at: ref, claims: claims), slot: slot, name: name, snapshot: snapshot)
      }
      if case .success(let head) = result { snapshot.tableNames[slot] = (key: head.key, name: name) }
      heads.append((slot, name, result))
    }
    return heads
  }

  private static func primaryKeys(
    _ heads: [Head], _ snapshot: Snapshot, _ claims: NodeClaims
  ) -> PrimaryKeys {
    guard snapshot.isColumnar, let head = heads.first(where: { $0.name == PrimaryKeys.tableName }) else {
      return PrimaryKeys()
    }
    let table = head.result.flatMap { head in Self.table(head, PrimaryKeys(), snapshot, claims) }
    let keys = table.flatMap { table in Result { () throws(RealmFileError) in try PrimaryKeys(table) } }
    // Without primary keys the rows still read.
    if case .success(let keys) = keys { return keys }
    return PrimaryKeys()
  }

  private static func table(
    _ head: TableHead, _ keys: PrimaryKeys, _ snapshot: Snapshot, _ claims: NodeClaims
  ) -> Result<RealmTable, RealmFileError> {
    Result { () throws(RealmFileError) in
      let layout =
        snapshot.isColumnar
        ? try TableLayout(columnar: head, primaryKeys: keys, snapshot: snapshot, claims: claims)
        : try TableLayout(head, snapshot: snapshot, claims: claims)
      return try RealmTable(layout, snapshot: snapshot)
    }
  }
}

extension SalvagedGroup.Entry {
  /// The table, or the same one of another snapshot where more of its rows are left there.
  func better(others: [Self]) throws(RealmFileError) -> Result<RealmTable, RealmFileError> {
    guard let (rows, losses) = try count() else {
      let other = others.first { $0.isAlsoKnown(as: self) && $0.isRead }
      return other?.table ?? table
    }
    guard losses > 0 else { return table }
    var (best, most) = (table, rows)
    for other in others where other.isAlsoKnown(as: self) {
      if let (rows, _) = try other.count(), rows > most { (best, most) = (other.table, rows) }
    }
    return best
  }

  private func isAlsoKnown(as entry: Self) -> Bool {
    key == nil || entry.key == nil || key == entry.key
  }

  /// How many rows can be reached, and how many runs of rows can't; nil where there is no table.
  private func count() throws(RealmFileError) -> (rows: Int, losses: Int)? {
    guard case .success(let table) = table else { return nil }
    let cursor = table.rows()
    var rows = 0
    while let cluster = try cursor.nextCluster() { rows += cluster.count }
    let isShort = table.statedRowCount.map { $0 > rows } ?? true
    return (rows, cursor.losses.count + (isShort ? 1 : 0))
  }
}
