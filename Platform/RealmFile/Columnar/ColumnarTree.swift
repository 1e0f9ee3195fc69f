/// Where one column of a table of formats up to 9 is, and how its values are stored (the format specification,
/// section 16.4).
struct ColumnarTree {
  /// The type code of the column, backlinks among them.
  let code: Int64
  let isNullable: Bool
  /// What the columns array holds for the column.
  let root: Int64
  /// The declaration of a list's elements, which are a column of their own in each cell.
  var element: Element?

  struct Element {
    let code: Int64
    let isNullable: Bool
  }

  /// How strings and binaries of the column tell null.
  static func nulls(isText: Bool, isNullable: Bool) -> NullStyle {
    guard isNullable else { return .none }
    return isText ? .markedByZero : .marked
  }

  /// The number of values, as the root states it.
  func count(_ snapshot: Snapshot) throws(RealmFileError) -> Int {
    let node = try snapshot.node(at: mainRoot(snapshot, claims: nil), claims: nil)
    guard node.isInner else { return try leaf(node, snapshot: snapshot, claims: nil).count }
    let slots = try Slots(node, "an inner node of a column")
    let stated = try slots.tagged(slots.count - 1, "the length of a column")
    guard stated <= UInt64(Int32.max) else { throw node.damage("a column has \(stated) values") }
    return Int(stated)
  }

  /// The root of the tree that has an element per row; the nanoseconds of timestamps have another.
  func mainRoot(_ snapshot: Snapshot, claims: NodeClaims?) throws(RealmFileError) -> Int64 {
    guard code == TypeCode.timestamp || code == TypeCode.oldMixed else { return root }
    let node = try snapshot.node(at: root, claims: claims)
    return try Slots(node, "a column of several trees").ref(0, "the first tree of a column")
  }

  /// The root of the nanoseconds of timestamps.
  func nanosecondsRoot(_ snapshot: Snapshot) throws(RealmFileError) -> Int64? {
    guard code == TypeCode.timestamp else { return nil }
    let node = try snapshot.node(at: root, claims: nil)
    return try Slots(node, "a column of timestamps").ref(1, "the nanoseconds of timestamps")
  }

  /// A leaf of the main tree, opened.
  func leaf(_ node: Node, snapshot: Snapshot, claims: NodeClaims?) throws(RealmFileError) -> ColumnLeaf {
    switch code {
    case 0 where isNullable: return try ColumnLeaf(.nullableInt, nullable: node)
    case 0: return ColumnLeaf(.int, try node.integers("a leaf of integers"))
    case 1 where isNullable: return try ColumnLeaf(.nullableBool, nullable: node)
    case 1: return ColumnLeaf(.bool, try node.integers("a leaf of booleans"))
    case 2, 4:
      let isText = code == 2
      let bytes = try BytesLeaf(
        node, isText: isText, nulls: Self.nulls(isText: isText, isNullable: isNullable),
        snapshot: snapshot, claims: claims)
      return ColumnLeaf(isText ? .text : .binary, bytes)
    case TypeCode.enumerated:
      return ColumnLeaf(.enumerated, try node.integers("a leaf of interned strings"))
    case TypeCode.oldDate where isNullable: return try ColumnLeaf(.nullableDate, nullable: node)
    case TypeCode.oldDate: return ColumnLeaf(.date, try node.integers("a leaf of dates"))
    case TypeCode.timestamp: return try ColumnLeaf(.timestamp, nullable: node)
    case 9: return try ColumnLeaf(.float, node, width: 4)
    case 10: return try ColumnLeaf(.double, node, width: 8)
    case TypeCode.link: return ColumnLeaf(.link, try node.integers("a leaf of links"))
    case TypeCode.linkList, TypeCode.subtable:
      return ColumnLeaf(.collection, try node.refs("a leaf of lists"))
    case TypeCode.oldMixed:
      return ColumnLeaf(.nothing, count: try node.integers("the types of old mixed values").count)
    case TypeCode.backlink: return ColumnLeaf(.nothing, count: try node.refs("a leaf of backlinks").count)
    default: throw node.damage("a column has the type \(code)")
    }
  }
}

extension ColumnLeaf {
  init(_ kind: Kind, nullable node: Node) throws(RealmFileError) {
    let integers = try NullableIntegers(node, "the integers of a leaf")
    self.init(kind, count: integers.count)
    nullable = integers
  }
}
