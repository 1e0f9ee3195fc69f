/// How long a server asks to be left alone.
enum RetryAfter {
  /// Reads the value of `Retry-After` or `Backoff`: seconds, or one of the three forms of a date that
  /// HTTP has (RFC 9110, 5.6.7).
  ///
  /// - Parameter now: seconds since 1970, by the server's clock where its answer says, else by ours.
  /// - Returns: seconds, 0 for a time that is past; nil where it says neither.
  static func seconds(_ text: String, now: Int64) -> Int64? {
    let text = text.trimmed
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int64(text).map { min($0, longest) } ?? longest
    }
    return HTTPDate.seconds(text).map { min(max(0, $0 - now), longest) }
  }

  /// A week: beyond it somebody made a mistake.
  private static let longest: Int64 = 7 * 86_400
}

/// The dates of HTTP.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970; nil for what is no date of HTTP.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split { " -,".contains($0) }.map(String.init)
    // Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT | Sun Nov  6 08:49:37 1994
    let isAscTime = words.count == 5
    guard isAscTime || (words.count == 6 && words[5] == "GMT") else { return nil }
    let (day, month, year, time) =
      isAscTime
      ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
    guard let dayNumber = Int64(day), (1...31).contains(dayNumber),
      let monthIndex = months.firstIndex(of: month), var yearNumber = Int64(year), yearNumber >= 0
    else { return nil }
    if year.utf8.count == 2 { yearNumber += yearNumber < 70 ? 2000 : 1900 }
    guard (1970...9999).contains(yearNumber) else { return nil }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap { Int64($0) }
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
      (0...60).contains(clock[2])
    else { return nil }
    let date = days(yearNumber, Int64(monthIndex + 1), dayNumber)
    return ((date * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
  }

  /// Days since 1970-01-01 in the Gregorian calendar, by counting years from March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let inYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + inYear - 719_468
  }
}

extension String {
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " }
    return String(rest.reversed().drop { $0 == " " }.reversed())
  }
}
