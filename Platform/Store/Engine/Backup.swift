import Foundation

/// What a backup holds.
public struct BackupReport: Sendable, Equatable {
  /// The rows of each table, by its name in the schema.
  public let rows: [String: Int]
  /// The file's size in bytes.
  public let size: Int
}

extension Store {
  /// Writes a copy of the store, as it was at one moment during the call, to a file that isn't there yet. Others
  /// go on reading and writing meanwhile.
  ///
  /// The copy is whole when it gets its name: its pages were checked, its rows counted against the store's, and
  /// all of it is on the disk. It is readable by its owner only, and is a store that `Store.open` opens.
  ///
  /// - Throws: `StoreError.file` where the file exists; `StoreError.badBackup`, `.diskFull` and others, and
  ///   `CancellationError`. What was written until then is gone.
  @discardableResult
  public func backUp(to url: URL) async throws -> BackupReport {
    try await hop(to: readerQueue) { isCancelled in try self.blockingBackUp(to: url, isCancelled) }
  }

  func blockingBackUp(to url: URL, _ isCancelled: @escaping @Sendable () -> Bool) throws -> BackupReport {
    _ = try device.blockingRead { _ in }  // Or it is closed.
    let place = BackupPlace(url)
    try place.reserve()
    do {
      let rows = try copy(to: place.interim.path, isCancelled)
      let size = try place.publish()
      return BackupReport(rows: rows, size: size)
    } catch {
      let wasStopped = isCancelled()
      place.clear()
      throw wasStopped ? CancellationError() : error.named(for: url.path)
    }
  }

  /// - Returns: the rows of each table of the copy, which are those of the store at that moment.
  private func copy(to path: String, _ isCancelled: @escaping @Sendable () -> Bool) throws -> [String: Int] {
    let source = try Connection(path: self.url.path, readOnly: true, vfs: vfs)
    source.stop(when: isCancelled)
    // Where others keep committing during the copy, it is made once more with their writes waiting.
    for _ in 0..<3 {
      _ = try source.hasForeignCommits()
      let rows = try source.rowCounts()
      try source.vacuum(into: path)
      if try !source.hasForeignCommits() { return try check(path, against: rows, isCancelled) }
      try Data().write(to: URL(fileURLWithPath: path))
    }
    return try writer.withConnectionInTurn { connection in
      try connection.execute("BEGIN IMMEDIATE")
      defer { do { try connection.execute("ROLLBACK") } catch {} }
      let rows = try source.rowCounts()
      try source.vacuum(into: path)
      return try check(path, against: rows, isCancelled)
    }
  }

  private func check(
    _ path: String, against rows: [String: Int], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> [String: Int] {
    let copy = try Connection(path: path, readOnly: true, vfs: vfs)
    copy.stop(when: isCancelled)
    var faults: [String] = []
    try copy.run("PRAGMA integrity_check") { _ in
    } row: { row in
      faults.append(try row.text(0))
      return true
    }
    guard faults == ["ok"] else {
      throw StoreError.badBackup(path: path, why: faults.joined(separator: "; "))
    }
    let found = try copy.rowCounts()
    guard found == rows else {
      throw StoreError.badBackup(path: path, why: "it has \(found) rows, where the store has \(rows)")
    }
    return found
  }
}

extension Connection {
  fileprivate func vacuum(into path: String) throws {
    try run("VACUUM INTO ?") { try $0.bind(path, 1) }
  }

  /// How many rows each table has, the store's own too.
  fileprivate func rowCounts() throws -> [String: Int] {
    var tables: [String] = []
    try run("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'") { _ in
    } row: { row in
      tables.append(try row.text(0))
      return true
    }
    var rows: [String: Int] = [:]
    for table in tables {
      let sql = "SELECT count(*) FROM \(quoted(table))"
      rows[table] = Int(try integer(sql, acrossAccounts: "a backup is everybody's") ?? 0)
    }
    return rows
  }
}

/// Where a backup is written: under another name until it is whole.
private struct BackupPlace {
  let url: URL
  let interim: URL

  init(_ url: URL) {
    self.url = url
    interim = url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.lastPathComponent).\(UUID().uuidString)")
  }

  /// Makes the interim file, for its owner alone.
  func reserve() throws(StoreError) {
    if FileManager.default.fileExists(atPath: url.path) {
      throw .file(path: url.path, doing: "Backing up to", message: String(cString: strerror(EEXIST)))
    }
    let descriptor = open(interim.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("Making", interim) }
    close(descriptor)
  }

  /// Brings the file to the disk and gives it its name, unless somebody has taken that meanwhile.
  ///
  /// - Returns: its size.
  func publish() throws(StoreError) -> Int {
    var file = stat()
    guard stat(interim.path, &file) == 0 else { throw failure("Reading", interim) }
    try sync(interim)
    // Unlike a rename, a link never replaces a file.
    guard link(interim.path, url.path) == 0 else { throw failure("Backing up to", url) }
    guard unlink(interim.path) == 0 else { throw failure("Removing", interim) }
    try sync(url.deletingLastPathComponent())
    return Int(file.st_size)
  }

  func clear() {
    for path in [interim.path, interim.path + "-journal"] {
      try? FileManager.default.removeItem(atPath: path)
      // why: it is often absent, and the failure before is the one to be told.
    }
  }

  private func sync(_ url: URL) throws(StoreError) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("Opening", url) }
    defer { close(descriptor) }
    #if canImport(Darwin)
      guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw failure("Syncing", url) }
    #else
      guard fsync(descriptor) == 0 else { throw failure("Syncing", url) }
    #endif
  }

  private func failure(_ doing: String, _ url: URL) -> StoreError {
    errno == ENOSPC
      ? .diskFull(path: url.path)
      : .file(path: url.path, doing: doing, message: String(cString: strerror(errno)))
  }
}
