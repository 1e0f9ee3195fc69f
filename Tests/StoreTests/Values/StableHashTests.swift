import FerryStore
import Testing

/// The values were made by an implementation of its own in Python and by `openssl mac SIPHASH` with the key
/// "Ferry's stable k" over the length-prefixed fields; both agree with the reference vectors of SipHash-2-4-128.
/// They are frozen: a change of any is a change of every key ever made.
@Suite struct `A stable hash` {
  @Test func `of texts is what it always was`() {
    #expect(StableHash().finish() == "d57c77cf4759b6512565c7bc9e525037")
    #expect(StableHash.of("") == "7754d6e55a357975037e62095f648cfb")
    #expect(StableHash.of("a") == "353a0f4b3f747708e95acd4c7baa3493")
    #expect(StableHash.of("ab", "c") == "ca6a1b931fd6ae1d7ad363138c1984c5")
    #expect(StableHash.of("a", "bc") == "299515801fbe2b7994068d8c20284773")
    #expect(StableHash.of("한글", "🚢") == "dbf9c876ee23741ab04c8c189a84950d")
  }

  @Test func `goes by bytes, so that two forms of one letter are two texts`() {
    #expect(StableHash.of("é") == "14595db2fd0afcaa013a180dfe3ce67f")
    #expect(StableHash.of("e\u{301}") == "a1899cc591ef3eb1c2ca02797046ca56")
  }

  @Test func `of numbers and of bytes is what it always was`() {
    var (minusOne, least, long) = (StableHash(), StableHash(), StableHash())
    minusOne.combine(-1)
    least.combine(.min)
    long.combine(bytes: (0..<300).map { UInt8(truncatingIfNeeded: $0) })
    #expect(minusOne.finish() == "28bbcafb2d0988ef7b5e56871f77705f")
    #expect(least.finish() == "5d9f1d8d1f83ab2f342f529561915333")
    #expect(long.finish() == "99fa686d695a09e183b7ede67a1f79f2")
  }

  @Test func `can be finished and gone on with`() {
    var hash = StableHash()
    hash.combine("ab")
    _ = hash.finish()
    hash.combine("c")
    #expect(hash.finish() == StableHash.of("ab", "c"))
  }
}
