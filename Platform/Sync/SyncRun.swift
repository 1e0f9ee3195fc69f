import FerryKernel
import FerryStore

/// One pull of every feed of every account: what cron runs.
///
/// A feed that fails doesn't keep the others from being pulled. Feeds of domains that haven't crossed wait.
public struct SyncRun: Sendable {
  private let plan: Plan
  private let store: Store
  private let remotes: Remotes
  private let log: any LogSink
  private let now: @Sendable () -> Timestamp

  public init(
    plan: Plan, store: Store, remotes: Remotes, log: any LogSink, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.plan, self.store, self.remotes, self.log, self.now) = (plan, store, remotes, log, now)
  }

  /// Pulls, and returns when it is over.
  ///
  /// - Throws: `StoreError.gateShut` while a crossing has the store to itself; `CancellationError`.
  public func run() async throws -> SyncReport {
    let (reason, journal, accounts) = try await store.device.read { snapshot in
      (try snapshot.gateReason(), try snapshot.fetch(JournalEntry.all), try snapshot.accounts())
    }
    if let reason { throw StoreError.gateShut(reason: reason) }
    var report = SyncReport()
    for account in try accounts.map({ try store.account($0.id) }) {
      for step in plan.enabled {
        for feed in step.domain.feeds {
          let outcome: SyncReport.Outcome =
            journal.isDone(step.domain.name) ? try await pull(feed, step.domain.name, account) : .waiting
          report.units.append(SyncReport.Unit(account: account.id, feed: feed.name, outcome: outcome))
        }
      }
      report.unsent[account.id] = try await account.read { try $0.outboxCount() }
    }
    return report
  }

  private func pull(_ feed: Feed, _ domain: String, _ account: AccountStore) async throws
    -> SyncReport.Outcome
  {
    do {
      let pull = FeedPull(
        feed: feed, domain: domain, account: account, remote: try remotes.remote(of: account.id),
        origin: .server,
        now: now)
      return .pulled(try await pull.run())
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      let failure =
        (error as? any FerryError).map { ($0.code, $0.sentence, $0.remedy) } ?? (
          "sync.failed", "\(error)", ""
        )
      log.append(
        LogLine(
          at: now(), level: .error, category: "sync", message: "\(feed.name): \(failure.1)",
          account: account.id))
      return .failed(code: failure.0, reason: failure.1, remedy: failure.2)
    }
  }
}

/// What a run did, feed by feed.
public struct SyncReport: Sendable {
  public enum Outcome: Sendable, Equatable {
    case pulled(PullCounts)
    /// The feed's domain hasn't crossed yet.
    case waiting
    case failed(code: String, reason: String, remedy: String)
  }

  public struct Unit: Sendable, Equatable {
    public let account: AccountID
    public let feed: String
    public let outcome: Outcome
  }

  public var units: [Unit] = []
  /// Local changes that wait in the outbox.
  public var unsent: [AccountID: Int] = [:]

  /// The sum over all feeds that were pulled.
  public var total: PullCounts {
    var total = PullCounts()
    for case .pulled(let counts) in units.map(\.outcome) { total += counts }
    return total
  }

  /// How many feeds failed.
  public var failures: Int { units.count { if case .failed = $0.outcome { true } else { false } } }
}
