/// A table's own node (the format specification, section 5), before its columns are read.
struct TableHead {
  let slots: Slots
  let key: UInt64
  let name: String

  init(_ node: Node, slot: Int, name: String, snapshot: Snapshot) throws(RealmFileError) {
    let slots = try Slots(node, "a table")
    if snapshot.isColumnar, slots.count == 2 {
      (self.slots, self.key, self.name) = (slots, UInt64(slot), name)
      return
    }
    guard (12...14).contains(slots.count) else { throw node.damage("a table has \(slots.count) elements") }
    guard !snapshot.isColumnar else { throw snapshot.halfUpgraded(node) }
    let key = try slots.tagged(3, "a table key")
    guard key & 0xFFFF == UInt64(slot), key < 0x7FFF_FFFF else {
      throw node.damage("table \(slot) has the key \(key)")
    }
    self.slots = slots
    self.key = key
    self.name = name
  }
}

/// How the rows of a table are stored.
enum RowStorage {
  /// In a tree of clusters, since format 10.
  case clusters(root: Int64)
  /// In a tree for each column, `spine` among them, up to format 9.
  case columns(count: Int, spine: ColumnarTree?)
}

/// The columns of a table, and where its rows are.
final class TableLayout {
  let name: String
  let kind: RealmTable.Kind
  let columns: [ColumnLayout]
  let publicColumns: [RealmColumn]
  let primaryKey: Int?
  let unreadColumns: [RealmTable.UnreadColumn]
  let rows: RowStorage
  /// What comes before each value of a row, in canonical JSON.
  private(set) lazy var quotedNames: [[UInt8]] = publicColumns.enumerated().map { index, column in
    var text = JSONText()
    if index > 0 { text.raw(",") }
    text.string(column.name)
    text.raw(":")
    return text.bytes
  }

  init(_ head: TableHead, snapshot: Snapshot, claims: NodeClaims) throws(RealmFileError) {
    let slots = head.slots
    name = head.name
    let flags = try snapshot.tolerate { () throws(RealmFileError) in
      try slots.optionalTagged(12, "the table flags").map { $0 & 3 }
    }
    switch flags {
    case nil, 0: kind = .topLevel
    case 1: kind = .embedded
    case 2: kind = .asymmetric
    default:
      guard snapshot.isSalvaging else { throw slots.node.damage("the table flags are unknown") }
      kind = .topLevel
    }
    rows = .clusters(root: try slots.ref(2, "the rows of a table"))
    let spec = try Spec(snapshot.node(at: slots.ref(0, "a table spec"), claims: claims), snapshot, claims)
    let targets = try snapshot.tolerate { () throws(RealmFileError) in
      try Self.targets(slots, snapshot, claims)
    }
    let (columns, unread) = try spec.columns(targets: targets, snapshot: snapshot, claims: claims)
    self.columns = columns
    unreadColumns = unread
    publicColumns = columns.map(\.column)
    primaryKey = try snapshot.tolerate { () throws(RealmFileError) in
      try Self.primaryKey(slots, spec, columns)
    }
  }

  /// A table of formats up to 9.
  init(
    columnar head: TableHead, primaryKeys: PrimaryKeys, snapshot: Snapshot, claims: NodeClaims
  ) throws(RealmFileError) {
    let table = try ColumnarTable(head.slots, snapshot: snapshot, claims: claims)
    name = head.name
    kind = .topLevel
    columns = table.columns
    publicColumns = columns.map(\.column)
    primaryKey = primaryKeys.column(of: head.name, in: table)
    unreadColumns = table.unread
    rows = .columns(count: try table.rowCount(snapshot), spine: table.spine)
  }

  /// Target table keys by leaf index; empty where the table has no link columns.
  private static func targets(
    _ slots: Slots, _ snapshot: Snapshot, _ claims: NodeClaims
  ) throws(RealmFileError) -> PackedIntegers? {
    guard let ref = try slots.optionalRef(7, "the opposite tables") else { return nil }
    return try snapshot.node(at: ref, claims: claims).integers("the opposite tables")
  }

  private static func primaryKey(
    _ slots: Slots, _ spec: Spec, _ columns: [ColumnLayout]
  ) throws(RealmFileError) -> Int? {
    guard let bits = try slots.optionalTagged(11, "the primary key") else { return nil }
    let key = ColumnKey(bits: Int64(bitPattern: bits))
    let isColumn = (0..<spec.publicCount).contains { spec.keys[$0] == key.bits }
    guard isColumn || bits == 0 else { throw slots.node.damage("the primary key is no column of the table") }
    return isColumn ? columns.firstIndex { $0.leafIndex == key.leafIndex } : nil
  }
}
