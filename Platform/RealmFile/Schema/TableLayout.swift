/// A table's own node (the format specification, section 5), before its columns are read.
struct TableHead {
  let slots: Slots
  let key: UInt64
  let name: String

  init(_ node: Node, slot: Int, name: String) throws(RealmFileError) {
    let slots = try Slots(node, "a table")
    guard (12...14).contains(slots.count) else { throw node.damage("a table has \(slots.count) elements") }
    let key = try slots.tagged(3, "a table key")
    guard key & 0xFFFF == UInt64(slot), key < 0x7FFF_FFFF else {
      throw node.damage("table \(slot) has the key \(key)")
    }
    self.slots = slots
    self.key = key
    self.name = name
  }
}

/// The columns of a table, and where its rows are.
final class TableLayout {
  let name: String
  let kind: RealmTable.Kind
  let columns: [ColumnLayout]
  let publicColumns: [RealmColumn]
  let primaryKey: Int?
  let clusterRoot: Int64

  init(_ head: TableHead, snapshot: Snapshot, claims: NodeClaims) throws(RealmFileError) {
    let slots = head.slots
    name = head.name
    switch try slots.optionalTagged(12, "the table flags").map({ $0 & 3 }) {
    case nil, 0: kind = .topLevel
    case 1: kind = .embedded
    case 2: kind = .asymmetric
    default: throw slots.node.damage("the table flags are unknown")
    }
    clusterRoot = try slots.ref(2, "the rows of a table")
    let spec = try Spec(snapshot.node(at: slots.ref(0, "a table spec"), claims: claims), snapshot, claims)
    columns = try spec.columns(
      targets: Self.targets(slots, snapshot, claims), snapshot: snapshot, claims: claims)
    publicColumns = columns.map(\.column)
    primaryKey = try Self.primaryKey(slots, spec)
  }

  /// Target table keys by leaf index; empty where the table has no link columns.
  private static func targets(
    _ slots: Slots, _ snapshot: Snapshot, _ claims: NodeClaims
  ) throws(RealmFileError) -> PackedIntegers? {
    guard let ref = try slots.optionalRef(7, "the opposite tables") else { return nil }
    return try snapshot.node(at: ref, claims: claims).integers("the opposite tables")
  }

  private static func primaryKey(_ slots: Slots, _ spec: Spec) throws(RealmFileError) -> Int? {
    guard let bits = try slots.optionalTagged(11, "the primary key") else { return nil }
    let index = (0..<spec.publicCount).first { UInt64(bitPattern: spec.keys[$0]) == bits }
    guard index != nil || bits == 0 else {
      throw slots.node.damage("the primary key is no column of the table")
    }
    return index
  }
}
