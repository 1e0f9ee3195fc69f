import FerryStore

/// Where everything in the house logs to. Appending neither throws nor waits for a store, so it can be done
/// before the store exists, during a crossing, inside a transaction and inside an observer.
public protocol LogSink: Sendable {
  /// Takes a line. A `fault` is on the disk when this returns.
  func append(_ line: LogLine)
}

/// How grave a log line is. The raw values are those of the legacy log.
public enum LogLevel: OpenChoice {
  case debug, info, notice, error, fault
  case unknown(Int64)

  private static let known: [LogLevel] = [.debug, .info, .notice, .error, .fault]

  public init(rawValue: Int64) {
    let isKnown = rawValue >= 0 && rawValue < Int64(LogLevel.known.count)
    self = isKnown ? LogLevel.known[Int(rawValue)] : .unknown(rawValue)
  }

  public var rawValue: Int64 {
    switch self {
    case .debug: 0
    case .info: 1
    case .notice: 2
    case .error: 3
    case .fault: 4
    case .unknown(let raw): raw
    }
  }
}

/// A line of the log.
public struct LogLine: Sendable, Equatable {
  public let at: Timestamp
  public let level: LogLevel
  /// The room or domain that logs.
  public let category: String
  public let message: String
  /// Whom it is about; nil for the device.
  public let account: AccountID?

  public init(at: Timestamp, level: LogLevel, category: String, message: String, account: AccountID? = nil) {
    (self.at, self.level, self.category, self.message, self.account) = (at, level, category, message, account)
  }
}
