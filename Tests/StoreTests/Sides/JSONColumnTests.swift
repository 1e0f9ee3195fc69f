import Foundation
import Testing

@testable import FerryStore

@Suite struct `A value as JSON` {
  let desk: Desk
  var account: AccountStore { desk.account }

  init() throws { desk = try Desk() }

  private func stored(_ column: String) throws -> String? {
    try account.blockingRead {
      try $0.access.session.connection.text("SELECT \(column) FROM memo", acrossAccounts: "a test")
    }
  }

  @Test func `comes back, and is stored with its keys in order and without a needless character`() throws {
    var memo = Memo("a")
    memo.place = Place(street: "a/\"b\"\u{1}é", number: 7, about: ["z": 1.5, "é": 2, "a": -3])
    try account.blockingWrite { try $0.insert(memo) }
    #expect(try account.blockingRead { try $0.fetch(Memo.all) } == [memo])
    #expect(
      try stored("place").map(bytes)
        == bytes(#"{"about":{"a":-3,"z":1.5,"é":2},"number":7,"street":"a/\"b\"\u0001é"}"#))
    #expect(try stored("origin") == #"{"about":{},"street":""}"#)
  }

  @Test func `is the same text for equal values, so that a row that is the same is left alone`() throws {
    func memo(_ keys: [String]) -> Memo {
      var memo = Memo("a")
      for key in keys { memo.origin.about[key] = Double(key.utf8.count) }
      return memo
    }
    let keys = (0..<50).map { "k\($0 * 7919 % 50)" }
    try account.blockingWrite { try $0.insert(memo(keys)) }
    #expect(
      try account.blockingWrite { try $0.upsert(memo(keys.reversed())) } == WriteCounts(unchanged: 1))
    #expect(try account.blockingWrite { try $0.upsert(memo(keys + ["z"])) } == WriteCounts(updated: 1))
  }

  @Test func `may be nil, for which a query can ask`() throws {
    var memo = Memo("b")
    memo.place = Place(street: "x")
    try account.blockingWrite { try $0.insert([Memo("a"), memo]) }
    #expect(try desk.ids(Memo.where { $0.place == nil }) == ["a"])
    #expect(try desk.ids(Memo.where { $0.place != nil }) == ["b"])
    let condition = Columns<Memo>().place != nil
    #expect(try condition.evaluate(memo) && !condition.evaluate(Memo("a")))
  }

  @Test func `may be a list, of whose members a query asks in vain, and hears it`() throws {
    struct Line: Record, Equatable {
      typealias Key = Int64
      let id: Int64
      var words: [String]
      static let table = Table<Line>(
        "line", key: \.id, columns: Column("id", \.id), Column("words", json: \.words), make: Line.init)
    }
    let sandbox = Sandbox()
    let account = try sandbox.open([Schema(owner: "x", tables: [Line.table.declaration])]).addAccount(alice)
    try account.blockingWrite { try $0.insert(Line(id: 1, words: ["a", "\u{e9}"])) }
    #expect(try account.blockingRead { try $0.fetch(Line.all) } == [Line(id: 1, words: ["a", "é"])])
    for query in [Line.where { $0.words.contains("a") }, Line.where { $0.words.isEmpty }] {
      #expect {
        try account.blockingRead { try $0.fetch(query) }
      } throws: { error in
        if case .notAColumn("line", _) = error as? StoreError { true } else { false }
      }
    }
  }

  @Test(arguments: ["", "{", "[]", "{\"street\":1}", "{\"about\":{}}"])
  func `is an error with the column's name where it isn't one`(json: String) throws {
    try account.blockingWrite { transaction in
      try transaction.insert(Memo("a"))
      try transaction.access.session.connection.run("UPDATE memo SET origin = ?", acrossAccounts: "a test") {
        try $0.bind(json, 1)
      }
    }
    #expect(throws: StoreError.badValue(column: "origin", expected: "Place")) {
      try account.blockingRead { try $0.fetch(Memo.all) }
    }
  }

  @Test func `that has no JSON form is an error, and nothing is written`() throws {
    var memo = Memo("a")
    memo.origin.about["x"] = .infinity
    #expect {
      try account.blockingWrite { [memo] in try $0.insert(memo) }
    } throws: { error in
      if case .notEncodable(type: "Place", _) = error as? StoreError { true } else { false }
    }
    #expect(try account.blockingRead { try $0.count(Memo.all) } == 0)
    #expect(!Memo.table.areEqual(memo, memo), "what can't be stored is like nothing that is")
  }

  @Test(arguments: [
    ("[]", "[]"), (" [ 1 , -0.5e+3 ] ", "[1,-0.5e+3]"),
    (#"{"b":1,"a":{"d":null,"c":true}}"#, #"{"a":{"c":true,"d":null},"b":1}"#),
    (#""\u00e9\ud83d\ude00\/\b\f\n\r\t\u0000""#, #""é😀/\u0008\u000c\u000a\u000d\u0009\u0000""#),
    ("false", "false"), (#"{"\u0061":"\\\""}"#, #"{"a":"\\\""}"#),
  ]) func `has one canonical text`(pair: (text: String, canonical: String)) {
    #expect(JSONTree(parsing: pair.text).map { bytes($0.canonical) } == bytes(pair.canonical))
  }

  @Test(arguments: [
    "", "[", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "1e", "-", "+1", "nul", "\"",
    "\"\\x\"",
    "\"\u{1}\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u12\"", "[] []", "\u{feff}[]",
    String(repeating: "[", count: 501),
  ]) func `is told from what is none`(text: String) {
    #expect(JSONTree(parsing: text) == nil)
  }
}
