/// Which changes of which owner a file has had: a row for each number.
struct SchemaRegistry {
  static let schema = SchemaObject(
    name: "store_schema",
    sql: """
      CREATE TABLE "store_schema" ("owner" TEXT NOT NULL, "version" INTEGER NOT NULL, \
      "checksum" TEXT NOT NULL, PRIMARY KEY ("owner", "version")) STRICT
      """)

  /// The checksums of each owner, the first number's first.
  private(set) var checksums: [String: [String]] = [:]

  /// - Throws: `StoreError.differentSchema` where a number is missing.
  init(on connection: Connection) throws {
    var checksums: [String: [String]] = [:]
    var isWhole = true
    try connection.run("SELECT owner, version, checksum FROM store_schema ORDER BY owner, version") { _ in
    } row: { row in
      checksums[try row.text(0), default: []].append(try row.text(2))
      if Int64(checksums[try row.text(0)]?.count ?? 0) != (try row.integer(1)) { isWhole = false }
      return true
    }
    guard isWhole else { throw StoreError.differentSchema(table: SchemaRegistry.schema.name) }
    self.checksums = checksums
  }

  static func add(_ owner: String, _ number: Int, _ checksum: String, on connection: Connection) throws {
    try connection.run("INSERT INTO store_schema (owner, version, checksum) VALUES (?, ?, ?)") { binder in
      try binder.bind(owner, 1)
      try binder.bind(Int64(number), 2)
      try binder.bind(checksum, 3)
    }
  }
}

/// What of an owner's history a file doesn't have yet.
struct PendingSchema {
  let history: SchemaHistory
  /// The last number that it has; 0 where it has nothing of the owner.
  let from: Int

  func apply(on connection: Connection) throws {
    if from == 0 {
      for object in history.objects {
        try connection.execute(object.sql, acrossAccounts: "a table for everybody")
      }
    }
    for number in from + 1...history.last {
      if from > 0 { for step in history[number].steps { try step.apply(on: connection) } }
      try SchemaRegistry.add(history.owner, number, history[number].checksum, on: connection)
    }
  }
}

extension SchemaStep {
  fileprivate func apply(on connection: Connection) throws {
    switch self {
    case .run(let sql, let parameters):
      try connection.run(sql, acrossAccounts: "a schema change is everybody's") {
        try $0.bind(all: parameters)
      }
    case .fill(let table, let fill): try table.fill(fill, on: connection)
    case .refuseUnsent(let table):
      let count = try connection.integer(
        "SELECT count(*) FROM store_outbox WHERE table_name = ?",
        acrossAccounts: "a schema change is everybody's"
      ) { try $0.bind(table, 1) }
      guard count == 0 else { throw StoreError.unsentChanges(table: table, count: Int(count ?? 0)) }
    }
  }
}

extension Opening {
  /// Holds the file against the declarations.
  ///
  /// - Returns: what it doesn't have yet. All that it has is then exactly as it was declared.
  func pending(on connection: Connection) throws -> [PendingSchema] {
    let identity = try connection.integer("PRAGMA application_id") ?? 0
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    if identity == 0, isEmpty { return histories.map { PendingSchema(history: $0, from: 0) } }
    guard identity == Opening.applicationID else {
      throw StoreError.notAStore(path: path, why: "it is another program's database")
    }
    var file = try FileSchema(on: connection)
    try file.verify(SchemaRegistry.schema)
    let registry = try SchemaRegistry(on: connection)
    var objects: [SchemaObject] = []
    for (owner, stored) in registry.checksums.sorted(by: { $0.key < $1.key }) where !dormant.contains(owner) {
      guard let known = histories.first(where: { $0.owner == owner }) else {
        throw StoreError.newerStore(owner: owner, stored: stored.count, known: 0)
      }
      guard stored.count <= known.last else {
        throw StoreError.newerStore(owner: owner, stored: stored.count, known: known.last)
      }
      for (index, checksum) in stored.enumerated() where checksum != known[index + 1].checksum {
        throw StoreError.editedSchema(owner: owner, version: index + 1)
      }
      objects += known[stored.count].objects
    }
    for object in objects { try file.verify(object) }
    try file.verifyNothingElse(isAllOurs: registry.checksums.keys.allSatisfy { !dormant.contains($0) })
    return histories.compactMap { history in
      let from = registry.checksums[history.owner]?.count ?? 0
      return from < history.last ? PendingSchema(history: history, from: from) : nil
    }
  }
}

/// What `sqlite_schema` lists: tables, indexes, and whatever else somebody made.
private struct FileSchema {
  private var objects: [String: (table: String, sql: String)] = [:]
  private var verified: Set<String> = []

  init(on connection: Connection) throws {
    // Not what SQLite makes by itself: indexes of keys, and the tables behind a virtual one.
    var objects: [String: (table: String, sql: String)] = [:]
    try connection.run(
      """
      SELECT name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
      AND tbl_name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
      """
    ) { _ in
    } row: { row in
      objects[try row.text(0)] = (try row.text(1), try row.text(2))
      return true
    }
    self.objects = objects
  }

  mutating func verify(_ object: SchemaObject) throws(StoreError) {
    guard objects[object.name]?.sql == object.sql else { throw .differentSchema(table: object.name) }
    verified.insert(object.name)
  }

  /// - Parameter isAllOurs: whether there is no owner whose tables this build isn't told of.
  func verifyNothingElse(isAllOurs: Bool) throws(StoreError) {
    for (name, object) in objects.sorted(by: { $0.key < $1.key }) where !verified.contains(name) {
      if isAllOurs || verified.contains(object.table) { throw .differentSchema(table: name) }
    }
  }
}
