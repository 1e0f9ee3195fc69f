/// The two hashes that old builds made keys with, to recognise such a key and never to make one: both
/// throw different rows together by the thousand (traps K3). New keys come from `StableKeys`.
public enum LegacyHash {
  /// Boost's `hash_combine` over numbers, first to last, from 0 on, in 64 bits.
  public static func combine(_ numbers: Int64...) -> UInt64 {
    numbers.reduce(0) { seed, number in
      seed ^ (UInt64(bitPattern: number) &+ 0x9e37_79b9 &+ (seed << 6) &+ (seed >> 2))
    }
  }

  /// Bernstein's djb2 over a text's UTF-8 bytes, in 64 bits.
  public static func djb2(_ text: String) -> UInt64 { text.utf8.reduce(5381) { $0 &* 33 &+ UInt64($1) } }
}
