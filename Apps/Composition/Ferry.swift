import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote

/// What a folder with `ferry.yaml` and `roadmap.yaml` describes, put together: the plan, the legacy files, the
/// servers and where the store is.
public struct Ferry: Sendable {
  public let configuration: FerryConfiguration
  public let plan: Plan
  public let source: any LegacySource
  public let remotes: Remotes
  /// Where the accounts' secrets are.
  public let credentials: Credentials

  /// The folder of the store, and of all that lies beside it.
  let storeFolder: String

  /// Reads and checks both files.
  ///
  /// - Throws: `SourceFault` or `SourceFaults`, with line and column; nothing has been written.
  public init(folder: String, domains: [Domain] = RegisteredDomains.all) throws {
    configuration = try FerryConfiguration.load(folder: folder)
    let roadmap = try Roadmap.load(path: "\(folder)/roadmap.yaml")
    plan = try Plan(roadmap, domains: domains)
    storeFolder = configuration.storeFolder.value
    source = try Ferry.source(configuration, plan)
    credentials = Credentials(configuration)
    remotes = try Ferry.remotes(configuration, credentials)
  }

  /// The time, for what is written down.
  public static let now: @Sendable () -> Timestamp = {
    let (seconds, nanoseconds) = Ferry.clock()
    return Timestamp.clamping(seconds: seconds, nanoseconds: nanoseconds).time
  }

  private static func clock() -> (Int64, Int64) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (Int64(time.tv_sec), Int64(time.tv_nsec))
  }

  /// Where the store is.
  public var storePath: String { "\(storeFolder)/ferry.sqlite" }

  private var backupFolder: String { "\(storeFolder)/backups" }
  private var spillPath: String { "\(storeFolder)/log.spill" }

  /// Where the legacy files go once every domain is over.
  public var archive: LegacyArchive { LegacyArchive(folder: "\(storeFolder)/legacy-archive") }

  /// The way back.
  public var rollback: Rollback {
    Rollback(
      archive: archive, storePath: storePath, backupFolder: backupFolder,
      belongings: [AttachmentDAO.folder(in: storeFolder)])
  }

  public func retirement(in store: Store) throws -> LegacyRetirement {
    let removed = try removedAccounts(in: store)
    return LegacyRetirement(
      plan: plan, store: store, source: remainingSource(without: removed),
      removed: try removed.map(source.path), archive: archive, backupFolder: backupFolder,
      now: Ferry.now)
  }

  /// Opens the store, making it where there is none.
  ///
  /// - Throws: `KernelError.rollbackUnderWay` where one was begun.
  public func openStore() throws -> Store {
    try rollback.checkNotUnderWay()
    let store = try open(readOnly: false)
    try plan.shutGateForEnabled(in: store)
    return store
  }

  /// Opens the store to look at it; nil where there is none. Nothing is made or changed.
  ///
  /// - Throws: `KernelError.archiveBeside` where it can't be used and the legacy files are in the archive.
  public func openStoreIfPresent() throws -> Store? {
    guard access(storePath, F_OK) == 0 else {
      // Only what isn't there is no store: in a folder that this user may not enter there may well be one.
      if errno == ENOENT { return nil }
      throw StoreError.file(path: storePath, doing: "Opening", message: String(cString: strerror(errno)))
    }
    do {
      return try open(readOnly: true)
    } catch StoreError.noStore {
      return nil  // An empty file: whoever began to make the store was killed before it had a table.
    }
  }

  /// Whether there is a store; one that an earlier build made is one, too.
  public func hasStore() throws -> Bool {
    do {
      return try openStoreIfPresent() != nil
    } catch StoreError.olderStore {
      return true
    }
  }

  /// Brings a store that an earlier build made to what this one knows, and lets those write again who were shut out
  /// for a domain that is off now, as any command that writes begins with. Nothing is made or changed where it is that
  /// already, or where there is none.
  public func updateStore() async throws {
    do {
      guard let store = try openStoreIfPresent(), try plan.isGateTooTight(in: store) else { return }
    } catch StoreError.olderStore {
      return try await updateStore(holding: lock())
    }
    do {
      try await updateStore(holding: lock())
    } catch KernelError.locked {
      return  // Whoever is at work has shut it, and opens it.
    }
  }

  private func updateStore(holding lock: ProcessLock) async throws {
    defer { withExtendedLifetime(lock) {} }
    let store = try openStore()
    try await store.closing { try plan.loosenGate(in: store) }
  }

  /// Takes the right to be the one process that crosses or syncs.
  public func lock() throws -> ProcessLock {
    let files = FileOperations()
    try files.makeFolder(storeFolder)
    return try ProcessLock(path: "\(storeFolder)/ferry.lock", patience: .milliseconds(200), files: files)
  }

  /// Whether the roadmap has the domain on.
  public func isEnabled(_ domain: Domain) -> Bool { plan.enabled.contains { $0.domain.name == domain.name } }

  /// - Throws: `KernelError.domainDisabled` where the roadmap has the domain off.
  public func requireEnabled(_ domain: Domain) throws {
    guard isEnabled(domain) else { throw KernelError.domainDisabled(domain.name) }
  }

  /// Opens the log's spill.
  public func openLog() throws -> LogSpill {
    try FileOperations().makeFolder(storeFolder)
    return try LogSpill(path: spillPath)
  }

  /// What looks into the log's spill, and makes none.
  public var spillReader: SpillReader { SpillReader(path: spillPath) }

  public func crossingRun(in store: Store, log: any LogSink) throws -> CrossingRun {
    CrossingRun(
      plan: plan, store: store, source: try remainingSource(in: store),
      refill: FeedRefill(remotes, now: Ferry.now),
      backupFolder: backupFolder, log: log, now: Ferry.now)
  }

  /// What may be done with the rows that were kept aside.
  public func quarantine(in store: Store) -> Quarantine {
    Quarantine(plan: plan, store: store, source: source)
  }

  public func syncRun(in store: Store, log: any LogSink, options: SyncOptions = SyncOptions()) -> SyncRun {
    SyncRun(plan: plan, store: store, remotes: remotes, log: log, now: Ferry.now, options: options)
  }

  private func open(readOnly: Bool) throws -> Store {
    do {
      return try Store.open(
        at: URL(fileURLWithPath: storePath),
        schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]),
        dormant: Set(plan.off.map(\.name)), readOnly: readOnly)
    } catch let error as StoreError {
      switch error {
      case .notAStore, .damaged: throw try archive.beside(error)
      default: throw error
      }
    }
  }
}
