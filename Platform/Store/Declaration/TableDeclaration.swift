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
  let indexes: [[Int]]
  /// What is wrong with the declaration itself; the store refuses to open with it.
  let fault: String?

  init(
    name: String, hasAccount: Bool, isTracked: Bool, columns: [ColumnDeclaration], keyIndex: Int?,
    indexes: [[Int?]]
  ) {
    self.name = name
    self.hasAccount = hasAccount
    self.isTracked = isTracked
    self.columns = columns
    self.keyIndex = keyIndex ?? 0
    self.indexes = indexes.map { $0.compactMap(\.self) }
    let names = columns.map(\.name)
    let indexed = columns.indices.filter { columns[$0].reference != nil }.map { [$0] } + self.indexes
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

  public var key: ColumnDeclaration { columns[keyIndex] }

  /// The statements that make the table and its indexes.
  var schema: [SchemaObject] { frozen.schema }
}

/// A table or an index as `sqlite_schema` lists it.
struct SchemaObject: Sendable {
  let name: String
  let sql: String
}
