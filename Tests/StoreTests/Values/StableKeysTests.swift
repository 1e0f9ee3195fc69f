import Testing

@testable import FerryStore

@Suite struct `A key made of what a row says` {
  /// By `openssl mac`, as those of the hash itself. Frozen: a change of any is a change of keys that stores already hold.
  @Test func `is what it always was`() throws {
    var keys = StableKeys(of: "visit")
    let made = try [
      keys.next([.text("한글"), .integer(-1)]), keys.next([.null, .real(-0.0), .blob([0, 255])]), keys.next([]),
    ]
    #expect(
      made == [
        "00a5b98f95a5b0a5a5a0597a4a17b6ae", "aaed341a32e97e3d75f61afee906fae3",
        "414b3ddb148a221ebd4a130d71cf735d",
      ])
  }

  @Test func `is one of its own for each of two rows that say the same, and the same in the next pass`()
    throws
  {
    func pass() throws -> [String] {
      var keys = StableKeys(of: "visit")
      return try ["a", "b", "a", "a"].map { try keys.next([.text($0)]) }
    }
    let first = try pass()
    #expect(Set(first).count == 4)
    #expect(try pass() == first)
  }

  @Test func `takes two rows that hold no number where one should be for a repetition`() throws {
    var keys = StableKeys(of: "visit")
    let made = try (0..<3).map { _ in try keys.next([.text("a"), .real(.nan)]) }
    #expect(Set(made).count == 3)
  }

  @Test func `tells apart what differs only in kind or in where one value ends`() throws {
    var keys = StableKeys(of: "visit")
    let rows: [[StoredValue]] = [
      [.text("ab"), .text("c")], [.text("a"), .text("bc")], [.text("1")], [.integer(1)], [.real(1)], [.null],
      [.text("null")], [.text("")], [.blob([])], [.blob([0x31])], [.null, .null], [.text("é")],
      [.text("e\u{301}")],
    ]
    #expect(try Set(rows.map { try keys.next($0) }).count == rows.count)
  }
}
