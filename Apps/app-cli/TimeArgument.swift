import FerryConsole
import FerryStore

/// A time as a person writes it: `2026-03-01`, `2026-03-01T09:30:00.25Z` (UTC in any case), or how long ago: `90s`,
/// `15m`, `2h`, `7d`.
enum TimeArgument {
  static func parse(_ text: String, _ option: String, now: Timestamp) throws(UsageError) -> Timestamp {
    if let time = ago(text, now) ?? point(text) { return time }
    throw UsageError(
      "Option '--\(option)' must be a time, not '\(text)'.",
      suggestion: "Write it as 2026-03-01, 2026-03-01T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d.")
  }

  private static func ago(_ text: String, _ now: Timestamp) -> Timestamp? {
    let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ seconds[$0] }), let count = number(text.dropLast(), 9) else {
      return nil
    }
    let (span, isFar) = (count * unit).multipliedReportingOverflow(by: 1_000_000_000)
    let (time, isOver) = now.nanoseconds.subtractingReportingOverflow(span)
    return isFar || isOver ? .min : Timestamp(nanoseconds: time)
  }

  private static func point(_ text: String) -> Timestamp? {
    let parts = text.hasSuffix("Z") ? text.dropLast() : text[...]
    let halves = parts.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, let year = number(date[0], 4, exactly: true),
      let month = number(date[1], 2, exactly: true), let day = number(date[2], 2, exactly: true),
      (1...12).contains(month), (1...length(of: month, in: year)).contains(day)
    else { return nil }
    guard halves.count == 2 else {
      return text.hasSuffix("Z") ? nil : time(days(year, month, day), 0, 0)
    }
    let clock = halves[1].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 2 || clock.count == 3, let hour = number(clock[0], 2, exactly: true), hour < 24,
      let minute = number(clock[1], 2, exactly: true), minute < 60,
      let (second, nanoseconds) = clock.count == 3 ? fraction(clock[2]) : (0, 0)
    else { return nil }
    return time(days(year, month, day), hour * 3600 + minute * 60 + second, nanoseconds)
  }

  private static func time(_ days: Int64, _ seconds: Int64, _ nanoseconds: Int64) -> Timestamp {
    Timestamp.clamping(seconds: days * 86_400 + seconds, nanoseconds: nanoseconds).time
  }

  private static func fraction(_ text: Substring) -> (Int64, Int64)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let second = number(parts[0], 2, exactly: true), second < 60 else { return nil }
    guard parts.count == 2 else { return (second, 0) }
    guard let digits = number(parts[1], 9) else { return nil }
    return (second, (0..<9 - parts[1].count).reduce(digits) { digits, _ in digits * 10 })
  }

  private static func number(_ text: Substring, _ width: Int, exactly: Bool = false) -> Int64? {
    guard !text.isEmpty, exactly ? text.count == width : text.count <= width,
      text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") })
    else { return nil }
    return Int64(text)
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
  }

  private static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar, with years that begin in March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
