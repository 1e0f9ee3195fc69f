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
