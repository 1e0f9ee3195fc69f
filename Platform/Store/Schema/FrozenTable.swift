/// A table as it was at one time, whatever has become of it in Swift: what a schema change holds of the past.
public struct FrozenTable: Sendable, Equatable {
  /// The name in the schema.
  public let name: String
  let hasAccount: Bool
  let key: String
  var columns: [FrozenColumn]
  /// The columns of each index, without the account.
  var indexes: [[String]]
  /// The columns in which a search looks; none where there is no search index.
  var search: [String]

  /// - Parameters:
  ///   - hasAccount: whether it was a table of `AccountScope`.
  ///   - key: the name of the key's column.
  ///   - columns: all of them, in their order.
  ///   - indexes: the columns of each index; a reference had one, too.
  ///   - search: the columns of the search index.
  public init(
    _ name: String, hasAccount: Bool = true, key: String, columns: [FrozenColumn], indexes: [[String]] = [],
    search: [String] = []
  ) {
    self.name = name
    self.hasAccount = hasAccount
    self.key = key
    self.columns = columns
    self.indexes = indexes
    self.search = search
  }

  func column(_ name: String) -> FrozenColumn? { columns.first { $0.name == name } }

  /// What is wrong with it; nil where nothing is.
  var fault: String? {
    let names = columns.map(\.name)
    if Set(names).count < names.count { return "two of its columns have one name" }
    if let absent = (indexes.joined() + search + [key]).first(where: { !names.contains($0) }) {
      return "it has no column \(absent)"
    }
    if let other = search.first(where: { column($0)?.isSearchable != true }) {
      return "\(other) is no text in which a search could look"
    }
    return nil
  }
}

/// A column of a `FrozenTable`.
public struct FrozenColumn: Sendable, Equatable {
  let name: String
  var shape: ColumnShape

  /// - Parameter type: any type with the shape that the column had: `String.self` where there was an enumeration
  ///   over texts, `Int?.self` where it might be absent.
  public init(_ name: String, _ type: any ColumnValue.Type) { self.init(name: name, shape: type.shape) }

  /// A list of members of any type with the shape that they had.
  ///
  /// - Parameter isOptional: whether the list might be absent.
  public init(_ name: String, members type: any ColumnValue.Type, isOptional: Bool = false) {
    self.init(
      name: name,
      shape: ColumnShape(storage: .text, isOptional: isOptional, member: MemberShape(type.shape)))
  }

  init(name: String, shape: ColumnShape) {
    self.name = name
    // What a value means to a person is no part of the schema.
    self.shape = ColumnShape(
      storage: shape.storage, isOptional: shape.isOptional, check: shape.check, member: shape.member)
  }

  /// Whether a search can look in it. (A value as JSON is a text here, too; the declaration refuses that.)
  var isSearchable: Bool { (shape.member?.storage ?? shape.storage) == .text }

  /// Whether a value has the column's storage class.
  func accepts(_ value: StoredValue) -> Bool {
    switch (value, shape.storage) {
    case (.null, _): shape.isOptional
    case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}

extension FrozenColumn {
  var sql: String {
    var sql = "\(quoted(name)) \(shape.storage.rawValue)"
    if !shape.isOptional { sql += " NOT NULL" }
    if let check = shape.check { sql += " CHECK (\(check.replacing("?", with: quoted(name))))" }
    return sql
  }
}

extension FrozenTable {
  /// The statements that make the table, its indexes, and what the store keeps beside it.
  var schema: [SchemaObject] {
    [SchemaObject(name: name, sql: create(as: name))] + indexObjects + sides.schema
  }

  var sides: SideTables { SideTables(self) }

  /// The statement that makes the table under a name.
  func create(as name: String) -> String {
    let account = hasAccount ? ["\(quoted(TableDeclaration.accountColumn)) INTEGER NOT NULL"] : []
    let key = (prefix + [self.key]).map(quoted).joined(separator: ", ")
    let body = (account + columns.map(\.sql) + ["PRIMARY KEY (\(key))"]).joined(separator: ", ")
    return "CREATE TABLE \(quoted(name)) (\(body)) STRICT"
  }

  var indexObjects: [SchemaObject] { indexes.map(indexObject) }

  func indexObject(_ columns: [String]) -> SchemaObject {
    let indexName = ([name] + columns).joined(separator: ".")
    let list = (prefix + columns).map(quoted).joined(separator: ", ")
    return SchemaObject(
      name: indexName, sql: "CREATE INDEX \(quoted(indexName)) ON \(quoted(name)) (\(list))")
  }

  var prefix: [String] { hasAccount ? [TableDeclaration.accountColumn] : [] }
}
