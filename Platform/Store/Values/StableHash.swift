/// A hash whose output for given input is fixed for ever: SipHash-2-4 with 128 bits of output and a
/// constant key (Aumasson and Bernstein, "SipHash: a fast short-input PRF").
///
/// It makes keys where a legacy class has none, and freezes declarations. It is no protection against
/// someone who wants a collision. Fields are length-prefixed, so `("ab", "c")` and `("a", "bc")` differ.
public struct StableHash: Sendable {
  private var v0: UInt64 = 0x736f_6d65_7073_6575 ^ StableHash.key0
  private var v1: UInt64 = 0x646f_7261_6e64_6f6d ^ StableHash.key1 ^ 0xee
  private var v2: UInt64 = 0x6c79_6765_6e65_7261 ^ StableHash.key0
  private var v3: UInt64 = 0x7465_6462_7974_6573 ^ StableHash.key1
  private var tail: UInt64 = 0
  private var count: UInt64 = 0

  // The letters "Ferry's stable k": a constant, since a key that varies would give keys that vary.
  private static let key0: UInt64 = 0x2073_2779_7272_6546
  private static let key1: UInt64 = 0x6b20_656c_6261_7473

  /// A hash of nothing yet.
  public init() {}

  /// Adds a field of bytes.
  public mutating func combine(bytes: some Collection<UInt8>) {
    var length = UInt64(bytes.count)
    for _ in 0..<8 {
      add(UInt8(truncatingIfNeeded: length))
      length >>= 8
    }
    for byte in bytes { add(byte) }
  }

  /// Adds a text field, by its UTF-8 bytes.
  public mutating func combine(_ text: String) { combine(bytes: text.utf8) }

  /// Adds a number field.
  public mutating func combine(_ number: Int64) {
    combine(bytes: (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }

  /// The hash of all that was combined, as 32 lower-case hexadecimal digits.
  public func finish() -> String {
    var copy = self
    let last = copy.tail | (copy.count << 56)
    copy.absorb(last)
    copy.v2 ^= 0xee
    copy.rounds(4)
    let low = copy.v0 ^ copy.v1 ^ copy.v2 ^ copy.v3
    copy.v1 ^= 0xdd
    copy.rounds(4)
    let high = copy.v0 ^ copy.v1 ^ copy.v2 ^ copy.v3
    return StableHash.hex(low.byteSwapped) + StableHash.hex(high.byteSwapped)
  }

  /// The hash of some text fields.
  public static func of(_ fields: String...) -> String {
    var hash = StableHash()
    for field in fields { hash.combine(field) }
    return hash.finish()
  }

  private mutating func add(_ byte: UInt8) {
    tail |= UInt64(byte) << ((count & 7) * 8)
    count &+= 1
    if count & 7 == 0 {
      absorb(tail)
      tail = 0
    }
  }

  private mutating func absorb(_ word: UInt64) {
    v3 ^= word
    rounds(2)
    v0 ^= word
  }

  private mutating func rounds(_ times: Int) {
    for _ in 0..<times {
      v0 &+= v1
      v1 = (v1 << 13 | v1 >> 51) ^ v0
      v0 = v0 << 32 | v0 >> 32
      v2 &+= v3
      v3 = (v3 << 16 | v3 >> 48) ^ v2
      v0 &+= v3
      v3 = (v3 << 21 | v3 >> 43) ^ v0
      v2 &+= v1
      v1 = (v1 << 17 | v1 >> 47) ^ v2
      v2 = v2 << 32 | v2 >> 32
    }
  }

  private static func hex(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
