/// An IEEE 754-2008 decimal in binary integer significand form (the format specification, section 9.11).
///
/// Exponents and trailing zeros are kept: 1E2 and 100 are different values here, though equal numbers.
public struct RealmDecimal128: Sendable, Hashable, CustomStringConvertible {
  /// The upper half of the 128-bit form: sign, exponent, and the upper bits of the coefficient.
  public let high: UInt64
  /// The lower half of the 128-bit form.
  public let low: UInt64

  private static let bias = 6176
  private static let infinityBits: UInt64 = 0x7800_0000_0000_0000
  private static let nanBits: UInt64 = 0x7C00_0000_0000_0000

  /// The value with this 128-bit form.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  static let zero = RealmDecimal128(isNegative: false, coefficient: 0, exponent: 0)

  private init(isNegative: Bool, coefficient: UInt64, exponent: Int) {
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    self.init(high: sign | UInt64(exponent + Self.bias) << 49, low: coefficient)
  }

  init(bid32 bits: UInt32) {
    self.init(
      bits: UInt64(bits) << 32, coefficientBits: 23 + 32, droppedBits: 32, bias: 101, largest: 9_999_999)
  }

  init(bid64 bits: UInt64) {
    self.init(
      bits: bits, coefficientBits: 53, droppedBits: 0, bias: 398, largest: 9_999_999_999_999_999)
  }

  /// A narrower form, shifted up so that its sign is bit 63.
  private init(bits: UInt64, coefficientBits: Int, droppedBits: Int, bias: Int, largest: UInt64) {
    let isNegative = bits >> 63 == 1
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    switch bits >> 58 & 31 {
    case 31: self.init(high: sign | Self.nanBits, low: 0)
    case 30: self.init(high: sign | Self.infinityBits, low: 0)
    default:
      let isLarge = bits >> 61 & 3 == 3
      let width = isLarge ? coefficientBits - 2 : coefficientBits
      let exponent = Int(bits >> UInt64(width) & (1 << UInt64(isLarge ? 61 - width : 63 - width) - 1))
      var coefficient = (bits & (1 << UInt64(width) - 1)) >> UInt64(droppedBits)
      if isLarge { coefficient |= 4 << UInt64(width - droppedBits) }
      self.init(
        isNegative: isNegative, coefficient: coefficient > largest ? 0 : coefficient,
        exponent: exponent - bias)
    }
  }

  /// Whether the sign bit is set, also on zeros, infinities and NaN.
  public var isNegative: Bool { high >> 63 == 1 }
  /// Whether this is no number.
  public var isNaN: Bool { high & Self.nanBits == Self.nanBits }
  /// Whether this is infinity of either sign.
  public var isInfinite: Bool { high & Self.nanBits == Self.infinityBits }

  private var isLarge: Bool { high >> 61 & 3 == 3 }

  /// The power of ten that the coefficient is multiplied by; 0 for NaN and infinities.
  public var exponent: Int {
    if isNaN || isInfinite { return 0 }
    return Int(high >> (isLarge ? 47 : 49) & 0x3FFF) - Self.bias
  }

  /// The coefficient, below 10^34, in two halves; 0 for NaN and infinities.
  public var coefficient: (high: UInt64, low: UInt64) {
    // 10^34 - 1 in two halves. The large form can only hold more than that, which counts as 0.
    let most: (high: UInt64, low: UInt64) = (0x0001_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF)
    if isNaN || isInfinite || isLarge { return (0, 0) }
    let upper = high & 0x0001_FFFF_FFFF_FFFF
    return upper > most.high || (upper == most.high && low > most.low) ? (0, 0) : (upper, low)
  }

  /// The decimal digits of the coefficient, at least one.
  public var digits: String {
    var (high, low) = coefficient
    if high == 0 { return String(low) }
    let unit: UInt64 = 10_000_000_000_000_000_000
    var groups: [UInt64] = []
    while high != 0 {
      let upper = high.quotientAndRemainder(dividingBy: unit)
      let lower = unit.dividingFullWidth((upper.remainder, low))
      groups.append(lower.remainder)
      (high, low) = (upper.quotient, lower.quotient)
    }
    let rest = groups.reversed().map { group in
      let text = String(group)
      return String(repeating: "0", count: 19 - text.utf8.count) + text
    }
    let text = (low == 0 ? "" : String(low)) + rest.joined()
    return String(text.drop { $0 == "0" })
  }

  /// The text that the Realm library prints.
  ///
  /// A coefficient of more than 64 bits appears in full with its sign and exponent
  /// (`+1234567890123456789012345678901234E-2`). Otherwise the point moves left while there are digits and the
  /// exponent is not zero, and it counts up with each step, a positive exponent too.
  public var description: String {
    if isNaN { return "NaN" }
    if isInfinite { return isNegative ? "-Inf" : "Inf" }
    let digits = digits
    if coefficient.high != 0 {
      return "\(isNegative ? "-" : "+")\(digits)E\(exponent >= 0 ? "+" : "")\(exponent)"
    }
    var left = exponent
    var point = digits.utf8.count
    while point > 1, left != 0 {
      point -= 1
      left += 1
    }
    var text = isNegative ? "-" : ""
    text += digits.prefix(point)
    if point < digits.utf8.count { text += "." + digits.dropFirst(point) }
    if left != 0 { text += "E\(left)" }
    return text
  }
}
