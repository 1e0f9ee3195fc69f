/// What the schema and a tool need to know of a table, whatever its record.
public struct TableDeclaration: Sendable {
  /// The name in the schema.
  public let name: String
  /// Whether each row belongs to an account.
  public let hasAccount: Bool
  /// Whether local changes enter the outbox.
  public let isTracked: Bool
  /// The columns, without the account.
  public let columns: [ColumnDeclaration]
  /// Which column is the key.
  public let keyIndex: Int
  /// The table as a schema change knows it.
  package let frozen: FrozenTable
  /// What the store keeps beside its rows.
  let sides: SideTables
  /// What is wrong with the declaration itself; the store refuses to open with it.
  let fault: String?
  /// The way to the table's records for whoever doesn't know their type.
  var records: RecordAccess?

  init(
    name: String, hasAccount: Bool, isTracked: Bool, columns: [ColumnDeclaration], keyIndex: Int?,
    indexes: [[Int?]], search: [Int?]? = nil
  ) {
    self.name = name
    self.hasAccount = hasAccount
    self.isTracked = isTracked
    self.columns = columns
    self.keyIndex = keyIndex ?? 0
    // A reference brings an index of its own.
    let indexed =
      columns.indices.filter { columns[$0].reference != nil }.map { [$0] }
      + indexes.map { $0.compactMap(\.self) }
    frozen = FrozenTable(
      name, hasAccount: hasAccount, key: columns.isEmpty ? "" : columns[self.keyIndex].name,
      columns: columns.map { FrozenColumn(name: $0.name, shape: $0.shape) },
      indexes: indexed.map { $0.map { columns[$0].name } },
      search: (search ?? []).compactMap { $0.map { columns[$0].name } })
    sides = SideTables(frozen)
    let names = columns.map(\.name)
    let isJSON = columns.map { $0.shape.meaning == .json }
    if let bad = ([name] + names).first(where: { !TableDeclaration.isSnakeCase($0) }) {
      fault = "\"\(bad)\" isn't in snake case"
    } else if name.hasPrefix("store_") || name.hasPrefix("sqlite_") {
      fault = "its name is reserved"
    } else if isTracked && !hasAccount {
      fault = "a table of the device can't be tracked"
    } else if Set(indexed).count < indexed.count {
      fault = "it has the same index twice; a reference is indexed already"
    } else if keyIndex == nil {
      fault = "its key is not among its columns"
    } else if self.columns[self.keyIndex].shape.isOptional {
      fault = "its key may be nil"
    } else if indexes.joined().contains(nil) {
      fault = "an index names a property that is not among its columns"
    } else if indexes.contains([]) {
      fault = "an index names no property"
    } else if indexes.joined().contains(where: { $0.map { isJSON[$0] } == true })
      || columns[self.keyIndex].shape.meaning == .json
    {
      fault = "a list or a value as JSON can't be its key or in an index"
    } else if let bare = columns.first(where: \.isNeedlessJSON) {
      fault = "\(bare.name) needn't be JSON: it is a column value"
    } else if let search, search.isEmpty || search.contains(nil) || Set(search).count < search.count {
      fault = "its search index names no property, one twice, or one that is not among its columns"
    } else if let search,
      let other = search.compactMap({ $0 }).map({ columns[$0] }).first(where: { !$0.isSearchable })
    {
      fault = "\(other.name) is no text in which a search could look"
    } else if Set(names).count < names.count || names.contains(TableDeclaration.accountColumn) {
      fault = "two of its columns have one name"
    } else {
      fault = nil
    }
  }

  private static func isSnakeCase(_ name: String) -> Bool {
    name.utf8.first.map { (0x61...0x7a).contains($0) } == true
      && name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f }
  }

  /// The hidden column that says whose a row is. No record has it and no query can omit it.
  static let accountColumn = "account_key"

  /// The column that is the identity of a row, within its account.
  public var key: ColumnDeclaration { columns[keyIndex] }

  /// The statements that make the table, its indexes, and what the store keeps beside it.
  var schema: [SchemaObject] { frozen.schema }
}

/// A table or an index as `sqlite_schema` lists it.
struct SchemaObject: Sendable {
  let name: String
  let sql: String
}
