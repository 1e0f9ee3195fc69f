import FerryStore

/// What the log refuses.
public enum LogError: FerryError, Equatable {
  /// The log was to keep fewer than no lines.
  case badBound(Int)
  /// Lines were asked for until a time that isn't after the one from which on.
  case emptyPeriod(since: Timestamp, until: Timestamp)

  public var code: String {
    switch self {
    case .badBound: "log.badBound"
    case .emptyPeriod: "log.emptyPeriod"
    }
  }

  public var sentence: String {
    switch self {
    case .badBound(let count): "The log can't keep \(count) lines."
    case .emptyPeriod(let since, let until): "No time is both since \(since) and before \(until)."
    }
  }

  public var remedy: String {
    switch self {
    case .badBound: "Let it keep 0 or more."
    case .emptyPeriod: "Name the earlier time first."
    }
  }
}
