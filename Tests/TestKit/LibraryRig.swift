import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// A folder with a store, legacy rows, a server and a roadmap, all of which a test may change before each run.
/// Every run opens the store anew, as another process would.
public struct LibraryRig: Sendable {
  public let folder: GoldenFolder
  public var roadmap = Library.roadmap
  public var domains = Library.domains()
  public var source: any LegacySource
  public let remote: ScriptedRemote
  public var log: any LogSink = RecordingLog()
  public var files = FileOperations()
  /// Rows a transaction.
  public var pageSize = 500
  /// A disk that may fail, under the store and the kernel's files; nil for the system's.
  public var disk: FaultDisk? {
    didSet { files = disk?.files ?? FileOperations() }
  }

  /// - Parameter path: the folder; nil for one of its own, which goes with it.
  public init(
    _ source: any LegacySource, remote: ScriptedRemote = ScriptedRemote(), at path: String? = nil
  ) throws {
    folder = try path.map(GoldenFolder.init(at:)) ?? GoldenFolder()
    (self.source, self.remote) = (source, remote)
  }

  public var storePath: String { folder.path("ferry.sqlite") }
  public var backupFolder: String { folder.path("backups") }

  public func plan() throws -> Plan { try Plan(Roadmap.parse(text: roadmap), domains: domains) }

  public func open(_ plan: Plan? = nil) throws -> Store {
    let plan = try plan ?? self.plan()
    return try Store.open(
      at: URL(fileURLWithPath: storePath), schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]),
      dormant: Set(plan.off.map(\.name)), vfs: disk?.vfs)
  }

  /// Runs every step that can run, and closes the store.
  @discardableResult
  public func cross(progress: @escaping @Sendable (CrossingProgress) -> Void = { _ in }) async throws
    -> CrossingReport
  {
    let plan = try plan()
    let store = try open(plan)
    do {
      let report = try await run(plan, store).run(progress: progress)
      await store.close()
      return report
    } catch {
      await store.close()
      throw error
    }
  }

  /// Runs until a line is logged, and is cancelled there, as a person ends it.
  public func cross(until message: String) async throws {
    var rig = self
    rig.log = RecordingLog { line in
      if line.message == message { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let run = Task { [rig] in try await rig.cross() }
    do {
      _ = try await run.value
      throw GoldenFault("the run came to its end without \(message)")
    } catch is CancellationError {}
  }

  public func run(_ plan: Plan, _ store: Store) -> CrossingRun {
    var run = CrossingRun(
      plan: plan, store: store, source: source, refill: FeedRefill(remotes, now: FixedClock.now),
      backupFolder: backupFolder, files: files, log: log, now: FixedClock.now)
    run.pageSize = pageSize
    return run
  }

  public var remotes: Remotes { Remotes(["home": remote]) }

  /// The rows of the store's file, once nobody has it open.
  public func dump() throws -> [String] { try StoreDump.lines(of: storePath) }
}

/// Legacy rows of the library.
public struct LibraryRows: Sendable {
  public var shelves: [[LegacyValue]] = []
  public var books: [[LegacyValue]] = []
  public var notes: [[LegacyValue]] = []
  public var lines: [[LegacyValue]] = []

  public init() {}

  /// A book's row. `comment` is a property that no mapping names.
  public static func book(
    _ id: Int64, _ title: String, at seconds: Int64 = 0, isUnsent: Bool = false, comment: String = ""
  ) -> [LegacyValue] {
    [.integer(id), .text(title), .time(seconds: seconds, nanoseconds: 0), .flag(isUnsent), .text(comment)]
  }

  public var classes: [MemoryLegacySource.Class] {
    [
      .init("ShelfRow", ["id", "name"], shelves),
      .init("BookRow", ["id", "title", "changed", "unsent", "comment"], books),
      .init("NoteRow", ["id", "text"], notes),
      .init("LineRow", ["id", "text"], lines),
    ]
  }

  /// A source with these rows for one account.
  public func source(_ account: AccountID = LibraryRows.alice) -> MemoryLegacySource {
    MemoryLegacySource([(account, classes)])
  }

  public static let alice = LibraryRows.account("alice")
  public static let bob = LibraryRows.account("bob")

  /// proof: both parts are names that an account can have.
  private static func account(_ user: String) -> AccountID {
    do { return try AccountID(server: "home", user: user) } catch { fatalError("\(error)") }
  }
}

extension LibraryRig {
  /// What the device's tables hold now.
  public func read<Result: Sendable>(_ body: (borrowing Snapshot<DeviceScope>) throws -> Result) throws
    -> Result
  {
    try open().device.blockingRead(body)
  }

  /// Every record of a table that an account has, by key.
  public func all<R: Record>(_ type: R.Type, of account: AccountID = LibraryRows.alice) throws -> [R]
  where R.Scope == AccountScope {
    try open().account(account).blockingRead { try $0.fetch(R.all) }
  }

  /// What waits to be pushed, as `table key`.
  public func outbox(of account: AccountID = LibraryRows.alice) throws -> [OutboxEntry] {
    try open().account(account).blockingRead { try $0.outbox() }
  }

  /// The rows that were kept aside, by id.
  public func quarantine() throws -> [QuarantinedRow] {
    try read { try $0.fetch(QuarantinedRow.all) }.sorted { $0.id < $1.id }
  }

  /// What the journal says of a domain.
  public func entry(_ domain: String) throws -> JournalEntry? {
    try read { try $0.find(JournalEntry.self, domain) }
  }
}

extension CrossingReport {
  /// What became of an entity's rows.
  public func tally(_ entity: String, of account: AccountID = LibraryRows.alice) throws -> Tally {
    guard let tally = tallies.first(where: { $0.entity == entity && $0.account == account.description })
    else {
      throw GoldenFault("there is no tally of \(entity) for \(account)")
    }
    return tally
  }

  /// The name of each step's state, as `domain state`.
  public var stateNames: [String] { states.map { "\($0.step.domain.name) \($0.state.name)" } }
}

extension Tally {
  /// The outcomes that aren't 0, in words.
  public var outcomes: String {
    let all = [
      ("read", read), ("written", written), ("merged", merged), ("quarantined", quarantined), ("left", left),
      ("discarded", discarded), ("resynced", resynced), ("clamped", clamped),
    ]
    return all.filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }
}

extension LibraryRig {
  /// Lets the books cross before everything else, depending on nothing: what a step does that starts anew shows
  /// only while no other step is done.
  public mutating func putBooksFirst(step: String = Library.bookStep) {
    domains = domains.map { domain in
      guard domain.name == "book" else { return domain }
      return Domain(
        domain.name, domain.summary, tables: domain.tables, crossings: domain.crossings, feeds: domain.feeds)
    }
    roadmap = Library.roadmap.replacing(Library.bookStep, with: "")
      .replacing(Library.shelfStep, with: step + Library.shelfStep)
  }
}
