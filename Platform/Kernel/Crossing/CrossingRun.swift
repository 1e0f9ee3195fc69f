import Dispatch
import FerryStore

/// Carries the legacy rows of every enabled domain into the store, in the order of the plan, from wherever an
/// earlier run stopped.
///
/// Every phase is written in the transaction that has its effect, so a run that is killed at any instant is
/// taken up by the next one and comes to the same end. The legacy files are only read.
public struct CrossingRun: Sendable {
  let plan: Plan
  let store: Store
  let source: any LegacySource
  let refill: any Refill
  let backupFolder: String
  let files: FileOperations
  let log: any LogSink
  let now: @Sendable () -> Timestamp
  /// Where blocking work runs, unless the domain has a queue of its own.
  let queue = DispatchQueue(label: "ferry.kernel.crossing")
  /// Changed files, and the domains that they were found to have unchanged.
  let compared = Locked<[SeenFile: Set<String>]>([:])
  /// The files as they were hashed last.
  let seen = Locked<[AccountID: SeenManifest]>([:])
  /// Rows a transaction: enough that a commit is little beside them, few enough that a kill loses little.
  package var pageSize = 2000

  /// - Parameters:
  ///   - store: opened with the plan's schemas and `Journal.schema`.
  ///   - backupFolder: where backups are kept; made when it is needed.
  ///   - now: the time, for the journal.
  public init(
    plan: Plan, store: Store, source: any LegacySource, refill: any Refill, backupFolder: String,
    files: FileOperations = FileOperations(), log: any LogSink, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.plan, self.store, self.source, self.refill) = (plan, store, source, refill)
    (self.backupFolder, self.files, self.log, self.now) = (backupFolder, files, log, now)
  }

  /// Runs every step that can run now.
  ///
  /// Where no step can, nothing is written. A step whose server can't be reached waits, and so do those that
  /// depend on it; a step that fails ends the run.
  ///
  /// - Parameter progress: called often, from any thread, in order.
  /// - Throws: `SourceFaults` for a mapping that doesn't fit the legacy files, before anything is written;
  ///   else what made the step fail, which the journal keeps too.
  public func run(progress: @escaping @Sendable (CrossingProgress) -> Void = { _ in }) async throws
    -> CrossingReport
  {
    let before = try await journal()
    try plan.checkFrozen(before)
    try plan.checkAccounts(of: source, before)
    let accounts = try await store.device.read { try $0.accounts() }
    try plan.checkSignedIn(accounts, of: source, before)
    let open = plan.open(before)
    if let step = open.first { try checkNoneIsMissing(before, step, accounts) }
    var hasBegun = false
    for step in open {
      let journal = try await journal()
      guard plan.obstacle(before: step, journal) == nil else { continue }
      if !hasBegun {
        try plan.check(against: source, steps: open)
        try await begin(journal)
        hasBegun = true
      }
      do {
        try await StepRun(run: self, step: step, progress: progress).advanceToEnd()
      } catch let interruption as RefillInterrupted {
        try await stop(step, .network, reason: interruption.sentence, remedy: interruption.remedy)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        let (reason, remedy) =
          (error as? any FerryError).map { ($0.sentence, $0.remedy) } ?? ("\(error)", "Report this.")
        log.append(line(.fault, step, "failed: \(reason)"))
        do {
          try await stop(step, .failed, reason: reason, remedy: remedy, startsAnew: startsAnew(after: error))
        } catch let second {
          // What went wrong first is what a person must be told.
          log.append(line(.fault, step, "that could not be written down: \(second)"))
        }
        throw error
      }
    }
    return try await CrossingReport(plan: plan, store: store, didWork: hasBegun)
  }

  /// Refuses to go on without an account that has crossed in part: what is left of it would be left behind. One that
  /// was removed isn't in the store any more.
  private func checkNoneIsMissing(_ journal: [JournalEntry], _ step: Plan.Step, _ accounts: [Account]) throws
  {
    let present = Set(source.accounts.map { Array($0.description.utf8) })
    let covered = Set(journal.done.flatMap(\.accounts).map { Array($0.utf8) })
    for account in accounts.map(\.id) {
      let name = Array(account.description.utf8)
      guard !covered.contains(name) || present.contains(name) else {
        throw KernelError.missingAccount(account, domain: step.domain.name)
      }
    }
  }

  func journal() async throws -> [JournalEntry] {
    try await store.device.read { try $0.fetch(JournalEntry.all) }
  }

  /// What the journal says of a step that hasn't begun.
  func entry(of step: Plan.Step) -> JournalEntry {
    JournalEntry(
      domain: step.domain.name, phase: .waiting, freeze: step.freeze,
      accounts: source.accounts.map(\.description), digests: [], backup: nil, stop: nil, reason: nil,
      remedy: nil,
      updatedAt: now())
  }

  func line(_ level: LogLevel, _ step: Plan.Step, _ message: String) -> LogLine {
    LogLine(at: now(), level: level, category: "crossing", message: "\(step.domain.name): \(message)")
  }

  /// Adds the accounts and shuts the gate before the first step.
  private func begin(_ journal: [JournalEntry]) async throws {
    try await StepRun.blocking(on: queue) { _ in
      for account in source.accounts { try store.addAccount(account) }
      try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) {
        try plan.setGate(journal, in: $0)
      }
    }
  }

  /// A step that stopped because its files changed under it can't go on from where it was.
  private func startsAnew(after error: any Error) -> Bool {
    switch error {
    case KernelError.legacyChanged, KernelError.badBackup: true
    default: false
    }
  }

  private func stop(_ step: Plan.Step, _ stop: Stop, reason: String, remedy: String, startsAnew: Bool = false)
    async throws
  {
    try await store.device.write(origin: .crossing, durability: .powerLoss) { transaction in
      let known = try transaction.find(JournalEntry.self, step.domain.name)
      let entry = startsAnew ? entry(of: step) : known ?? entry(of: step)
      try transaction.upsert(entry.stopped(stop, reason: reason, remedy: remedy, at: now()))
    }
  }
}

/// How far a run is. `done` and `of` count legacy rows; while a server sends, `done` counts its records and
/// `of` is nil.
public struct CrossingProgress: Sendable, Equatable {
  public let domain: String
  public let account: AccountID?
  public let entity: String?
  /// The phase that is under way, by the name of its end.
  public let phase: Phase
  public let done: Int64
  public let of: Int64?
}

/// What a run left behind, read from the store: a later reader finds the same.
public struct CrossingReport: Sendable {
  /// Whether this run did anything.
  public let didWork: Bool
  public let states: [(step: Plan.Step, state: StepState)]
  public let tallies: [Tally]
  /// How long each phase of each domain took, in the order in which they ended.
  public let times: [PhaseTime]

  /// Reads the report of the store as it is.
  public init(plan: Plan, store: Store, didWork: Bool = false) async throws {
    let (journal, tallies, times, accounts) = try await store.device.read { snapshot in
      (
        try snapshot.fetch(JournalEntry.all), try snapshot.fetch(Tally.all),
        try snapshot.fetch(PhaseTime.all.order { $0.endedAt.ascending }), try snapshot.accounts()
      )
    }
    self.times = times
    self.didWork = didWork
    states = try plan.states(journal)
    // In the order of the plan; within an entity in that of the accounts.
    let order = plan.steps.flatMap { step in
      step.domain.crossings.flatMap { crossing in
        accounts.map { Tally(domain: step.domain.name, account: $0.id, entity: crossing.entity).id }
      }
    }
    // By bytes: the names of two accounts may differ in their canonical form only.
    let places = Dictionary(zip(order.map { Array($0.utf8) }, 0...)) { first, _ in first }
    self.tallies = tallies.map { (places[Array($0.id.utf8)] ?? order.count, $0) }.sorted { $0.0 < $1.0 }.map(
      \.1)
  }

  /// Whether every domain that is registered has crossed.
  public var isOver: Bool { states.allSatisfy { $0.state == .done } }
}
