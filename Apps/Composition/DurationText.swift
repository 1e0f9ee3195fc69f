/// A length of time as a person writes it: `30s`, `5m`, `1h30m`, `1d`.
public enum DurationText {
  private static let units: [(letter: Character, seconds: Int64)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// The time that a text means: whole numbers with a unit each, from the largest unit to the smallest, each once.
  ///
  /// - Returns: nil for any other text, and for a time that no clock counts to.
  public static func duration(_ text: String) -> Duration? {
    var seconds: Int64 = 0
    var rest = Substring(text)
    var units = DurationText.units[...]
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard let number = Int64(digits), let letter = rest.popFirst(),
        let index = units.firstIndex(where: { $0.letter == letter })
      else { return nil }
      let (part, isTooLong) = number.multipliedReportingOverflow(by: units[index].seconds)
      let (sum, isTooLongInAll) = seconds.addingReportingOverflow(part)
      guard !isTooLong, !isTooLongInAll, sum <= 366 * 86_400 else { return nil }
      seconds = sum
      units = units[(index + 1)...]
    }
    return .seconds(seconds)
  }
}
