import FerryStore
import Foundation
import Testing

@Suite struct `An identifier` {
  enum Loose: IdentifierKind { static let placeholders = ["none"] }

  @Test func `is never a placeholder`() {
    #expect(Identifier<Folder>("-1") == nil)
    #expect(Identifier<Folder>("") == nil)
  }

  @Test(arguments: ["-7", "0", "-1 ", "1", "-01", " ", "\0", "nil"])
  func `may be any other text`(text: String) { #expect(Identifier<Folder>(text)?.rawValue == text) }

  @Test func `refuses what its kind declares, and only that`() {
    #expect(Identifier<Loose>("none") == nil)
    #expect(Identifier<Loose>("-1") != nil)
  }

  @Test func `is the same where its bytes are, not where Swift's texts are`() {
    let (composed, decomposed) = (Identifier<Folder>("á"), Identifier<Folder>("a\u{301}"))
    #expect("á" == "a\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `that is made is a legal random UUID in lower case`() throws {
    var generator = Seeded(seed: 7)
    var seen: Set<Identifier<Folder>> = []
    for _ in 0..<1000 {
      let made = Identifier<Folder>.make(using: &generator)
      let uuid = try #require(UUID(uuidString: made.rawValue))
      #expect(uuid.uuidString.lowercased() == made.rawValue)
      #expect(uuid.uuid.6 >> 4 == 4, "the version")
      #expect(uuid.uuid.8 >> 6 == 0b10, "the variant")
      #expect(seen.insert(made).inserted)
    }
  }

  @Test func `that is made uses every random bit, and the same ones for the same seed`() {
    var (once, twice) = (Seeded(seed: 9), Seeded(seed: 9))
    #expect(Identifier<Folder>.make(using: &once) == Identifier<Folder>.make(using: &twice))
    struct Ones: RandomNumberGenerator { func next() -> UInt64 { .max } }
    struct Zeroes: RandomNumberGenerator { func next() -> UInt64 { 0 } }
    var (ones, zeroes) = (Ones(), Zeroes())
    #expect(Identifier<Folder>.make(using: &ones).rawValue == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(Identifier<Folder>.make(using: &zeroes).rawValue == "00000000-0000-4000-8000-000000000000")
  }
}

@Suite struct `An open choice` {
  @Test func `is equal where its raw value is, whichever way it was made`() {
    #expect(FolderKind.unknown("primary") == .primary)
    #expect(Set([FolderKind.unknown("primary"), .primary]).count == 1)
    #expect(FolderKind(rawValue: "x") == .unknown("x"))
    #expect(FolderKind.unknown("á") != .unknown("a\u{301}"))
  }
}
