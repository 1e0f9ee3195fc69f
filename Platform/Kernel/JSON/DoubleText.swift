/// A finite number in the layout of Python's `repr`: the shortest digits that read back to the same number,
/// with an exponent below 1e-4 and from 1e16 on (`1.0`, `1e+22`, `5e-324`).
///
/// Swift finds the same digits but lays them out by other limits, so its digits are taken and set anew.
struct DoubleText: CustomStringConvertible {
  let description: String

  init(_ number: Double) {
    let parts = DecimalParts(number)
    let sign = number.sign == .minus ? "-" : ""
    if parts.exponent < -4 || parts.exponent >= 16 {
      description = sign + Self.scientific(parts)
    } else {
      description = sign + Self.positional(parts)
    }
  }

  private static func scientific(_ parts: DecimalParts) -> String {
    let fraction =
      parts.digits.count > 1 ? "." + String(decoding: parts.digits.dropFirst(), as: UTF8.self) : ""
    let exponent = String(abs(parts.exponent))
    let padding = exponent.utf8.count < 2 ? "0" : ""
    let first = Character(Unicode.Scalar(parts.digits[0]))
    return "\(first)\(fraction)e\(parts.exponent < 0 ? "-" : "+")\(padding)\(exponent)"
  }

  private static func positional(_ parts: DecimalParts) -> String {
    let zero = UInt8(ascii: "0")
    var text: [UInt8] = []
    if parts.exponent < 0 {
      text = [zero, UInt8(ascii: ".")] + Array(repeating: zero, count: -parts.exponent - 1) + parts.digits
    } else {
      let whole = parts.exponent + 1
      text =
        Array(parts.digits.prefix(whole)) + Array(repeating: zero, count: max(0, whole - parts.digits.count))
      let fraction = parts.digits.dropFirst(whole)
      text += [UInt8(ascii: ".")] + (fraction.isEmpty ? [zero] : Array(fraction))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The significant digits of a finite number, and the power of ten of the first of them.
private struct DecimalParts {
  private(set) var digits: [UInt8] = []
  private(set) var exponent = 0

  init(_ number: Double) {
    var pointAt: Int?
    var power = 0
    let text = Array(number.magnitude.description.utf8)
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
    if mantissa.count < text.count {
      power = Int(String(decoding: text.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
    }
    for byte in mantissa {
      if byte == UInt8(ascii: ".") { pointAt = digits.count } else { digits.append(byte) }
    }
    exponent = (pointAt ?? digits.count) - 1 + power
    trimZeros()
  }

  private mutating func trimZeros() {
    let zero = UInt8(ascii: "0")
    while digits.count > 1, digits.last == zero { digits.removeLast() }
    let leading = digits.prefix { $0 == zero }.count
    guard leading < digits.count else {
      (digits, exponent) = ([zero], 0)
      return
    }
    digits.removeFirst(leading)
    exponent -= leading
  }
}
