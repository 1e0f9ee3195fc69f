import FerryKernel
import FerryStore

/// One run over the feeds of one account: all of them are planned before any of them is touched, so that a server that
/// isn't the one it was is found out before anything is written.
struct AccountRun: Sendable {
  let run: SyncRun
  let account: AccountStore
  /// What the account's server had asked for before this run began. What it asks for meanwhile is for the next one:
  /// otherwise the first of two accounts would always keep the second one from its turn.
  let kept: RemoteNotice
  /// The feeds in the order of the roadmap, with whether their domain has crossed.
  let feeds: [(feed: Feed, domain: String, isReady: Bool)]
  let progress: @Sendable (SyncProgress) -> Void

  private typealias Unit = SyncReport.Unit

  func callAsFunction() async throws -> (
    units: [SyncReport.Unit], traffic: RemoteTraffic, notice: RemoteNotice
  ) {
    var units = feeds.map {
      Unit(account: account.id, feed: $0.feed.name, outcome: $0.isReady ? .synced : .waiting)
    }
    let open = units.indices.filter { feeds[$0].isReady }
    if let time = kept.notBefore, run.isToCome(time) {
      for index in open { units[index].outcome = .postponed(until: time) }
      return (units, RemoteTraffic(), kept)
    }
    let remote: any Remote
    let session: RemoteSession
    let before: RemoteTraffic
    do {
      remote = try run.remotes.remote(of: account.id)
      before = remote.traffic
    } catch {
      fail(&units, open, SyncFailure(error, stopsAccount: true))
      return (units, RemoteTraffic(), kept)
    }
    do {
      session = try await remote.session(of: account.id)
      try await carryOut(&units, open, remote, session)
    } catch is CancellationError {
      if !run.options.isDryRun { try run.keep(remote.notice(of: account.id), of: account.id) }
      throw CancellationError()
    } catch {
      fail(&units, open, SyncFailure(error, stopsAccount: true))
    }
    let notice = remote.notice(of: account.id)
    if !run.options.isDryRun { try run.keep(notice, of: account.id) }
    return (units, remote.traffic - before, notice)
  }

  private func carryOut(
    _ units: inout [Unit], _ open: [Int], _ remote: any Remote, _ session: RemoteSession
  ) async throws {
    var planned: [(index: Int, feed: PlannedFeed)] = []
    for index in open {
      let link = FeedLink(
        feed: feeds[index].feed, domain: feeds[index].domain, account: account, remote: remote,
        origin: .server, now: run.now)
      progress(
        SyncProgress(account: account.id, feed: link.feed.name, phase: .planning, counts: SyncCounts()))
      let scan = FeedScan(link: link, options: run.options, isReadOnly: session.isReadOnly)
      do {
        let feed = try await scan.run()
        units[index].plan = feed.plan
        planned.append((index, feed))
      } catch let error where !(error is CancellationError) {
        let failure = SyncFailure(error)
        // Nothing of the account has been written yet, and nothing of it will be.
        if failure.stopsAccount { return fail(&units, open, failure) }
        fail(&units, [index], failure)
      }
    }
    for (place, (index, feed)) in planned.enumerated() {
      if let objection = feed.plan.objection {
        fail(&units, [index], SyncFailure(objection))
        continue
      }
      if run.options.isDryRun {
        units[index].outcome = .planned
        continue
      }
      let counts = Locked(SyncCounts())
      defer { units[index].counts = counts.withLock { $0 } }
      do {
        try await FeedRun(
          planned: feed, session: session, run: run, counts: counts, progress: progress
        )()
      } catch let error where !(error is CancellationError) {
        let failure = SyncFailure(error)
        fail(&units, [index], failure)
        if failure.stopsAccount { return fail(&units, planned[(place + 1)...].map(\.index), failure) }
      }
    }
  }

  private func fail(_ units: inout [Unit], _ indices: [Int], _ failure: SyncFailure) {
    for index in indices {
      // What failed before has its own reason, which may need a person.
      if case .failed = units[index].outcome { continue }
      units[index].outcome = .failed(failure)
      run.log.append(
        LogLine(
          at: run.now(), level: .error, category: "sync",
          message: "\(units[index].feed): \(failure.reason)", account: account.id))
    }
  }
}

/// A planned feed, carried out.
struct FeedRun: Sendable {
  let planned: PlannedFeed
  let session: RemoteSession
  let run: SyncRun
  /// What was done, added to as it is done.
  let counts: Locked<SyncCounts>
  let progress: @Sendable (SyncProgress) -> Void

  private var link: FeedLink { planned.link }

  func callAsFunction() async throws {
    let plan = planned.plan
    let allowance = DeleteAllowance(plan.allowedDeletes, of: plan.known)
    let settling = FeedSettling(planned, allowance)
    try await settling.begin(isReadOnly: session.isReadOnly, fresh: run.freshMark())
    let pull = FeedPull(
      link: link, pageSize: run.options.pageSize, side: planned.takeover == .fromDevice ? .device : .rules,
      allowance: allowance)
    try await pull.run(planned.pages, didCommit: { add($0, .pulling) })
    let deleted = try await settling.end()
    counts.withLock { $0.pull.deleted += deleted }
    let check = try await FeedCheck(pull).run()
    counts.withLock { $0 += check }
    if session.isReadOnly { return }
    let push = FeedPush(
      link: link, limit: max(1, session.batchLimit), allowedDeletes: plan.allowedDeletes, known: plan.known,
      clock: run.clock)
    do {
      try await push.run { done in
        let sum = counts.withLock { counts in
          counts += done
          return counts
        }
        progress(SyncProgress(account: link.account.id, feed: link.feed.name, phase: .pushing, counts: sum))
      }
    } catch RemoteError.readOnly {
      // It has become so since it said who it is: what waits to be sent goes on waiting.
    }
  }

  @Sendable private func add(_ done: PullCounts, _ phase: SyncProgress.Phase) {
    let sum = counts.withLock { counts in
      counts.pull += done
      return counts
    }
    progress(SyncProgress(account: link.account.id, feed: link.feed.name, phase: phase, counts: sum))
  }
}

/// How far a run has come with a feed.
public struct SyncProgress: Sendable, Equatable {
  public enum Phase: String, Sendable { case planning, pulling, pushing }

  public let account: AccountID
  public let feed: String
  public let phase: Phase
  /// What was done of the feed up to now.
  public let counts: SyncCounts
}
