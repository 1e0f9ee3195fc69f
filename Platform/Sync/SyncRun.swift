import FerryKernel
import FerryStore

/// One sync of every feed of every account: what cron runs. Feeds go one after the other in the order of the roadmap,
/// each pulled before it is pushed.
///
/// A feed that fails doesn't keep the others from being synced, nor an account that isn't accepted the other accounts.
/// Feeds of domains that haven't crossed wait.
public struct SyncRun: Sendable {
  let plan: Plan
  let store: Store
  let remotes: Remotes
  let log: any LogSink
  let now: @Sendable () -> Timestamp
  let options: SyncOptions
  let clock: any Clock<Duration>
  let freshMark: @Sendable () -> String

  /// - Parameters:
  ///   - now: the time, for what is written down.
  ///   - clock: what pauses between tries are measured with.
  ///   - freshMark: makes a mark for a feed that has none, another one each time.
  public init(
    plan: Plan, store: Store, remotes: Remotes, log: any LogSink, now: @escaping @Sendable () -> Timestamp,
    options: SyncOptions = SyncOptions(), clock: any Clock<Duration> = ContinuousClock(),
    freshMark: @escaping @Sendable () -> String = SyncRun.randomMark
  ) {
    (self.plan, self.store, self.remotes, self.log, self.now) = (plan, store, remotes, log, now)
    (self.options, self.clock, self.freshMark) = (options, clock, freshMark)
  }

  /// A mark that nobody else has: a random UUID.
  public static let randomMark: @Sendable () -> String = {
    var random = SystemRandomNumberGenerator()
    return Identifier<FeedState>.make(using: &random).rawValue
  }

  /// Syncs, and returns when it is over. Cancelled, it stops and leaves whole transactions only: the next run goes
  /// on from them.
  ///
  /// - Parameter progress: told what is being done; never waited for.
  /// - Throws: `StoreError.gateShut` while a crossing has the store to itself; `CancellationError`.
  public func run(progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }) async throws -> SyncReport
  {
    let (reason, journal, accounts, notices) = try await store.device.read { snapshot in
      (
        try snapshot.gateReason(), try snapshot.fetch(JournalEntry.all), try snapshot.accounts(),
        try snapshot.fetch(ServerNotice.all)
      )
    }
    if let reason { throw StoreError.gateShut(reason: reason) }
    let feeds = plan.enabled.flatMap { step in
      step.domain.feeds.filter { options.covers(feed: $0.name) }.map {
        (feed: $0, domain: step.domain.name, isReady: journal.isDone(step.domain.name))
      }
    }
    var report = SyncReport()
    // What servers that take nothing now have asked for in this run.
    var asked: [(server: String, time: Timestamp)] = []
    for account in try accounts.filter({ options.covers($0.id) }).map({ try store.account($0.id) }) {
      let server = account.id.server
      let kept = notices.first { $0.server.utf8.elementsEqual(server.utf8) }
      let time = asked.first { $0.server.utf8.elementsEqual(server.utf8) }?.time ?? kept?.notBefore
      let result = try await AccountRun(
        run: self, account: account, kept: RemoteNotice(notBefore: time, alert: kept?.alert), feeds: feeds,
        progress: progress)()
      if let time = result.notice.notBefore, result.units.contains(where: \.isUnanswered) {
        asked.append((server, min(time, ServerNotice.latestWish(now()))))
      }
      report.units += result.units
      report.traffic += result.traffic
      tell(result.notice, in: &report)
      report.unsent[account.id] = try await account.read { try $0.outboxCount() }
    }
    return report
  }
}
