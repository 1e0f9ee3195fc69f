/// Numbers: whole ones are added up digit by digit, the others go through the standard library, whose
/// conversion is exact and knows no locale.
extension JSONParser {
  /// Reads the number that begins at hand.
  mutating func number() throws(JSONFault) -> JSONValue {
    let start = offset
    let isNegative = bytes[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let whole = try wholePart(startedAt: start)
    let hasFraction = try skipFraction(startedAt: start)
    let hasExponent = try skipExponent(startedAt: start)
    if !hasFraction, !hasExponent, let whole, let integer = Self.integer(whole, isNegative: isNegative) {
      return .integer(integer)
    }
    let value = try double(start)
    return hasFraction || hasExponent ? .number(value) : .wide(text(from: start))
  }

  /// The digits before the point; `nil` where they don't fit 64 bits.
  private mutating func wholePart(startedAt start: Int) throws(JSONFault) -> UInt64? {
    let first = offset
    var magnitude: UInt64 = 0
    var fits = true
    while let digit = digit() {
      let (product, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
      fits = fits && !overflowed && !carried
      magnitude = sum
      offset += 1
    }
    guard offset > first else { throw digitsMissing(startedAt: start) }
    guard bytes[first] != UInt8(ascii: "0") || offset == first + 1 else {
      throw fault(.invalidNumber, at: start)
    }
    return fits ? magnitude : nil
  }

  private mutating func skipFraction(startedAt start: Int) throws(JSONFault) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: ".") else { return false }
    offset += 1
    try skipDigits(startedAt: start)
    return true
  }

  private mutating func skipExponent(startedAt start: Int) throws(JSONFault) -> Bool {
    guard offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return false }
    offset += 1
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
      offset += 1
    }
    try skipDigits(startedAt: start)
    return true
  }

  private mutating func skipDigits(startedAt start: Int) throws(JSONFault) {
    let first = offset
    while digit() != nil { offset += 1 }
    guard offset > first else { throw digitsMissing(startedAt: start) }
  }

  private func digit() -> UInt8? {
    guard offset < bytes.count, (0x30...0x39).contains(bytes[offset]) else { return nil }
    return bytes[offset] - 0x30
  }

  private func digitsMissing(startedAt start: Int) -> JSONFault {
    offset < bytes.count ? fault(.invalidNumber, at: start) : fault(.unexpectedEnd)
  }

  private static func integer(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
    guard isNegative else { return Int64(exactly: magnitude) }
    guard magnitude <= Int64.min.magnitude else { return nil }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  private func text(from start: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
  }

  private func double(_ start: Int) throws(JSONFault) -> Double {
    guard let value = Double(text(from: start)) else { throw fault(.invalidNumber, at: start) }
    guard value.isFinite else { throw fault(.numberOutOfRange, at: start) }
    return value
  }
}
