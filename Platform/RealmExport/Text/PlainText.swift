import RealmFile

/// Scalar values as the text that CSV and SQLite hold of them.
enum PlainText {
  /// UTC in ISO 8601 with every nanosecond: `2024-05-01T12:00:00.000000001Z`. Years beyond 9999 and before 0 have a
  /// sign, as its expanded form has.
  static func time(seconds: Int64, nanoseconds: Int32) -> String {
    // Both are at most zero before 1970; here nanoseconds count upwards from the second before. Days first: the
    // seconds of the first day that Int64 reaches are more than it holds.
    var day = floorDivide(seconds, 86_400)
    var clock = (seconds % 86_400 + 86_400) % 86_400
    var rest = Int64(nanoseconds)
    if rest < 0 {
      rest += 1_000_000_000
      clock -= 1
    }
    if clock < 0 {
      clock += 86_400
      day -= 1
    }
    let (year, month, date) = civil(day)
    let yearText = (0...9999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(abs(year), 4)
    return "\(yearText)-\(padded(month, 2))-\(padded(date, 2))T\(padded(clock / 3600, 2)):"
      + "\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2)).\(padded(rest, 9))Z"
  }

  /// The shortest digits that read back as the same number; `NaN`, `Infinity`, `-Infinity`.
  static func number(_ value: Double) -> String { special(value) ?? value.description }

  /// The same for the shorter type, whose digits are fewer.
  static func number(_ value: Float) -> String { special(Double(value)) ?? value.description }

  private static func special(_ value: Double) -> String? {
    if value.isNaN { return "NaN" }
    return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : nil
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The day of the Gregorian calendar, so many days after 1970-01-01. In eras of 400 years that begin in March, so
  /// that a leap day ends its year.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, date: Int64) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// RFC 4648, section 4, with padding.
  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
