import Foundation

/// Brings a connection's file to the declared schema, or refuses it and leaves it as it was.
struct Opening {
  let path: String
  let vfs: String?
  /// What the build declares, the store's own tables first.
  let histories: [SchemaHistory]
  let tables: Set<String>
  /// Owners that the build knows but that the store is opened without.
  let dormant: Set<String>

  /// "FERR": what `PRAGMA application_id` says of a file of this kind.
  static let applicationID: Int64 = 0x4645_5252

  /// The store's own tables, with numbers of their own in the registry.
  static let own = SchemaHistory(
    owner: "store",
    adding: [
      [
        SchemaRegistry.schema, Accounts.schema, Gate.schema, Outbox.schema, Outbox.sequenceSchema,
        Sidecar.schema,
      ],
      [Refill.schema],
      [AccountLife.schema],
      [Edits.schema],
    ], filling: [4: Edits.fill])

  /// Checks the declarations themselves, before a file is touched.
  ///
  /// - Throws: `StoreError.badDeclaration`
  init(path: String, schemas: [Schema], dormant: Set<String>, vfs: String? = nil) throws(StoreError) {
    var owners: Set = [Opening.own.owner]
    var names: Set<String> = []
    var histories = [Opening.own]
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
      histories.append(try SchemaHistory(schema))
    }
    self.path = path
    self.vfs = vfs
    self.histories = histories
    self.dormant = dormant
    tables = names
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
    } else if errno == EACCES || errno == EROFS {
      throw .readOnly(path: folder)
    } else if errno == ENOSPC || errno == EDQUOT {
      throw .diskFull(path: path)
    } else if errno != EEXIST {
      throw .file(path: path, doing: "Making", message: String(cString: strerror(errno)))
    }
  }

  /// Takes a file, and what lies beside it, from everybody but its owner: it may have been copied or restored
  /// without its permissions.
  func closeToOthers(_ connection: Connection) throws(StoreError) {
    for suffix in ["", "-wal", "-shm"] {
      let path = (connection.filePath ?? path) + suffix
      var file = stat()
      guard stat(path, &file) == 0, file.st_mode & 0o077 != 0 else { continue }
      // Another process that was the last to use it may just have removed it.
      guard chmod(path, file.st_mode & 0o700) == 0 || errno == ENOENT else {
        throw .file(path: path, doing: "Closing to others", message: String(cString: strerror(errno)))
      }
    }
  }

  /// States that the file has a write-ahead log.
  ///
  /// Of two processes that state it at once for a new file, SQLite refuses one right away, whatever the busy
  /// timeout, since each would wait for the other. That one tries again.
  ///
  /// - Parameter wait: waits for a moment.
  func beginLog(on connection: Connection, wait: () -> Void = { Thread.sleep(forTimeInterval: 0.01) }) throws
  {
    for attempt in 1... {
      do {
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
          throw StoreError.notAStore(path: path, why: "its folder doesn't allow a write-ahead log")
        }
        return
      } catch StoreError.sqlite(let code, _, _) where code & 0xff == 5 && attempt < 500 {  // SQLITE_BUSY
        wait()
      }
    }
  }

  private static let making = NSLock()

  /// The first connection to the file: it meets a file that is no database.
  ///
  /// A process that was killed before it had stated that there is a write-ahead log leaves a rollback journal, of which
  /// who only reads can make nothing. Whoever meets it rolls back first: nothing that was committed is in it.
  func connect(readOnly: Bool) throws -> Connection {
    do {
      return try firstConnection(readOnly: readOnly)
    } catch StoreError.sqlite(let code, _, _) where readOnly && code == Opening.readOnlyRollback {
      _ = try firstConnection(readOnly: false)
      return try firstConnection(readOnly: true)
    }
  }

  private static let readOnlyRollback: Int32 = 776  // SQLITE_READONLY_ROLLBACK

  private func firstConnection(readOnly: Bool) throws -> Connection {
    let connection = try Connection(path: path, readOnly: readOnly, vfs: vfs)
    _ = try connection.integer("PRAGMA schema_version")
    return connection
  }

  /// Refuses what is no store, an older build's conflict or a newer build's store.
  ///
  /// - Returns: what the file doesn't have yet.
  func check(_ connection: Connection) throws -> [PendingSchema] {
    // In one snapshot: another process may be making the store just now.
    try connection.snapshot(tables: [], isCancelled: { false }) { _ in try pending(on: connection) }
  }

  /// States that the file has a write-ahead log, and applies what it doesn't have yet, all of it or nothing.
  func apply(on connection: Connection) throws {
    let isNew = try check(connection).contains { $0.history.owner == Opening.own.owner && $0.from == 0 }
    // An empty file that somebody made may be open to others; the side files, made next, take after it.
    if isNew, chmod(path, 0o600) != 0 {
      throw StoreError.file(path: path, doing: "Closing to others", message: String(cString: strerror(errno)))
    }
    try beginLog(on: connection)
    guard try !check(connection).isEmpty else { return }
    // A table that is made anew must not take along those that refer to it. It can't be said in a transaction.
    try connection.execute("PRAGMA foreign_keys = OFF")
    _ = try connection.transact(
      origin: .crossing, durability: .powerLoss, tables: [], isCancelled: { false }
    ) { _ in
      // Asked again inside the transaction: another process may just have applied it.
      for schema in try pending(on: connection) { try schema.apply(on: connection) }
      try connection.execute("PRAGMA application_id = \(Opening.applicationID)")
      guard try pending(on: connection).isEmpty else {
        throw StoreError.differentSchema(table: "store_schema")
      }
    }
    try connection.execute("PRAGMA foreign_keys = ON")
  }
}
