import FerryStore
import Testing

@Suite struct `The name of an account` {
  @Test(arguments: ["alice@home", "alice@mail.example@work", "앨리스@집", "a b@c d", "a\u{301}@x"])
  func `reads as it is written`(text: String) throws {
    #expect(bytes(try AccountID(text).description) == bytes(text))
  }

  @Test func `may hold a mail address: the last @ counts`() throws {
    let id = try AccountID("alice@mail.example@work")
    #expect(id.user == "alice@mail.example" && id.server == "work")
  }

  @Test(arguments: [
    "", "alice", "@home", "alice@", "a/b@home", "a:b@home", "alice@a/b", "alice@a:b", "a\nb@home", "a\0@home",
    "..@home", ".@home", "alice@..", "a\u{7f}@home", "a\u{2028}b@home", "a\u{85}@home",
  ]) func `is refused where a path or a prompt couldn't carry it`(text: String) {
    #expect(throws: StoreError.self) { try AccountID(text) }
  }

  @Test func `of a server holds no @, which parts the two`() {
    #expect(throws: StoreError.badAccountName("a@b")) { try AccountID(server: "a@b", user: "alice") }
  }

  @Test func `reads an @ even where a mark is combined with it`() throws {
    let id = try AccountID(server: "\u{301}home", user: "alice")
    #expect(try AccountID(id.description) == id)
  }

  @Test func `is the same where its bytes are`() throws {
    let (composed, decomposed) = (try AccountID("á@home"), try AccountID("a\u{301}@home"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
  }
}
