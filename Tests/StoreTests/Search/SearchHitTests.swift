import Foundation
import Testing

@testable import FerryStore

@Suite struct `A search hit` {
  private func hit(_ text: String, _ memo: Memo) throws -> SearchHit<Memo> {
    let desk = try Desk()
    try desk.account.blockingWrite { try $0.insert(memo) }
    let hits = try desk.account.blockingRead { try $0.search(Memo.self, text) }
    return try #require(hits.first)
  }

  private func marked(_ text: String, _ ranges: [Range<String.Index>]) -> String {
    var marked = ""
    var at = text.startIndex
    for range in ranges {
      marked += text[at..<range.lowerBound] + "[" + text[range] + "]"
      at = range.upperBound
    }
    return marked + text[at...]
  }
  private func marks(_ text: String, _ memo: Memo) throws -> [String] {
    try hit(text, memo).matches.map {
      "\($0.column)\($0.member.map { "[\($0)]" } ?? ""): \(marked($0.text, $0.ranges))"
    }
  }

  @Test func `says in which column, of a list in which member, and where`() throws {
    let memo = Memo("a", title: "Tax, taxes", preview: "nothing", tags: ["a", "my tax"])
    #expect(try hit("tax", memo).record == memo)
    #expect(try marks("tax", memo) == ["title: [Tax], [taxes]", "tags[1]: my [tax]"])
    #expect(try marks("a nothing", memo) == ["preview: [nothing]", "tags[0]: [a]"])
  }

  @Test func `marks the text as it is stored`() throws {
    #expect(try marks("cafe", Memo("a", title: "Das Cafe\u{301}!")) == ["title: Das [Cafe\u{301}]!"])
    let decomposed = "안녕하세요".decomposedStringWithCanonicalMapping
    #expect(decomposed.utf8.count > "안녕하세요".utf8.count)
    let marks = try marks("녕하", Memo("a", title: decomposed))
    #expect(marks.map(bytes) == [bytes("title: " + "안[녕하]세요".decomposedStringWithCanonicalMapping)])
    #expect(try self.marks("東京", Memo("a", title: "新東京、東\u{3000}京")) == ["title: 新[東京]、[東\u{3000}京]"])
    #expect(try self.marks("strasse", Memo("a", title: "Große Straße 🚢")) == ["title: Große [Straße] 🚢"])
  }

  @Test func `marks what overlaps once`() throws {
    #expect(try marks("aa-bb bb-cc", Memo("a", title: "aa bb cc")) == ["title: [aa bb cc]"])
    #expect(try marks("ア", Memo("a", title: "アアア")) == ["title: [ア][ア][ア]"])
    #expect(try marks("アア", Memo("a", title: "アアア")) == ["title: [アアア]"])
  }

  @Test func `has an excerpt around the first match`() throws {
    let title = String(repeating: "before ", count: 20) + "needle " + String(repeating: "after ", count: 20)
    let match = try #require(try hit("needle", Memo("a", title: title)).matches.first)
    let excerpt = match.excerpt(length: 40)
    #expect(excerpt.text.count == 40)
    #expect(excerpt.isCutAtStart && excerpt.isCutAtEnd)
    #expect(excerpt.ranges.map { String(excerpt.text[$0]) } == ["needle"])
    #expect(match.excerpt(length: 1000).text == title)

    let early = try #require(try hit("needle", Memo("a", title: "needle " + title)).matches.first)
    #expect(
      marked(early.excerpt(length: 20).text, early.excerpt(length: 20).ranges) == "[needle] before before")
    #expect(!early.excerpt(length: 20).isCutAtStart)
    let late = try #require(try hit("end", Memo("a", title: title + "end")).matches.first)
    #expect(marked(late.excerpt(length: 12).text, late.excerpt(length: 12).ranges) == "er after [end]")
    #expect(!late.excerpt(length: 12).isCutAtEnd)
    let short = early.excerpt(length: 3)
    #expect(marked(short.text, short.ranges) == "[nee]")
    #expect(early.excerpt(length: 0).text == "" && early.excerpt(length: 0).ranges.isEmpty)
    #expect(early.excerpt(length: -1).text == "")
  }
}
