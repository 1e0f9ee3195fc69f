/// The shortest digits of a floating-point number that read back as the same number, laid out as Python does.
enum PythonNumbers {
  static func text(_ value: Double) -> String {
    special(isNaN: value.isNaN, isInfinite: value.isInfinite, isNegative: value < 0)
      ?? (plain(value.description, value.magnitude < 1e16) ?? layout(value.description))
  }

  static func text(_ value: Float) -> String {
    special(isNaN: value.isNaN, isInfinite: value.isInfinite, isNegative: value < 0)
      ?? (plain(value.description, value.magnitude < 1e16) ?? layout(value.description))
  }

  /// Text without an exponent, which is the same in both languages below 1e16.
  private static func plain(_ text: String, _ isSmall: Bool) -> String? {
    isSmall && !text.utf8.contains(UInt8(ascii: "e")) ? text : nil
  }

  private static func special(isNaN: Bool, isInfinite: Bool, isNegative: Bool) -> String? {
    if isNaN { return "\"NaN\"" }
    guard isInfinite else { return nil }
    return isNegative ? "\"-Infinity\"" : "\"Infinity\""
  }

  /// Swift and Python agree on the digits but not on when to write an exponent: Python does so below 1e-4 and
  /// from 1e16 on, with at least two digits.
  private static func layout(_ text: String) -> String {
    var isNegative = false
    var digits: [UInt8] = []
    var point: Int?
    var exponent = 0
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest.removeFirst()
    }
    while let character = rest.popFirst() {
      switch character {
      case UInt8(ascii: "."): point = digits.count
      case UInt8(ascii: "e"):
        exponent = Int(String(decoding: rest, as: UTF8.self)) ?? 0
        rest = []
      default: digits.append(character)
      }
    }
    var decimal = (point ?? digits.count) + exponent
    while digits.count > 1, digits.first == UInt8(ascii: "0") {
      digits.removeFirst()
      decimal -= 1
    }
    while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits == [UInt8(ascii: "0")] { decimal = 1 }
    return (isNegative ? "-" : "") + layout(String(decoding: digits, as: UTF8.self), decimal: decimal)
  }

  /// `digits` with the decimal point after `decimal` of them.
  private static func layout(_ digits: String, decimal: Int) -> String {
    let count = digits.utf8.count
    if decimal > 16 || decimal < -3 {
      let exponent = decimal - 1
      let magnitude = String(abs(exponent))
      let padded = magnitude.utf8.count < 2 ? "0" + magnitude : magnitude
      let mantissa = count > 1 ? "\(digits.prefix(1)).\(digits.dropFirst(1))" : digits
      return "\(mantissa)e\(exponent < 0 ? "-" : "+")\(padded)"
    }
    if decimal <= 0 { return "0." + String(repeating: "0", count: -decimal) + digits }
    if decimal >= count { return digits + String(repeating: "0", count: decimal - count) + ".0" }
    return "\(digits.prefix(decimal)).\(digits.dropFirst(decimal))"
  }
}
