import CSQLite
import Dispatch
import Foundation

/// One SQLite file per device, with every account in it: one writer, a few readers, a write-ahead log.
///
/// Records are reached through `account(_:)` and `device`. The store states every setting it relies on: WAL,
/// `synchronous = NORMAL` (raised to FULL where a write asks for it), `trusted_schema` off, double-quoted
/// string literals off, cell checks on, 5 s of patience with another process's write; the file is readable
/// by its owner only. The log is brought into the file by a `Checkpointer`; each connection that is used keeps
/// at most 32 MB of pages (see `PageCache`). Memory mapping, which would be faster still, stays off, since it
/// would turn an I/O error or a truncated file into a signal.
public final class Store: Sendable {
  /// Where the file is.
  public let url: URL
  let vfs: String?
  private let tables: Set<String>
  let writer: ConnectionSlot
  /// nil where the store may not be written to.
  let checkpointer: Checkpointer?
  /// The thread inside a write, so that a write begun inside it is an error and not a deadlock.
  private let writingThread = Locked<UInt?>(nil)
  let readers: Readers
  let audience = Audience()
  let foreignCommits: ForeignCommits
  /// The names of the accounts whose handles have been given out.
  let accountNames = Locked<[Int64: AccountID]>([:])
  let writerQueue = DispatchQueue(label: "ferry.store.writer")
  let readerQueue: DispatchQueue

  private static let readerCount = 3

  /// Opens the store, making it where there is none, and brings it to the declared schema.
  ///
  /// - Parameters:
  ///   - url: the file; its folder is made too.
  ///   - schemas: what the build declares.
  ///   - dormant: owners that the build knows but that the store is opened without.
  ///   - readOnly: opens only what is there, and changes nothing in it. SQLite may leave its two side files,
  ///     empty of rows, beside it; the next opening that may write removes them.
  ///   - clock: by which observers wait between two looks at what other processes commit.
  /// - Throws: `StoreError`; the file is then as it was.
  public static func open(
    at url: URL, schemas: [Schema], dormant: Set<String> = [], readOnly: Bool = false,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws -> Store {
    try open(at: url, schemas: schemas, dormant: dormant, readOnly: readOnly, clock: clock, vfs: nil)
  }

  /// - Parameter vfs: a SQLite VFS under which tests let a disk fail.
  package static func open(
    at url: URL, schemas: [Schema], dormant: Set<String> = [], readOnly: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(), vfs: String?
  ) throws -> Store {
    let opening = try Opening(path: url.path, schemas: schemas, dormant: dormant, vfs: vfs)
    do {
      return try Store(url: url, opening: opening, readOnly: readOnly, clock: clock)
    } catch {
      throw error.named(for: url.path)
    }
  }

  private init(url: URL, opening: Opening, readOnly: Bool, clock: any Clock<Duration>) throws {
    if readOnly, !FileManager.default.fileExists(atPath: url.path) {
      throw StoreError.noStore(path: url.path)
    }
    if !readOnly { try opening.makeFile() }
    let writer = try opening.connect(readOnly: readOnly)
    var missing = try opening.check(writer)
    if readOnly {
      for schema in missing where schema.from > 0 || schema.history.owner == Opening.own.owner {
        guard schema.from > 0 else { throw StoreError.noStore(path: url.path) }
        throw StoreError.olderStore(
          owner: schema.history.owner, stored: schema.from, known: schema.history.last)
      }
    }
    if !readOnly {
      try opening.apply(on: writer)
      try opening.closeToOthers(writer)
      try writer.keepLogOnClose(false)
      try writer.leaveCheckpoints()
      try writer.enlargeCache()
      missing = []
    }
    let absent = Set(missing.flatMap(\.history.objects).map(\.name))
    // From here on: a first look finds what was committed since.
    _ = try writer.hasForeignCommits()
    let slot = ConnectionSlot(writer)
    self.url = url
    vfs = opening.vfs
    self.writer = slot
    let queue = DispatchQueue(label: "ferry.store.readers", attributes: .concurrent)
    readerQueue = queue
    foreignCommits = ForeignCommits(writer: slot, queue: queue, audience: audience, clock: clock)
    tables = opening.tables.subtracting(absent)
    checkpointer = readOnly ? nil : try Store.makeCheckpointer(path: url.path, vfs: opening.vfs)
    var readers: [ConnectionSlot] = []
    for _ in 0..<Store.readerCount {
      let reader = try Connection(path: url.path, readOnly: readOnly, vfs: opening.vfs)
      try reader.execute("PRAGMA query_only = ON")
      try reader.enlargeCache()
      if !readOnly { try reader.keepLogOnClose(false) }
      readers.append(ConnectionSlot(reader))
    }
    self.readers = Readers(readers)
  }

  private static func makeCheckpointer(path: String, vfs: String?) throws -> Checkpointer {
    let connection = try Connection(path: path, readOnly: false, vfs: vfs)
    try connection.keepLogOnClose(false)
    return try Checkpointer(connection, logPath: (connection.filePath ?? path) + "-wal")
  }

  /// The handle to the device's own records.
  public var device: DeviceStore { DeviceStore(store: self) }

  /// Whether the store was opened with this table and has it.
  public func has(_ table: TableDeclaration) -> Bool { tables.contains(table.name) }

  func write<Result: Sendable>(
    origin: Origin, durability: Durability, isCancelled: @escaping @Sendable () -> Bool,
    _ body: (Session) throws -> Result
  ) throws -> Result {
    let thread = ferry_thread()
    // A write begun inside a read would go by what the read saw, which others may have changed since; and it
    // would wait for a writer that may wait for a reader.
    if writingThread.withLock({ $0 == thread }) || readers.isReading(thread) {
      throw StoreError.nestedWrite
    }
    return try writer.withConnectionInTurn { connection in
      writingThread.withLock { $0 = thread }
      defer { writingThread.withLock { $0 = nil } }
      let (result, commit) = try connection.transact(
        origin: origin, durability: durability, tables: tables, isListening: audience.isListening,
        isCancelled: isCancelled, body)
      audience.didCommit(commit) { key in accountNames.withLock { $0[key] } }
      foreignCommits.checkIfOwed(on: connection)
      checkpointer?.didCommit(logPages: connection.logPages, writer: writer)
      return result
    }
  }

  /// Runs `body` while no transaction of this process is under way.
  func holdingWriter(_ body: () -> Void) throws { try writer.withConnectionInTurn { _ in body() } }

  func read<Result: Sendable>(
    isCancelled: @escaping @Sendable () -> Bool, _ body: (Session) throws -> Result
  ) throws -> Result {
    let thread = ferry_thread()
    let (reader, isNested) = readers.enter(thread)
    defer { if !isNested { readers.leave(thread) } }
    return try reader.withConnection { connection in
      if isNested {
        return try body(Session(connection, origin: .local, tables: tables, isCancelled: isCancelled))
      }
      return try connection.snapshot(tables: tables, isCancelled: isCancelled, body)
    }
  }

  /// Runs blocking work on a queue of the store's, so that no thread of the concurrency pool waits for a
  /// disk or a lock, and tells the work when the task was cancelled.
  func hop<Result: Sendable>(
    to queue: DispatchQueue, _ work: @escaping @Sendable (@escaping @Sendable () -> Bool) throws -> Result
  ) async throws -> Result {
    let cancelled = Locked(false)
    let isCancelled: @Sendable () -> Bool = { cancelled.withLock { $0 } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Swift.Result {
              if isCancelled() { throw CancellationError() }
              return try work(isCancelled)
            })
        }
      }
    } onCancel: {
      cancelled.withLock { $0 = true }
    }
  }
}
