import FerryStore

/// How grave a log line is. The raw values are those of the legacy log.
public enum LogLevel: OpenChoice {
  case debug, info, notice, error, fault
  case unknown(Int64)

  /// Those that this build knows, the least grave first.
  public static let known: [LogLevel] = [.debug, .info, .notice, .error, .fault]
  private static let names = ["debug", "info", "notice", "error", "fault"]

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

  /// As a person writes it: `error`; a level that this build doesn't know is its number.
  public var name: String {
    if case .unknown(let raw) = self { "\(raw)" } else { LogLevel.names[Int(rawValue)] }
  }

  /// The level that a person names so; nil where there is none.
  public init?(named name: String) {
    guard let index = LogLevel.names.firstIndex(of: name) else { return nil }
    self = LogLevel.known[index]
  }
}

/// Graver is greater.
extension LogLevel: Comparable {
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
