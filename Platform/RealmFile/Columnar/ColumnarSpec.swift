/// The declaration of a table's columns in formats up to 9 (the format specification, section 16.2).
struct ColumnarSpec {
  /// A column as it is declared, with its name as the library's own upgrade would leave it.
  struct Declaration {
    let name: String
    let code: Int64
    let isNullable: Bool
    /// The position in the columns array.
    let position: Int
    /// The slot of the table that links lead to.
    var target: Int64?
    /// The root of the strings that an interned column's numbers stand for.
    var strings: Int64?
    /// The declaration in a sub-table's only column; nil for a sub-table of several.
    var element: ColumnarTree.Element?
  }

  /// All columns, backlinks too; those have no name.
  let declarations: [Declaration]
  let publicCount: Int

  private static let maxColumns = 65_536

  init(_ node: Node, _ snapshot: Snapshot, _ claims: NodeClaims) throws(RealmFileError) {
    let slots = try Slots(node, "a table spec")
    guard slots.count < 6 || slots.raw(5) == 0 else { throw snapshot.halfUpgraded(node) }
    guard (3...5).contains(slots.count) else { throw node.damage("a table spec has \(slots.count) elements") }
    let types = try snapshot.node(at: slots.ref(0, "the column types"), claims: claims)
      .integers("the column types")
    let names = try ShortStrings(
      snapshot.node(at: slots.ref(1, "the column names"), claims: claims), "the column names", nulls: .none)
    let attributes = try snapshot.node(at: slots.ref(2, "the column attributes"), claims: claims)
      .integers("the column attributes")
    let count = types.count
    guard attributes.count == count, names.count <= count, count <= Self.maxColumns else {
      throw node.damage("the parts of a table spec differ in length")
    }
    var subspecs = try Entries(slots, 3, "the sub-specs", snapshot, claims)
    var strings = try Entries(slots, 4, "the interned strings", snapshot, claims)
    var declarations: [Declaration] = []
    var position = 0
    var taken = Set<[UInt8]>()
    for index in 0..<count {
      let code = types[index]
      guard (code == TypeCode.backlink) == (index >= names.count) else {
        throw node.damage("there are \(names.count) names for \(index) or more public columns")
      }
      let name = index < names.count ? Self.name(try names.text(index) ?? "", index, &taken) : ""
      var declaration = Declaration(
        name: name, code: code, isNullable: attributes[index] & ColumnAttribute.nullable != 0,
        position: position)
      switch code {
      case TypeCode.link, TypeCode.linkList: declaration.target = try subspecs.number()
      case TypeCode.backlink: _ = (try subspecs.number(), try subspecs.number())
      case TypeCode.subtable: declaration.element = try Self.element(subspecs.ref(), snapshot, claims)
      case TypeCode.enumerated: declaration.strings = try strings.ref()
      default: break
      }
      declarations.append(declaration)
      position += attributes[index] & ColumnAttribute.indexed != 0 ? 2 : 1
    }
    self.declarations = declarations
    publicCount = names.count
  }

  /// The library's upgrade gives empty and repeated names a number (section 16.2).
  private static func name(_ stored: String, _ index: Int, _ taken: inout Set<[UInt8]>) -> String {
    let name = stored.isEmpty ? "col_\(index)" : stored
    if taken.insert(Array(name.utf8)).inserted { return name }
    let numbered = "\(name)_\(index)"
    taken.insert(Array(numbered.utf8))
    return numbered
  }

  private static func element(
    _ ref: Int64, _ snapshot: Snapshot, _ claims: NodeClaims
  ) throws(RealmFileError) -> ColumnarTree.Element? {
    let slots = try Slots(snapshot.node(at: ref, claims: claims), "the spec of a sub-table")
    let types = try snapshot.node(at: slots.ref(0, "the column types"), claims: claims)
      .integers("the column types")
    let attributes = try snapshot.node(at: slots.ref(2, "the column attributes"), claims: claims)
      .integers("the column attributes")
    guard types.count == 1, attributes.count == 1, [0, 1, 2, 4, 7, 8, 9, 10].contains(types[0]) else {
      return nil
    }
    return ColumnarTree.Element(
      code: types[0], isNullable: attributes[0] & ColumnAttribute.nullable != 0)
  }

  /// Entries that only some columns have, in column order.
  private struct Entries {
    private let slots: Slots?
    private let name: StaticString
    private var next = 0

    init(
      _ spec: Slots, _ index: Int, _ name: StaticString, _ snapshot: Snapshot, _ claims: NodeClaims
    ) throws(RealmFileError) {
      self.name = name
      guard let ref = try spec.optionalRef(index, name) else {
        slots = nil
        return
      }
      slots = try Slots(snapshot.node(at: ref, claims: claims), name)
    }

    mutating func ref() throws(RealmFileError) -> Int64 {
      guard let slots else { throw .damaged(what: "\(name) are missing", offset: 0) }
      defer { next += 1 }
      return try slots.ref(next, name)
    }

    mutating func number() throws(RealmFileError) -> Int64 {
      guard let slots else { throw .damaged(what: "\(name) are missing", offset: 0) }
      defer { next += 1 }
      return Int64(clamping: try slots.tagged(next, name))
    }
  }
}
