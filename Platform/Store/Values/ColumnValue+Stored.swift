import Foundation

// The way back from a stored value, for what isn't read from a row: the members of a list.

extension Int64 {
  public static func value(from stored: StoredValue) -> Int64? {
    if case .integer(let value) = stored { value } else { nil }
  }
}

extension Int {
  public static func value(from stored: StoredValue) -> Int? {
    if case .integer(let value) = stored { Int(exactly: value) } else { nil }
  }
}

extension Bool {
  public static func value(from stored: StoredValue) -> Bool? {
    switch stored {
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }
}

extension Double {
  public static func value(from stored: StoredValue) -> Double? {
    if case .real(let value) = stored { value } else { nil }
  }
}

extension String {
  public static func value(from stored: StoredValue) -> String? {
    if case .text(let value) = stored { value } else { nil }
  }
}

extension Timestamp {
  public static func value(from stored: StoredValue) -> Timestamp? {
    if case .integer(let value) = stored { Timestamp(nanoseconds: value) } else { nil }
  }
}

extension Data {
  public static func value(from stored: StoredValue) -> Data? {
    if case .blob(let value) = stored { Data(value) } else { nil }
  }
}

extension UUID {
  public static func value(from stored: StoredValue) -> UUID? {
    guard case .text(let text) = stored, let value = UUID(uuidString: text) else { return nil }
    // In capitals another program wrote it, and no query would find it.
    return value.stored == stored ? value : nil
  }
}

extension Identifier {
  public static func value(from stored: StoredValue) -> Identifier? {
    if case .text(let value) = stored { Identifier(value) } else { nil }
  }
}

extension Optional where Wrapped: ColumnValue {
  public static func value(from stored: StoredValue) -> Wrapped?? {
    if case .null = stored { .some(nil) } else { Wrapped.value(from: stored).map { .some($0) } }
  }
}

extension OpenChoice {
  public static func value(from stored: StoredValue) -> Self? {
    RawValue.value(from: stored).map { Self(rawValue: $0) }
  }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static func value(from stored: StoredValue) -> Self? {
    RawValue.value(from: stored).flatMap { Self(rawValue: $0) }
  }
}
