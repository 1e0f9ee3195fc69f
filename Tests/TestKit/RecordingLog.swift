import FerryKernel
import FerryStore

/// Keeps what was logged, and lets a test act at that very moment.
public final class RecordingLog: LogSink {
  private let kept = Locked<[LogLine]>([])
  private let onLine: @Sendable (LogLine) -> Void

  /// - Parameter onLine: called with each line, on the thread that logs.
  public init(onLine: @escaping @Sendable (LogLine) -> Void = { _ in }) { self.onLine = onLine }

  public func append(_ line: LogLine) {
    kept.withLock { $0.append(line) }
    onLine(line)
  }

  /// What was logged, in order.
  public var messages: [String] { kept.withLock { $0.map(\.message) } }
}

/// A clock that stands still.
public enum FixedClock {
  /// 2027-01-15T08:00:00Z.
  public static let now: @Sendable () -> Timestamp = { Timestamp(nanoseconds: 1_800_000_000_000_000_000) }
}

/// A clock that stands still while something runs, and is an hour later for the next: whatever time a server asked
/// for is over by then.
public final class HourlyClock: Sendable {
  private let hours = Locked<Int64>(0)

  public init() {}

  /// The time of the next run.
  public func next() -> @Sendable () -> Timestamp {
    let hour = hours.withLock { hours in
      hours += 1
      return hours
    }
    return { Timestamp(nanoseconds: FixedClock.now().nanoseconds + hour * 3_600_000_000_000) }
  }
}
