import RealmFile

/// The tables of an exported database, from the classes' declarations.
///
/// A class is a table with its object keys in `_key`; a property is a column under its own name; a collection is a
/// table of its own (`Note_tags`) whose `owner` is the key of the row that it belongs to. Links are foreign keys.
struct SQLiteSchema {
  /// A property that is a column of its class's table.
  struct Field {
    /// Its position in the row.
    let index: Int
    let name: String
    let column: RealmColumn
    /// The table that it refers to.
    let target: String?
  }

  /// A property that is a table of its own.
  struct Side {
    let index: Int
    let name: String
    let column: RealmColumn
    let target: String?
    var isDictionary: Bool { column.collection == .dictionary }
    /// What tells the elements of one owner from each other.
    var order: String { isDictionary ? "key" : "position" }
  }

  struct ClassTable {
    let entry: ExportClass
    let name: String
    let keyName: String
    let fields: [Field]
    let sides: [Side]
    /// The column of the class's primary key.
    let primaryKey: String?
  }

  let tables: [ClassTable]
  private var names: UniqueNames
  private let isSalvaged: Bool

  /// - Parameter isSalvaged: leaves out what a lost cell would break.
  init(_ classes: [ExportClass], isSalvaged: Bool) {
    self.isSalvaged = isSalvaged
    var names = UniqueNames()
    // Classes take their names first, so that no collection's table takes one away.
    let tableNames = classes.map { names.claim(SafeName.sqlite($0.name)) }
    let keyNames = classes.map { Self.keyName(of: $0.table) }
    // In a damaged file names may repeat; a link then leads to the first, as the file's own lookup does.
    let targets = Dictionary(zip(classes.map(\.table.name), tableNames)) { first, _ in first }
    tables = classes.indices.map { position in
      let table = classes[position].table
      var columnNames = UniqueNames()
      var fields: [Field] = []
      var sides: [Side] = []
      for (index, column) in table.columns.enumerated() {
        let target = column.type == .link ? column.target.flatMap { targets[$0] } : nil
        if column.collection == .none {
          let name = columnNames.claim(SafeName.sqlite(column.name))
          fields.append(Field(index: index, name: name, column: column, target: target))
        } else {
          let name = names.claim("\(tableNames[position])_\(SafeName.sqlite(column.name))")
          sides.append(Side(index: index, name: name, column: column, target: target))
        }
      }
      let primaryKey = table.primaryKey.flatMap { key in fields.first { $0.index == key }?.name }
      return ClassTable(
        entry: classes[position], name: tableNames[position], keyName: keyNames[position], fields: fields,
        sides: sides, primaryKey: primaryKey)
    }
    self.names = names
  }

  private static func keyName(of table: RealmTable) -> String {
    var names = UniqueNames()
    for column in table.columns where column.collection == .none {
      _ = names.claim(SafeName.sqlite(column.name))
    }
    return names.claimOwn("_key")
  }

  // MARK: - SQL

  func create(_ table: ClassTable) -> String {
    var columns = ["\(quoted(table.keyName)) INTEGER PRIMARY KEY NOT NULL"]
    for field in table.fields {
      let isRequired = !field.column.isNullable && field.column.type != .link && !isSalvaged
      columns.append(
        "\(quoted(field.name)) \(storage(field.column))\(isRequired ? " NOT NULL" : "")\(reference(field.target))"
      )
    }
    return "CREATE TABLE \(quoted(table.name)) (\n  \(columns.joined(separator: ",\n  "))\n) STRICT"
  }

  func create(_ side: Side, of table: ClassTable) -> String {
    let isRequired = !side.column.isNullable && !isSalvaged
    let owner = "\"owner\" INTEGER NOT NULL REFERENCES \(quoted(table.name)) (\(quoted(table.keyName)))"
    let order = side.isDictionary ? "\"key\" TEXT NOT NULL" : "\"position\" INTEGER NOT NULL"
    let value = "\"value\" \(storage(side.column))\(isRequired ? " NOT NULL" : "")\(reference(side.target))"
    let key = side.isDictionary ? "" : ",\n  PRIMARY KEY (\"owner\", \"position\")"
    return "CREATE TABLE \(quoted(side.name)) (\n  \(owner),\n  \(order),\n  \(value)\(key)\n) STRICT"
      + (side.isDictionary ? "" : ", WITHOUT ROWID")
  }

  func insert(_ table: ClassTable) -> String {
    let places = Array(repeating: "?", count: table.fields.count + 1).joined(separator: ", ")
    return "INSERT INTO \(quoted(table.name)) VALUES (\(places))"
  }

  func insert(_ side: Side) -> String { "INSERT INTO \(quoted(side.name)) VALUES (?, ?, ?)" }

  /// The indexes of a table and of its collections: each with its SQL, and with the SQL to fall back to where the
  /// file holds twice what should be unique.
  mutating func indexes(of table: ClassTable) -> [(sql: String, otherwise: String?)] {
    var indexes: [(String, String?)] = []
    if let key = table.primaryKey { indexes.append(unique([key], of: table.name)) }
    for field in table.fields where field.target != nil && field.name != table.primaryKey {
      indexes.append((index([field.name], of: table.name), nil))
    }
    for side in table.sides {
      if side.isDictionary { indexes.append(unique(["owner", "key"], of: side.name)) }
      if side.target != nil { indexes.append((index(["value"], of: side.name), nil)) }
    }
    return indexes
  }

  private mutating func unique(_ columns: [String], of table: String) -> (String, String?) {
    let plain = index(columns, of: table)
    return (plain.replacing("CREATE INDEX", with: "CREATE UNIQUE INDEX", maxReplacements: 1), plain)
  }

  private mutating func index(_ columns: [String], of table: String) -> String {
    let name = names.claim("\(table)_by_\(columns.joined(separator: "_"))")
    return "CREATE INDEX \(quoted(name)) ON \(quoted(table)) (\(columns.map(quoted).joined(separator: ", ")))"
  }

  func reference(_ target: String?) -> String {
    guard let target, let table = tables.first(where: { $0.name == target }) else { return "" }
    return " REFERENCES \(quoted(target)) (\(quoted(table.keyName)))"
  }

  /// The storage class of a column. Numbers with a fraction are ANY since a NaN, for which SQLite has no number, is
  /// the text `NaN` there.
  private func storage(_ column: RealmColumn) -> String {
    switch column.type {
    case .int, .bool: "INTEGER"
    case .float, .double: "ANY"
    case .binary: "BLOB"
    case .link: "INTEGER"
    case .string, .mixed, .timestamp, .decimal128, .objectId, .uuid, .typedLink: "TEXT"
    }
  }

  func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
