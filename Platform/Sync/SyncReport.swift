import FerryKernel
import FerryStore

/// What a run did, feed by feed.
public struct SyncReport: Sendable {
  public enum Outcome: Sendable, Equatable {
    /// Pulled and pushed to the end.
    case synced
    /// A dry run: nothing was done.
    case planned
    /// The feed's domain hasn't crossed yet.
    case waiting
    /// The server has asked to be left alone until then.
    case postponed(until: Timestamp)
    case failed(SyncFailure)
  }

  public struct Unit: Sendable, Equatable {
    public let account: AccountID
    public let feed: String
    public var outcome: Outcome
    /// What was to be done; nil where it didn't come to a plan.
    public var plan: FeedPlan?
    /// What was done, also before a failure.
    public var counts = SyncCounts()

    /// Whether the server couldn't be reached or asked for time.
    var isUnanswered: Bool {
      if case .failed(let failure) = outcome { failure.kind == .network } else { false }
    }
  }

  public var units: [Unit] = []
  /// Local changes that wait in the outbox, those that a server never takes among them.
  public var unsent: [AccountID: Int] = [:]
  /// What went over the wires.
  public var traffic = RemoteTraffic()
  /// When the next run makes sense, because a server asked for time; nil: at any time.
  public var retryAt: Timestamp?
  /// What servers announce, for a person to read.
  public var alerts: [String] = []

  /// The sum over all feeds.
  public var total: SyncCounts {
    var total = SyncCounts()
    for unit in units { total += unit.counts }
    return total
  }

  /// How many feeds failed.
  public var failures: Int { units.count { if case .failed = $0.outcome { true } else { false } } }

  /// Why feeds failed, each kind once.
  public var failureKinds: Set<SyncFailure.Kind> {
    Set(units.compactMap { if case .failed(let failure) = $0.outcome { failure.kind } else { nil } })
  }
}

/// What was done, in records.
public struct SyncCounts: Sendable, Equatable {
  public var pull = PullCounts()
  public var push = PushCounts()

  public init() {}

  public static func += (left: inout SyncCounts, right: SyncCounts) {
    left.pull += right.pull
    left.push += right.push
  }
}

/// What a pull did, in records.
public struct PullCounts: Sendable, Equatable {
  public var written = 0
  public var deleted = 0
  public var unchanged = 0
  /// Records that both sides had changed; see `SyncConflict`.
  public var conflicts = 0
  /// Records that are none of the feed's; they are quarantined.
  public var refused = 0

  public init() {}

  mutating func add(_ applied: Applied) {
    switch applied {
    case .written: written += 1
    case .deleted: deleted += 1
    case .unchanged: unchanged += 1
    case .conflict: conflicts += 1
    case .refused: refused += 1
    }
  }

  public static func += (left: inout PullCounts, right: PullCounts) {
    left.written += right.written
    left.deleted += right.deleted
    left.unchanged += right.unchanged
    left.conflicts += right.conflicts
    left.refused += right.refused
  }
}

/// What a push did, in records.
public struct PushCounts: Sendable, Equatable {
  /// Made or changed on the server.
  public var written = 0
  public var deleted = 0
  /// Records that the server never takes as they are; they are quarantined and stay unsent.
  public var held = 0
  /// Changes of which it isn't known whether the server has them; the next run finds out.
  public var unsure = 0
  /// Records that the server had lost, and that wait to be sent again.
  public var lost = 0

  public init() {}

  public static func += (left: inout PushCounts, right: PushCounts) {
    left.written += right.written
    left.deleted += right.deleted
    left.held += right.held
    left.unsure += right.unsure
    left.lost += right.lost
  }
}
