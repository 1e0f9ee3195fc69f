/// A value as it lies in the file, before anything is made of it: reading one costs no allocation.
///
/// For going over many cells of which few are kept; `RealmRow.value(at:)` gives the same as values of their own.
public enum RealmCell {
  /// No value.
  case null
  /// A whole number.
  case int(Int64)
  /// True or false.
  case bool(Bool)
  /// A 32-bit floating-point number.
  case float(Float)
  /// A 64-bit floating-point number.
  case double(Double)
  /// Text, of which a string is made when it is asked for.
  case text(RealmBytes)
  /// Bytes.
  case binary(RealmBytes)
  /// A point in time; see `RealmValue.timestamp`.
  case timestamp(seconds: Int64, nanoseconds: Int32)
  /// A 12-byte object identifier.
  case objectId(RealmObjectID)
  /// A 16-byte identifier.
  case uuid(RealmUUID)
  /// A decimal.
  case decimal128(RealmDecimal128)
  /// A link to the object with this key in the table that the column names as its target.
  case link(key: Int64)
  /// A collection or a mixed value; these are read whole.
  case value(RealmValue)

  @inline(__always)
  init(_ cell: RawCell, snapshot: Snapshot) {
    switch cell {
    case .null, .composite: self = .null
    case .int(let number): self = .int(number)
    case .bool(let flag): self = .bool(flag)
    case .float(let number): self = .float(number)
    case .double(let number): self = .double(number)
    case .text(let bytes): self = .text(RealmBytes(owner: snapshot, bytes: bytes))
    case .binary(let bytes): self = .binary(RealmBytes(owner: snapshot, bytes: bytes))
    case .timestamp(let seconds, let nanoseconds):
      self = .timestamp(seconds: seconds, nanoseconds: nanoseconds)
    case .objectId(let start): self = .objectId(RealmObjectID(start))
    case .uuid(let start): self = .uuid(RealmUUID(start))
    case .decimal(let number): self = .decimal128(number)
    case .link(let key): self = .link(key: key)
    case .typedLink: self = .value(RealmValue(cell, target: nil, snapshot: snapshot))
    }
  }
}

/// Bytes of a value where they lie in the file. It keeps the file readable for as long as it is kept.
public struct RealmBytes {
  let owner: Snapshot
  let bytes: UnsafeRawBufferPointer

  /// The number of bytes.
  public var count: Int { bytes.count }

  /// The bytes as text; nil where they are not valid UTF-8.
  public var string: String? {
    if case .string(let text) = RealmValue(text: bytes) { text } else { nil }
  }

  /// A copy of the bytes.
  public var array: [UInt8] { [UInt8](bytes) }

  /// Calls `body` with the bytes, which must not be used after it returns.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(owner) { try body(bytes) }
  }
}
