/// A point in time: nanoseconds since 1970-01-01T00:00:00Z, as a signed 64-bit number.
///
/// The range runs from 1677-09-21 to 2262-04-11. What lies beyond it, such as Foundation's
/// `Date.distantPast`, becomes the nearest end; `clamping(seconds:nanoseconds:)` says so, and a crossing
/// counts it.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public let nanoseconds: Int64

  /// - Parameter nanoseconds: since 1970-01-01T00:00:00Z; negative before that.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The earliest time, in 1677.
  public static let min = Timestamp(nanoseconds: .min)
  /// The latest time, in 2262.
  public static let max = Timestamp(nanoseconds: .max)

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The time `seconds` + `nanoseconds` after 1970, or the nearest end of the range.
  ///
  /// - Returns: the time, and whether it had to be clamped.
  public static func clamping(seconds: Int64, nanoseconds: Int64) -> (time: Timestamp, wasClamped: Bool) {
    // Normalised, so that the sum is exact wherever it fits: 0 ≤ rest < 10⁹.
    var carry = nanoseconds / 1_000_000_000
    var rest = nanoseconds % 1_000_000_000
    if rest < 0 { (carry, rest) = (carry - 1, rest + 1_000_000_000) }
    var (whole, isBeyond) = seconds.addingReportingOverflow(carry)
    if isBeyond { return (seconds < 0 ? .min : .max, true) }
    // Below zero both parts get one sign, since near the low end `whole * 10⁹` alone would overflow.
    if whole < 0 { (whole, rest) = (whole + 1, rest - 1_000_000_000) }
    let (scaled, isFar) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isOver) = scaled.addingReportingOverflow(rest)
    if isFar || isOver { return (whole < 0 || rest < 0 ? .min : .max, true) }
    return (Timestamp(nanoseconds: sum), false)
  }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 {
    let quotient = nanoseconds / 1_000_000_000
    return nanoseconds % 1_000_000_000 < 0 ? quotient - 1 : quotient
  }

  /// The nanoseconds within `seconds`: 0 ..< 1,000,000,000.
  public var fraction: Int64 {
    let rest = nanoseconds % 1_000_000_000
    return rest < 0 ? rest + 1_000_000_000 : rest
  }
}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601 in UTC with as many decimals as the value has: `2025-03-01T09:30:00.357Z`.
  public var description: String {
    let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let time = seconds - days * 86_400
    let (year, month, day) = Timestamp.civil(fromDays: days)
    var text = "\(Timestamp.padded(year, 4))-\(Timestamp.padded(month, 2))-\(Timestamp.padded(day, 2))T"
    text += "\(Timestamp.padded(time / 3600, 2)):\(Timestamp.padded(time / 60 % 60, 2)):"
    text += Timestamp.padded(time % 60, 2)
    if fraction != 0 {
      var digits = Substring(Timestamp.padded(fraction, 9))
      while digits.last == "0" { digits.removeLast() }
      text += ".\(digits)"
    }
    return text + "Z"
  }

  /// Year, month and day of a count of days since 1970-01-01 in the proleptic Gregorian calendar, by
  /// counting from 0000-03-01 in 400-year eras of 146,097 days.
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
