/// A 12-byte object identifier.
public struct RealmObjectID: Sendable, Hashable, CustomStringConvertible {
  private let head: UInt64
  private let tail: UInt32

  init(_ start: UnsafeRawPointer) {
    head = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    tail = UInt32(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// The 12 bytes in display order.
  public var bytes: [UInt8] { BigEndian.bytes(head) + BigEndian.bytes(tail) }

  /// 24 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.text(bytes) }
}

/// A 16-byte universally unique identifier.
public struct RealmUUID: Sendable, Hashable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  init(_ start: UnsafeRawPointer) {
    high = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The 16 bytes in display order.
  public var bytes: [UInt8] { BigEndian.bytes(high) + BigEndian.bytes(low) }

  /// The 8-4-4-4-12 form in lower case.
  public var description: String {
    let bytes = bytes
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(bytes[$0]) }.joined(separator: "-")
  }
}

enum BigEndian {
  static func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
  }
}

enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var utf8: [UInt8] = []
    for byte in bytes {
      utf8.append(digits[Int(byte >> 4)])
      utf8.append(digits[Int(byte & 15)])
    }
    return String(decoding: utf8, as: UTF8.self)
  }
}
