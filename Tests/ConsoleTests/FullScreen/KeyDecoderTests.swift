import FerryConsole
import Testing

@Suite struct `A key decoder` {
  private static let keys: [(sent: String, keys: [Key])] = [
    ("a", [.text("a")]), (" ", [.text(" ")]), ("한", [.text("한")]), ("🎉", [.text("🎉")]), ("é", [.text("é")]),
    ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
    ("\u{3}", [.control("c")]), ("\u{13}", [.control("s")]), ("\u{1A}", [.control("z")]),
    ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]),
    ("\u{1B}OA", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[H", [.home]), ("\u{1B}[F", [.end]),
    ("\u{1B}[1~", [.home]), ("\u{1B}[4~", [.end]), ("\u{1B}[3~", [.delete]), ("\u{1B}[5~", [.pageUp]),
    ("\u{1B}[6~", [.pageDown]), ("\u{1B}[Z", [.backTab]), ("\u{1B}[1;5C", [.right]),
    ("\u{1B}[3;2~", [.delete]),
    ("\u{1B}[15~", [.unknown]), ("\u{1B}[I", [.unknown]), ("\u{0}", [.unknown]),
    ("\u{1B}[200~a\n\u{1B}[A한\u{1B}[201~b", [.paste("a\n\u{1B}[A한"), .text("b")]),
    ("jk\u{1B}[Bq", [.text("j"), .text("k"), .down, .text("q")]),
    ("\u{1B}q", [.escape, .text("q")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
  ]

  @Test(arguments: keys) func `knows what was pressed, however it is cut into pieces`(
    sent: String, keys: [Key]
  ) {
    let bytes = Array(sent.utf8)
    var decoder = KeyDecoder()
    #expect(decoder.feed(bytes) == keys)
    #expect(!decoder.isWaiting)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      #expect(decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...]) == keys, "cut at \(cut)")
    }
    #expect(bytes.flatMap { decoder.feed([$0]) } == keys)
  }

  @Test func `takes an Esc for a key once nothing comes after it`() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B]).isEmpty && decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting && decoder.flush().isEmpty)
    #expect(decoder.feed("\u{1B}[".utf8).isEmpty)
    #expect(decoder.flush() == [.escape, .text("[")])
  }

  @Test(
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE0, 0x20], [0xC2, 0x9B], [0x80]] as [[UInt8]])
  func `makes no character of what is none`(bytes: [UInt8]) {
    var decoder = KeyDecoder()
    let keys = decoder.feed(bytes) + decoder.flush()
    #expect(keys.contains(.unknown))
    #expect(!keys.contains { if case .text(let character) = $0 { character != " " } else { false } })
    #expect(decoder.feed("a".utf8) == [.text("a")], "and goes on")
  }

  @Test func `keeps no paste that never ends, and no sequence`() {
    var decoder = KeyDecoder()
    _ = decoder.feed("\u{1B}[200~".utf8)
    for _ in 0..<2100 { _ = decoder.feed([UInt8](repeating: 0x61, count: 1024)) }
    guard case .paste(let text)? = decoder.feed("\u{1B}[201~".utf8).first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count == 1 << 20)
    #expect(decoder.feed(("\u{1B}[" + String(repeating: "1", count: 200)).utf8).first == .unknown)
  }
}
