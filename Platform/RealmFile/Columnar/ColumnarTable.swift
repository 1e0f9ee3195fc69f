/// A table of formats up to 9 (the format specification, section 16): a row is its index, and each column has a tree.
struct ColumnarTable {
  /// What becomes of the columns that the file has.
  let columns: [ColumnLayout]
  let unread: [RealmTable.UnreadColumn]
  /// Positions in the spec of `columns`.
  let specIndexes: [Int]
  /// A column that has an element for each row, where there are rows at all.
  let spine: ColumnarTree?

  /// The column of object identifiers that synced files had until format 9; not the app's.
  private static let hiddenColumn = "!OID"

  init(_ slots: Slots, snapshot: Snapshot, claims: NodeClaims) throws(RealmFileError) {
    let spec = try ColumnarSpec(
      snapshot.node(at: slots.ref(0, "a table spec"), claims: claims), snapshot, claims)
    let rootsNode = try snapshot.node(at: slots.ref(1, "the columns of a table"), claims: claims)
    let roots = try Slots(rootsNode, "the columns of a table")
    var columns: [ColumnLayout] = []
    var specIndexes: [Int] = []
    var unread: [RealmTable.UnreadColumn] = []
    var spine: ColumnarTree?
    for (index, declaration) in spec.declarations.enumerated() {
      let tree = ColumnarTree(
        code: declaration.code, isNullable: declaration.isNullable,
        root: try roots.ref(declaration.position, "a column of a table"), element: declaration.element)
      if spine == nil { spine = tree }
      if index >= spec.publicCount || (index == 0 && declaration.name == Self.hiddenColumn) { continue }
      if let why = Self.loss(declaration) { unread.append(.init(name: declaration.name, why: why)) }
      guard let layout = Self.layout(declaration, tree, snapshot, rootsNode) else {
        guard declaration.code == TypeCode.subtable else {
          throw rootsNode.damage("a column has the type \(declaration.code)")
        }
        continue
      }
      columns.append(layout)
      specIndexes.append(index)
    }
    self.columns = columns
    self.specIndexes = specIndexes
    self.unread = unread
    self.spine = spine
  }

  func rowCount(_ snapshot: Snapshot) throws(RealmFileError) -> Int {
    guard snapshot.isSalvaging else { return try spine?.count(snapshot) ?? 0 }
    for tree in columns.compactMap(\.tree) {
      do throws(RealmFileError) {
        return try tree.count(snapshot)
      } catch {
        continue
      }
    }
    return try spine?.count(snapshot) ?? 0
  }

  private static func loss(_ declaration: ColumnarSpec.Declaration) -> RealmTable.UnreadColumn.Reason? {
    switch declaration.code {
    case TypeCode.oldMixed: .oldMixed
    case TypeCode.subtable where declaration.element == nil: .subtable
    default: nil
    }
  }

  private static func layout(
    _ declaration: ColumnarSpec.Declaration, _ tree: ColumnarTree, _ snapshot: Snapshot, _ node: Node
  ) -> ColumnLayout? {
    let code = tree.element?.code ?? tree.code
    guard let type = type(code) else { return nil }
    let isList = [TypeCode.linkList, TypeCode.subtable].contains(tree.code)
    // A single link may be null whatever its attribute says, and a list of links holds none.
    let isNullable =
      type == .link ? !isList : type == .mixed || tree.element?.isNullable ?? tree.isNullable
    let column = RealmColumn(
      name: declaration.name, type: type, isNullable: isNullable, collection: isList ? .list : .none,
      target: declaration.target.flatMap { snapshot.tableName($0) })
    return ColumnLayout(
      column: column, tree: tree,
      enumerated: declaration.strings.map {
        EnumeratedStrings(
          root: $0, nulls: ColumnarTree.nulls(isText: true, isNullable: declaration.isNullable))
      })
  }

  private static func type(_ code: Int64) -> RealmType? {
    switch code {
    case TypeCode.enumerated: .string
    case TypeCode.oldDate: .timestamp
    case 0, 1, 2, 4, 6, 8, 9, 10, 12, 13: TypeCode.type(code)
    default: nil
    }
  }
}
