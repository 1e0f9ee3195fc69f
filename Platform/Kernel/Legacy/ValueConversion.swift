/// A conversion that a mapping asks for, ready to run. It never fails: a value that it can't convert stays as it
/// is, and the field it is for then refuses it by name.
enum ValueConversion: Sendable {
  case none
  /// By the text that the mapping writes for the old value.
  case map([Entry])
  case time(Conversion.TimeUnit)
  case key

  struct Entry: Sendable {
    let old: String
    let new: LegacyValue
  }

  func value(of value: LegacyValue) -> LegacyValue {
    switch (self, value) {
    case (.none, _): return value
    case (.map(let entries), _):
      guard let text = value.mapKey else { return value }
      return entries.first { $0.old.hasSameBytes(as: text) }?.new ?? value
    case (.time(let unit), .integer(let count)): return unit.time(count)
    case (.time(let unit), .number(let count)): return unit.time(count) ?? value
    case (.key, .link(.integer(let key))): return .integer(key)
    case (.key, .link(.text(let key))): return .text(key)
    case (.key, .link(.uuid(let key))): return .uuid(key)
    case (.key, .link(.objectID(let key))): return .objectID(key)
    // A row without a key of its own has only its place, which names nothing outside of this file.
    case (.time, _), (.key, _): return value
    }
  }
}

extension LegacyValue {
  /// How a mapping writes this value as the key of a map; nil for a value that can't be one.
  fileprivate var mapKey: String? {
    switch self {
    case .integer(let value): String(value)
    case .flag(let value): String(value)
    case .text(let text): text
    default: nil
    }
  }
}

extension Conversion.TimeUnit {
  /// Seconds from 1970 to the beginning of 2001.
  private static let appleEpoch: Int64 = 978_307_200

  private var perSecond: Int64 {
    switch self {
    case .seconds, .secondsSince2001: 1
    case .milliseconds: 1_000
    case .microseconds: 1_000_000
    }
  }

  private var epoch: Int64 { self == .secondsSince2001 ? Conversion.TimeUnit.appleEpoch : 0 }

  fileprivate func time(_ count: Int64) -> LegacyValue {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: perSecond)
    return sinceEpoch(seconds, rest * (1_000_000_000 / perSecond))
  }

  /// nil for what is no number. What is beyond any time becomes the end, which is then counted as such.
  fileprivate func time(_ count: Double) -> LegacyValue? {
    guard !count.isNaN else { return nil }
    let whole = (count / Double(perSecond)).rounded(.towardZero)
    guard let seconds = Int64(exactly: whole) else {
      return .time(seconds: count < 0 ? .min : .max, nanoseconds: 0)
    }
    // What is over in units is exact, as a part of a second often isn't.
    let rest = (count - whole * Double(perSecond)) * Double(1_000_000_000 / perSecond)
    return sinceEpoch(seconds, Int64(rest.rounded(.towardZero)))
  }

  private func sinceEpoch(_ seconds: Int64, _ nanoseconds: Int64) -> LegacyValue {
    var (seconds, isBeyond) = seconds.addingReportingOverflow(epoch)
    guard !isBeyond else { return .time(seconds: .max, nanoseconds: 0) }
    var nanoseconds = nanoseconds
    // Both parts of a time are of one sign.
    if seconds > 0, nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
    return .time(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }
}
