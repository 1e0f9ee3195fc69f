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
  ///   - retryAt: when the server said that it may be asked again; it counts more than the interval, in both
  ///     directions: something waits to be done then.
  public func pause(after spent: Duration, retryAt: Timestamp?, now: Timestamp) -> Duration {
    guard let retryAt else { return max(SyncSchedule.shortest, interval - spent) }
    let (wait, isTooLong) = retryAt.nanoseconds.subtractingReportingOverflow(now.nanoseconds)
    return max(SyncSchedule.shortest, isTooLong ? interval : .nanoseconds(wait))
  }
}
