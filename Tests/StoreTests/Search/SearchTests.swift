import Foundation
import Testing

@testable import FerryStore

@Suite struct `A search` {
  let desk: Desk
  var account: AccountStore { desk.account }

  init() throws { desk = try Desk() }

  /// Puts these texts in as titles, and says which of them a search finds.
  private func found(_ text: String, in titles: [String]) throws -> [String] {
    try account.blockingWrite { transaction in
      try transaction.deleteAll(Memo.self)
      for (index, title) in titles.enumerated() { try transaction.insert(Memo("\(index)", title: title)) }
    }
    return try account.blockingRead { try $0.fetch(Memo.matching(text)).map(\.title) }
  }

  @Test func `finds words by their beginning, whatever their case and their diacritics`() throws {
    let titles = [
      "Cafés in Zürich", "decaf", "cafe\u{301}", "CAFÉ", "Καφές", "ὈΔΥΣΣΕΎΣ οδός", "Ёлка", "Straße",
    ]
    #expect(try found("caf", in: titles) == ["Cafés in Zürich", "cafe\u{301}", "CAFÉ"])
    #expect(try found("CAFÉ", in: titles) == ["Cafés in Zürich", "cafe\u{301}", "CAFÉ"])
    #expect(try found("zurich cafe", in: titles) == ["Cafés in Zürich"])
    #expect(try found("u\u{308}", in: ["über", "uber", "auber"]) == ["über", "uber"])
    #expect(try found("καφες", in: titles) == ["Καφές"])
    #expect(try found("οδυσσευς", in: titles) == ["ὈΔΥΣΣΕΎΣ οδός"])
    #expect(try found("ΟΔΟΣ", in: titles) == ["ὈΔΥΣΣΕΎΣ οδός"])
    #expect(try found("елка", in: titles) == ["Ёлка"])
    #expect(try found("STRASSE", in: titles) == ["Straße"])
    #expect(try found("x", in: titles) == [])
  }

  @Test func `finds characters of Chinese, Japanese and Korean wherever they stand, from one on`() throws {
    let titles = ["新東京駅", "京東", "東 京", "ひらがなカタカナ", "안녕하세요", "𠮷野家"]
    #expect(try found("東京", in: titles) == ["新東京駅", "東 京"])
    #expect(try found("京", in: titles) == ["新東京駅", "京東", "東 京"])
    #expect(try found("駅", in: titles) == ["新東京駅"])
    #expect(try found("がなカタ", in: titles) == ["ひらがなカタカナ"])
    #expect(try found("かな", in: titles) == [], "が isn't か")
    #expect(try found("하세", in: titles) == ["안녕하세요"])
    #expect(try found("안요", in: titles) == [])
    #expect(try found("野", in: titles) == ["𠮷野家"])
    #expect(try found("𠮷野", in: titles) == ["𠮷野家"])
  }

  @Test func `finds Hangul in either form, and leaves the stored text in its own`() throws {
    let (composed, decomposed) = ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}")
    for text in [composed, decomposed] {
      #expect(
        try found(text, in: [composed, decomposed]).map(bytes) == [bytes(composed), bytes(decomposed)])
    }
    #expect(try found("글", in: [decomposed]).map(bytes) == [bytes(decomposed)])
  }

  @Test func `takes a mixture apart: characters as such, the rest by its beginning`() throws {
    let titles = ["東京Tower第2展望台", "Tower Bridge", "東京"]
    #expect(try found("東京tow", in: titles) == ["東京Tower第2展望台"])
    #expect(try found("tower第", in: titles) == ["東京Tower第2展望台"])
    #expect(try found("tow第", in: titles) == [], "within a phrase a word is whole")
    #expect(try found("展望 tower", in: titles) == ["東京Tower第2展望台"])
    #expect(try found("tower", in: titles) == ["東京Tower第2展望台", "Tower Bridge"])
  }

  @Test func `looks in every column of its index, for each phrase in any of them`() throws {
    try account.blockingWrite {
      try $0.insert([
        Memo("a", title: "invoice", preview: "for March", tags: ["paid", "tax 2024"]),
        Memo("b", title: "paid", tags: ["東", "京"]), Memo("c", preview: "2024 taxes"),
      ])
    }
    #expect(try desk.ids(Memo.matching("paid")) == ["a", "b"])
    #expect(try desk.ids(Memo.matching("paid march")) == ["a"])
    #expect(try desk.ids(Memo.matching("tax")) == ["a", "c"])
    #expect(try desk.ids(Memo.matching("tax-2024")) == ["a"], "in a row, in one text")
    #expect(try desk.ids(Memo.matching("paid-tax")) == [], "a phrase doesn't go from one member to the next")
    #expect(try desk.ids(Memo.matching("東京")) == [])
    #expect(try desk.ids(Memo.matching("東 京")) == ["b"])
  }

  @Test func `is a condition like others`() throws {
    try account.blockingWrite { transaction in
      for number in 1...9 {
        try transaction.insert(
          Memo("\(number)", title: "word \(number)", tags: number.isMultiple(of: 2) ? ["even"] : []))
      }
    }
    #expect(
      try desk.ids(
        Memo.matching("wor").where { !$0.tags.contains("even") }.order { $0.title.descending }.limit(3)) == [
          "9", "7", "5",
        ])
    #expect(try desk.ids(Memo.where { !$0.matches("word") }) == [])
    #expect(try desk.ids(Memo.where { $0.matches("1") || $0.matches("2") }) == ["1", "2"])
    #expect(try desk.ids(Memo.where { $0.title != "" }.matching("3")) == ["3"])
    #expect(try account.blockingRead { try $0.count(Memo.matching("word")) } == 9)
    let pages = Memo.matching("word").order { $0.title.descending }.limit(4)
    let page = try account.blockingRead { try $0.fetch(pages) }
    #expect(try desk.ids(pages.after(try #require(page.last))) == ["5", "4", "3", "2"])
    let hits = try account.blockingRead {
      try $0.search(Memo.self, "even") { $0.order { $0.title.descending }.limit(2) }
    }
    #expect(hits.map(\.record.id.rawValue) == ["8", "6"])
    #expect(try account.blockingWrite { try $0.delete(Memo.matching("8")) } == WriteCounts(deleted: 1))
    #expect(
      try account.blockingWrite { try $0.update(Memo.matching("7")) { $0.title = "gone" } }
        == WriteCounts(updated: 1))
    #expect(try desk.ids(Memo.matching("7")) == [])
  }

  static let nothing = [
    "", " ", "\0", "!?.,", "\"\"", "*", "-", "\u{301}", "🚢", "👩‍👩‍👧", "\u{200d}", "()", "\u{fffd}",
  ]

  @Test(arguments: nothing) func `for nothing that is a word finds nothing`(text: String) throws {
    #expect(SearchTerms(text).isEmpty)
    #expect(try found(text, in: ["", "a", text]) == [])
    #expect(try account.blockingRead { try $0.search(Memo.self, text).count } == 0)
    #expect(try account.blockingRead { try $0.count(Memo.where { !$0.matches(text) }) } == 3)
  }

  static let syntax =
    [
      ("\"quoted", "a \"quoted word"), ("w*rd", "w rd"), ("-word", "word"), ("NEAR(a b)", "near a, b"),
      ("a AND b", "a and b"), ("a OR b", "a or b"), ("NOT a", "not a"), ("title:x", "title x"), ("^a", "a"),
      ("{a b}", "a b"), ("a + b", "a b"), ("title_text : a", "title text a"), ("a\0b", "a b"),
      ("it's", "It’s"),
      ("'; DROP TABLE memo; --", "drop table memo"), ("\\\"a", "a"), ("a\"b\" *", "a b"),
      ("(((", nil as String?),
      ("a\u{e000}b", "a\u{e000}b"), ("1\u{e000}a", "1\u{e000}a"), ("50%", "50"), ("_", nil),
    ] as [(String, String?)]

  @Test(arguments: syntax) func `is never in a language of its own`(pair: (text: String, title: String?))
    throws
  {
    let found = try found(pair.text, in: [pair.title ?? "a", "zzz", "b"])
    #expect(found == (pair.title.map { [$0] } ?? []))
  }

  @Test func `takes as many words as it says, and is an error for more`() throws {
    let words = (0..<SearchTerms.limit).map { "w\($0)" }.joined(separator: " ")
    #expect(try found(words, in: [words, "w1"]) == [words])
    let characters = String(repeating: "東", count: SearchTerms.limit)
    #expect(try found(characters, in: [characters + "京"]).count == 1)
    for text in [words + " more", characters + "京", String(repeating: "a-", count: 10_000)] {
      #expect(throws: StoreError.searchTooLong(limit: 1000)) { try found(text, in: []) }
      #expect(throws: StoreError.searchTooLong(limit: 1000)) {
        try Columns<Memo>().matches(text).evaluate(Memo("a"))
      }
    }
    let long = String(repeating: "x", count: 50_000)
    #expect(try found(long, in: [long, "x"]) == [long])
    #expect(try found(long, in: [String(long.dropLast())]).count == 1, "the first 200 letters are a word")
    #expect(try found(long, in: [String(repeating: "x", count: 199)]) == [])
  }

  @Test func `in a table without an index is an error`() throws {
    let mailbox = try Mailbox()
    for query in [Folder.matching("a"), Folder.matching(""), Folder.where { !$0.matches("a") }] {
      #expect(throws: StoreError.notSearchable(table: "folder")) {
        try mailbox.account.blockingRead { try $0.fetch(query) }
      }
    }
    #expect(throws: StoreError.notSearchable(table: "folder")) {
      try mailbox.account.blockingRead { try $0.search(Folder.self, "a") }
    }
  }

  @Test func `of a device's table needs no account`() throws {
    struct Line: Record, Equatable {
      typealias Scope = DeviceScope
      typealias Key = Int64
      let id: Int64
      var rank: String
      var words: [String]
      static let table = Table<Line>(
        "line", key: \.id, columns: Column("id", \.id), Column("rank", \.rank),
        Column("words", members: \.words), search: SearchIndex(\.rank, \.words), make: Line.init)
    }
    let sandbox = Sandbox()
    let device = try sandbox.open([Schema(owner: "x", tables: [Line.table.declaration])]).device
    let line = Line(id: -7, rank: "first", words: ["a", "b"])
    try device.blockingWrite { try $0.insert([line, Line(id: 2, rank: "", words: [])]) }
    #expect(try device.blockingRead { try $0.fetch(Line.matching("FIRST b")) } == [line])
    #expect(try device.blockingRead { try $0.fetch(Line.where { $0.words.contains("a") }) } == [line])
    #expect(try device.blockingWrite { try $0.checkSides(of: Line.table.declaration) }.isEmpty)
    try device.blockingWrite { try $0.deleteAll(Line.self) }
    #expect(try device.blockingWrite { try $0.checkSides(of: Line.table.declaration) }.isEmpty)
  }
}
