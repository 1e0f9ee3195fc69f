import CSQLite
import Foundation

/// Brings a connection's file to the declared schema, or refuses it and leaves it as it was.
struct Opening {
  let path: String
  let schemas: [Schema]
  /// Owners that the build knows but that the store is opened without.
  let dormant: Set<String>

  /// "FERR": what `PRAGMA application_id` says of a file of this kind.
  private static let applicationID: Int64 = 0x4645_5252

  /// The store's own tables, with a number of their own in the registry.
  static let own = DeclaredObjects(
    owner: "store", version: 1,
    objects: [registry, Accounts.schema, Gate.schema, Outbox.schema, Outbox.sequenceSchema, Sidecar.schema])

  // One row for each number that was applied, so that a later build can freeze each change by itself.
  private static let registry = SchemaObject(
    name: "store_schema",
    sql: """
      CREATE TABLE "store_schema" ("owner" TEXT NOT NULL, "version" INTEGER NOT NULL, \
      "checksum" TEXT NOT NULL, PRIMARY KEY ("owner", "version")) STRICT
      """)

  /// Everything that the file has to have, the store's own tables first.
  private var declared: [DeclaredObjects] { [Opening.own] + schemas.map(DeclaredObjects.init) }

  /// Checks the declarations themselves, before a file is touched.
  func checkDeclarations() throws(StoreError) {
    var owners: Set = [Opening.own.owner]
    var names: Set<String> = []
    for schema in schemas {
      guard owners.insert(schema.owner).inserted else {
        throw .badDeclaration(
          table: schema.tables.first?.name ?? "", why: "there are two owners \(schema.owner)")
      }
      for table in schema.tables {
        if let fault = table.fault { throw .badDeclaration(table: table.name, why: fault) }
        guard names.insert(table.name).inserted else {
          throw .badDeclaration(table: table.name, why: "another table has its name")
        }
      }
    }
  }

  /// Makes the folder and the file with permissions for their owner only, where they don't exist.
  func makeFile() throws(StoreError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      if !FileManager.default.fileExists(atPath: folder) {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
    } catch {
      throw .file(path: folder, doing: "Making", message: error.localizedDescription)
    }
    // Exclusively, and so never a file that a store had open: closing a second descriptor of such a file drops
    // this process's locks on it. For the same reason nobody in this process may open the new file in between.
    // SQLite gives its side files the permissions of the main one.
    Opening.making.lock()
    defer { Opening.making.unlock() }
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .file(path: path, doing: "Making", message: String(cString: strerror(errno)))
    }
  }

  private static let making = NSLock()

  /// The first connection to the file: it meets a file that is no database.
  func connect(readOnly: Bool) throws -> Connection {
    do {
      let connection = try Connection(path: path, readOnly: readOnly)
      _ = try connection.integer("PRAGMA schema_version")
      return connection
    } catch StoreError.sqlite(let code, _, _) where code & 0xff == SQLITE_NOTADB {
      throw StoreError.notAStore(path: path, why: "it is no SQLite database, or it is encrypted")
    }
  }

  /// Refuses what is no store, an older build's conflict or a newer build's store.
  ///
  /// - Returns: what the file doesn't have yet.
  func check(_ connection: Connection) throws -> [DeclaredObjects] {
    // In one snapshot: another process may be making the store just now.
    try connection.snapshot(tables: [], isCancelled: { false }) { _ in try missing(on: connection) }
  }

  private func missing(on connection: Connection) throws -> [DeclaredObjects] {
    let identity = try connection.integer("PRAGMA application_id") ?? 0
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    if identity == 0, isEmpty { return declared }
    guard identity == Opening.applicationID else {
      throw StoreError.notAStore(path: path, why: "it is another program's database")
    }
    let registered = try registered(on: connection)
    for (owner, entry) in registered.sorted(by: { $0.key < $1.key }) where !dormant.contains(owner) {
      guard let known = declared.first(where: { $0.owner == owner }) else {
        throw StoreError.newerStore(owner: owner, stored: entry.version, known: 0)
      }
      if entry.version > known.version {
        throw StoreError.newerStore(owner: owner, stored: entry.version, known: known.version)
      }
      if entry.version < known.version {
        throw StoreError.olderStore(owner: owner, stored: entry.version, known: known.version)
      }
      if entry.checksum != known.checksum {
        throw StoreError.editedSchema(owner: owner, version: entry.version)
      }
      for object in known.objects { try verify(object, on: connection) }
    }
    return declared.filter { registered[$0.owner] == nil }
  }

  /// The last number of each owner.
  private func registered(on connection: Connection) throws -> [String: (version: Int, checksum: String)] {
    try verify(Opening.registry, on: connection)
    var registered: [String: (version: Int, checksum: String)] = [:]
    try connection.run("SELECT owner, version, checksum FROM store_schema ORDER BY version") { _ in
    } row: { row in
      registered[try row.text(0)] = (Int(try row.integer(1)), try row.text(2))
      return true
    }
    return registered
  }

  /// States that the file has a write-ahead log, and adds what it doesn't have yet, all of it or nothing.
  func apply(on connection: Connection) throws {
    let isNew = try check(connection).contains { $0.owner == Opening.own.owner }
    // An empty file that somebody made may be open to others; the side files, made next, take after it.
    if isNew, chmod(path, 0o600) != 0 {
      throw StoreError.file(path: path, doing: "Closing to others", message: String(cString: strerror(errno)))
    }
    let mode = try connection.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw StoreError.notAStore(path: path, why: "its folder doesn't allow a write-ahead log")
    }
    guard try !check(connection).isEmpty else { return }
    // What is missing is asked again inside the transaction: another process may just have added it.
    _ = try connection.transact(origin: .crossing, durability: .powerLoss, tables: [], isCancelled: { false })
    {
      _ in
      for schema in try missing(on: connection) {
        for object in schema.objects { try connection.execute(object.sql) }
        try connection.run("INSERT INTO store_schema (owner, version, checksum) VALUES (?, ?, ?)") { binder in
          try binder.bind(schema.owner, 1)
          try binder.bind(Int64(schema.version), 2)
          try binder.bind(schema.checksum, 3)
        }
      }
      try connection.execute("PRAGMA application_id = \(Opening.applicationID)")
    }
  }

  private func verify(_ object: SchemaObject, on connection: Connection) throws {
    let stored = try connection.text("SELECT sql FROM sqlite_schema WHERE name = ?") {
      try $0.bind(object.name, 1)
    }
    guard stored == object.sql else { throw StoreError.differentSchema(table: object.name) }
  }
}

/// What one owner has in the file.
struct DeclaredObjects: Sendable {
  let owner: String
  let version: Int
  let objects: [SchemaObject]
  /// Changes whenever the declaration does.
  let checksum: String

  init(owner: String, version: Int, objects: [SchemaObject]) {
    (self.owner, self.version, self.objects) = (owner, version, objects)
    var hash = StableHash()
    for object in objects { hash.combine(object.sql) }
    checksum = hash.finish()
  }

  init(_ schema: Schema) {
    self.init(owner: schema.owner, version: schema.version, objects: schema.tables.flatMap(\.schema))
  }
}
