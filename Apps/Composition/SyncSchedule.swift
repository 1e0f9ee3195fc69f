import FerryStore

/// When a worker that runs again and again runs next.
public struct SyncSchedule: Sendable {
  /// From the start of a run to the start of the next.
  public let interval: Duration

  public init(every interval: Duration) { self.interval = interval }

  /// However much is to be done, others get their turn.
  static let shortest: Duration = .seconds(1)

  /// How long to sleep after a run.
  ///
  /// - Parameters:
  ///   - spent: how long the run took.
  ///   - isDone: whether it did all that there was. Where something waits, a server that may be asked again before
  ///     the interval is over is asked then.
  ///   - retryAt: when the server said that it may be asked again.
  public func pause(after spent: Duration, isDone: Bool, retryAt: Timestamp?, now: Timestamp) -> Duration {
    let rest = max(SyncSchedule.shortest, interval - spent)
    guard let retryAt else { return rest }
    let (nanoseconds, isTooLong) = retryAt.nanoseconds.subtractingReportingOverflow(now.nanoseconds)
    let wait = max(SyncSchedule.shortest, isTooLong ? interval : .nanoseconds(nanoseconds))
    return isDone ? max(rest, wait) : wait
  }
}
