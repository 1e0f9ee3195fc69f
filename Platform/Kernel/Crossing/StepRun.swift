import Dispatch
import FerryStore

/// One domain's way through the phases of the journal.
struct StepRun: Sendable {
  let run: CrossingRun
  let step: Plan.Step
  let progress: @Sendable (CrossingProgress) -> Void
  /// When the phase that is under way began.
  private var began = Timestamp.min

  init(run: CrossingRun, step: Plan.Step, progress: @escaping @Sendable (CrossingProgress) -> Void) {
    (self.run, self.step, self.progress) = (run, step, progress)
  }

  func advanceToEnd() async throws {
    var entry = try await beginning()
    while entry.phase != .done {
      try Task.checkCancellation()
      var phase = self
      phase.began = run.now()
      let next = try await phase.advance(entry)
      run.log.append(run.line(.info, step, next.phase.rawValue))
      entry = next
    }
  }

  /// Where the step goes on from. What was begun under another meaning of it, or for other accounts, starts anew,
  /// and the journal says so before the backup that it knows is overwritten.
  private func beginning() async throws -> JournalEntry {
    let anew = run.entry(of: step)
    guard let known = try await run.journal().first(where: { $0.domain == step.domain.name }) else {
      return anew
    }
    guard known.freeze != anew.freeze || known.accounts != anew.accounts else { return known }
    return try await blocking { _ in
      try run.store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { try $0.upsert(anew) }
      return anew
    }
  }

  private func advance(_ entry: JournalEntry) async throws -> JournalEntry {
    switch entry.phase {
    case .waiting: try await blocking { try backUp($0) }
    case .backedUp: try await blocking { _ in try reset(entry) }
    case .reset: try await blocking { try restore(entry, $0) }
    case .restored: try await resync(entry)
    case .resynced: try await blocking { _ in try verify(entry) }
    case .verified, .done: try await blocking { _ in try finish(entry) }
    }
  }

  /// Runs blocking work on the domain's own queue, where it has one, so that everything a domain with a queue
  /// maps and appends happens on it.
  func blocking<Result: Sendable>(_ work: @escaping @Sendable (Cancellation) throws -> Result) async throws
    -> Result
  {
    try await StepRun.blocking(on: step.domain.lastQueue ?? run.queue, work)
  }

  static func blocking<Result: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Swift.Result {
              try cancellation.check()
              return try work(cancellation)
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Runs a transaction that ends a phase: its effect and the journal's entry together.
  func journaled(
    _ entry: JournalEntry, _ effect: (borrowing Transaction<DeviceScope>) throws -> Void = { _ in }
  ) throws
    -> JournalEntry
  {
    try run.store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      try effect(transaction)
      try transaction.upsert(entry)
      try transaction.upsert(
        PhaseTime(domain: entry.domain, phase: entry.phase, from: began, to: entry.updatedAt))
    }
    return entry
  }

  func accounts() throws -> [AccountStore] { try run.source.accounts.map { try run.store.account($0) } }

  func report(_ phase: Phase, _ account: AccountID?, _ entity: String?, done: Int64, of total: Int64?) {
    progress(
      CrossingProgress(
        domain: step.domain.name, account: account, entity: entity, phase: phase, done: done, of: total))
  }

  func tally<Source: Reading & ~Copyable>(
    _ account: AccountID, _ entity: Plan.Entity, in reading: borrowing Source
  ) throws -> Tally where Source.Scope == DeviceScope {
    let empty = Tally(domain: step.domain.name, account: account, entity: entity.crossing.entity)
    return try reading.find(Tally.self, empty.id) ?? empty
  }
}

/// Whether the task that waits for blocking work was cancelled. Work asks between its transactions.
final class Cancellation: Sendable {
  private let isCancelled = Locked(false)

  func cancel() { isCancelled.withLock { $0 = true } }
  func check() throws { if isCancelled.withLock({ $0 }) { throw CancellationError() } }
}
