import KintoRemote
import TestKit
import Testing

/// Keys as the server's ids and back.
@Suite struct `A record's name on the server` {
  static let keys = [
    "i3", "i-7", "-7", "언어", "", "a b", "a/b", "a_b", "a__b", "_", "__", ":", ":i3", ":items__i3", ":-x", "ÿ",
    "e\u{301}", "é",
    "A", "a", "🧳", "..", "a\u{0}b", "items__i3",
  ]

  @Test(arguments: keys)
  func `is legal whatever the key, and leads back to it`(key: String) throws {
    let name = RecordName(key, in: "items")
    #expect(isLegal(name.text))
    #expect(name.key(in: "items").utf8.elementsEqual(key.utf8))
    #expect(RecordName(server: name.text) == name)
  }

  @Test(arguments: 1...20)
  func `is another for another key or feed, for any text`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var seen: [String: (key: [UInt8], feed: String)] = [:]
    for _ in 0..<500 {
      let key = Self.text(&random)
      let feed = ["items", "item", "a-b", "a", "search-history"].randomElement(using: &random) ?? ""
      let name = RecordName(key, in: feed)
      #expect(isLegal(name.text))
      #expect(name.key(in: feed).utf8.elementsEqual(key.utf8))
      // Names that somebody else made are in no feed of ours.
      if key.utf8.first == UInt8(ascii: ":") { continue }
      if let other = seen[name.text] {
        #expect(other.feed == feed && other.key == Array(key.utf8), "seed \(seed): \(name.text)")
      }
      seen[name.text] = (Array(key.utf8), feed)
    }
  }

  @Test(arguments: 1...20)
  func `that anybody made leads to a key that leads back to it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("aZ09-_f3i")
    for _ in 0..<500 {
      let length = Int.random(in: 1...12, using: &random)
      let prefix = Bool.random(using: &random) ? "items__" : ""
      let text = prefix + String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
      guard let name = RecordName(server: text) else {
        #expect(!isLegal(text))
        continue
      }
      #expect(RecordName(name.key(in: "items"), in: "items").text == text, "seed \(seed)")
    }
  }

  @Test(arguments: ["", "-a", "_a", "a b", "a.b", "é", "a:b", "a/b"])
  func `is none that the server can't have given`(text: String) {
    #expect(RecordName(server: text) == nil)
  }

  @Test func `says which feed and key it is of`() {
    #expect(RecordName("i3", in: "items").text == "items__i3")
    #expect(RecordName("-7", in: "folders").text == "folders__-7")
    #expect(RecordName("언어", in: "f").text == "f___ec_96_b8_ec_96_b4")
  }

  private func isLegal(_ text: String) -> Bool {
    text.wholeMatch(of: /[a-zA-Z0-9][a-zA-Z0-9_-]*/) != nil
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = ["a", "_", "-", ":", "0", "언", "é", "\u{301}", "/", "\u{0}", "🧳", "f"]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      text.append(scalars.randomElement(using: &random) ?? "a")
    }
    return String(text)
  }
}
