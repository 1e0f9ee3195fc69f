import Foundation
import Testing

@testable import FerryStore

@Suite struct `The words of a text` {
  private func words(_ text: String) -> [String] { SearchText.words(of: text).map(\.text) }

  @Test func `are letters and digits in a row, folded, or single characters`() {
    #expect(words("Hello, WORLD 2x") == ["hello", "world", "2x"])
    #expect(words("Ünï\u{301}x") == ["unix"])
    #expect(words("a東b한c") == ["a", "東", "b", "한", "c"])
    #expect(words("soft\u{ad}hyphen می\u{200c}خواهم") == ["softhyphen", "میخواهم"])
    #expect(words("1️⃣ a🚢b 👩🏽‍🚀") == ["1\u{20e3}", "a", "b"])
    #expect(words("हिन्दी ไทย").map(bytes) == [bytes("हिन्दी"), bytes("ไทย")])
    #expect(words("\u{301}\u{93f}") == [])
    #expect(words("ﾀﾞ") == ["ﾀ", "ﾞ"])
    #expect(words("\r\n\t\0") == [])
  }

  @Test func `say where they stand`() {
    let text = "été 東\u{1100}\u{1161}!x"
    #expect(
      SearchText.words(of: text).map { String(text[$0.range]) } == ["été", "東", "\u{1100}\u{1161}", "x"])
  }

  @Test(arguments: awkwardTexts) func `are the same for canonically equivalent texts`(text: String) {
    let forms = [text, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
    for form in forms { #expect(words(form).map(bytes) == words(text).map(bytes)) }
  }

  /// The store takes texts apart and folds letters; the tokenizer only has to part what spaces part. If one of
  /// them takes a letter for something else, a word without its account would come to be.
  @Test func `are to SQLite's tokenizer what they are to the store, for every letter`() throws {
    // All of them take their time: the large blocks whose letters are alike are left to longer runs.
    let isLong = ProcessInfo.processInfo.environment["FERRY_ROUNDS"] != nil
    func isTried(_ value: UInt32) -> Bool {
      switch value {
      case 0x3400...0x9fff, 0xac00...0xd7a3, 0xe000...0xf8ff, 0x17000...0x18cff, 0x20000...: value % 97 == 0
      default: true
      }
    }
    let sandbox = Sandbox()
    try sandbox.makeFolder()
    let connection = try Connection(path: sandbox.file.path, readOnly: false)
    try connection.execute(
      "CREATE VIRTUAL TABLE t USING fts5(x, columnsize=0, tokenize=\"\(SearchTables.tokenizer)\")")
    try connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
    try connection.execute("BEGIN")
    var expected: [Int64: [String]] = [:]
    var checked = 0
    for value in UInt32(1)...0x10ffff where isLong || isTried(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Between letters, so that marks are seen, too.
      let text = "q\(scalar)q"
      let words = words(text)
      guard words != ["q", "q"] else { continue }
      checked += 1
      expected[Int64(value)] = words.map { "7\u{e000}" + $0 }
      try connection.run("INSERT INTO t(rowid, x) VALUES (?, ?)") { binder in
        try binder.bind(Int64(value), 1)
        try binder.bind(SearchText.indexed([text], account: 7), 2)
      }
    }
    #expect(checked > (isLong ? 140_000 : 20_000))
    var found: [Int64: [String]] = [:]
    try connection.run("SELECT doc, term FROM v ORDER BY doc, offset") { _ in
    } row: { row in
      found[try row.integer(0), default: []].append(try row.text(1))
      return true
    }
    let different = expected.keys.filter { expected[$0]?.map(bytes) != found[$0]?.map(bytes) }.sorted()
    #expect(different.map { String($0, radix: 16) }.prefix(20) == [], "\(different.count) of \(checked)")
  }
}
