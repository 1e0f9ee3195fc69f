import RealmFile

extension RealmExport {
  /// Writes a SQLite database into an empty file, in one transaction.
  ///
  /// A table a class, `STRICT`, with the object keys as primary key; a table a collection (`Note_tags`); links are
  /// foreign keys to classes that are exported too; indexes on primary keys and on links. Times, decimals,
  /// identifiers are text as in CSV, mixed values are canonical JSON, and a NaN is the text `NaN`. The schema version
  /// is `PRAGMA user_version` where it fits.
  public func writeSQLite(to path: String) throws -> ExportOutcome {
    let database = try SQLiteFile(path: path)
    var schema = SQLiteSchema(classes, isSalvaged: isSalvaged)
    var outcome = ExportOutcome()
    try database.run("BEGIN EXCLUSIVE")
    if let version = file.schemaVersion, let number = Int32(exactly: version), number >= 0 {
      try database.run("PRAGMA user_version = \(number)")
    }
    for table in schema.tables {
      try database.run(schema.create(table))
      for side in table.sides { try database.run(schema.create(side, of: table)) }
    }
    for (position, table) in schema.tables.enumerated() {
      let rows = try fill(table, at: position, of: schema, in: database)
      outcome.classes.append(ExportedClass(name: table.entry.name, rows: rows, place: table.name))
    }
    if try database.prepare("PRAGMA foreign_key_check").step() {
      outcome.danglingLinks = try cutDanglingLinks(of: schema, in: database)
    }
    for table in schema.tables {
      for index in schema.indexes(of: table) {
        do throws(ExportError) {
          try database.run(index.sql)
        } catch {
          guard let otherwise = index.otherwise, database.isConstraintBroken else { throw error }
          try database.run(otherwise)
          outcome.repeatedKeys.append(table.name)
        }
      }
    }
    try database.run("COMMIT")
    return outcome
  }

  private func fill(
    _ table: SQLiteSchema.ClassTable, at position: Int, of schema: SQLiteSchema, in database: SQLiteFile
  ) throws -> Int {
    let insert = try database.prepare(schema.insert(table))
    var sides: [(SQLiteSchema.Side, SQLiteStatement)] = []
    for side in table.sides { sides.append((side, try database.prepare(schema.insert(side)))) }
    return try forEachRow(ofClass: position) { row in
      var pieces = RowPieces(row)
      try insert.bind(row.key, at: 1)
      for (place, field) in table.fields.enumerated() {
        let value = try row.value(at: field.index)
        let isJSON = field.column.type == .mixed && !value.isNull
        try insert.bind(value, json: isJSON ? pieces.cell(field.index) : nil, at: Int32(place + 2))
      }
      try insert.insert()
      for (side, statement) in sides { try fill(side, statement, row, &pieces) }
    }
  }

  private func fill(
    _ side: SQLiteSchema.Side, _ statement: SQLiteStatement, _ row: RealmRow, _ pieces: inout RowPieces
  ) throws {
    let value = try row.value(at: side.index)
    var elements: [(key: String?, value: RealmValue)]
    switch value {
    case .list(let values), .set(let values): elements = values.map { (nil, $0) }
    // In the order of their keys' bytes, as the canonical JSON has them.
    case .dictionary(let dictionary):
      elements = dictionary.entries.map { ($0.key, $0.value) }
      elements.sort { $0.key?.utf8.lexicographicallyPrecedes($1.key?.utf8 ?? "".utf8) ?? false }
    default: return
    }
    guard !elements.isEmpty else { return }
    var texts: [[UInt8]] = []
    if side.column.type == .mixed {
      let cell = try pieces.cell(side.index)
      texts = JSONPieces.values(of: cell).map { Array(cell[$0]) }
    }
    try statement.bind(row.key, at: 1)
    for (position, element) in elements.enumerated() {
      if let key = element.key {
        try statement.bind(text: key, at: 2)
      } else {
        try statement.bind(Int64(position), at: 2)
      }
      let json = texts.isEmpty || element.value.isNull ? nil : texts[position]
      try statement.bind(element.value, json: json, at: 3)
      try statement.insert()
    }
  }

  /// Links that lead nowhere, which only a damaged file has: null, as reading gives for links to deleted objects,
  /// and no element of a collection.
  private func cutDanglingLinks(of schema: SQLiteSchema, in database: SQLiteFile) throws -> Int {
    // By bytes: two names may differ in their canonical form only.
    let keys = Dictionary(schema.tables.map { (Array($0.name.utf8), $0.keyName) }) { first, _ in first }
    func dangling(_ column: String, _ target: String) -> String {
      "\(schema.quoted(column)) NOT IN (SELECT \(schema.quoted(keys[Array(target.utf8)] ?? "_key")) FROM \(schema.quoted(target)))"
    }
    var count = 0
    for table in schema.tables {
      for field in table.fields {
        guard let target = field.target else { continue }
        let column = schema.quoted(field.name)
        try database.run(
          "UPDATE \(schema.quoted(table.name)) SET \(column) = NULL WHERE \(dangling(field.name, target))")
        count += database.changes
      }
      for side in table.sides {
        guard let target = side.target else { continue }
        let condition = dangling("value", target)
        let name = schema.quoted(side.name)
        try database.run(
          side.isDictionary
            ? "UPDATE \(name) SET \"value\" = NULL WHERE \(condition)"
            : "DELETE FROM \(name) WHERE \(condition)")
        count += database.changes
      }
    }
    return count
  }
}

extension SQLiteStatement {
  /// Binds a value; `json` where it is stored as JSON.
  fileprivate func bind(_ value: RealmValue, json: [UInt8]?, at index: Int32) throws {
    if let json { return try bind(text: json, at: index) }
    switch value {
    case .null: try bindNull(at: index)
    case .int(let number): try bind(number, at: index)
    case .bool(let flag): try bind(Int64(flag ? 1 : 0), at: index)
    case .float(let number): try bind(fraction: Double(number), at: index)
    case .double(let number): try bind(fraction: number, at: index)
    case .string(let text): try bind(text: text, at: index)
    case .invalidUTF8(let bytes): try bind(text: bytes, at: index)
    case .binary(let bytes): try bind(blob: bytes, at: index)
    case .timestamp(let seconds, let nanoseconds):
      try bind(text: PlainText.time(seconds: seconds, nanoseconds: nanoseconds), at: index)
    case .objectId(let identifier): try bind(text: identifier.description, at: index)
    case .uuid(let identifier): try bind(text: identifier.description, at: index)
    case .decimal128(let number): try bind(text: number.description, at: index)
    case .link(_, let key): try bind(key, at: index)
    // Collections stand in tables of their own, and those within mixed values came as JSON.
    case .list, .set, .dictionary: try bindNull(at: index)
    }
  }

  private func bind(fraction: Double, at index: Int32) throws {
    if fraction.isNaN { try bind(text: "NaN", at: index) } else { try bind(fraction, at: index) }
  }
}
