import Foundation
import Testing

@testable import FerryStore

@Suite struct `A text without regard to case` {
  let account: AccountStore
  private let shelf: Shelf

  init() throws {
    shelf = try Shelf()
    account = shelf.account
    try account.blockingWrite { transaction in
      for (id, text) in [
        (1, "Été"), (2, "ÉTÉ"), (3, "ete"), (4, "STRASSE"), (5, "Straße"), (6, "STRAẞE"), (7, "ΟΔΟΣ οδος"),
        (8, "a\0B"), (9, "E\u{301}te\u{301}"), (10, "İI"), (11, "日本"), (12, ""),
      ] as [(Int64, String)] {
        var row = Everything(id)
        row.text = text
        row.note = id % 2 == 0 ? text : nil
        try transaction.insert(row)
      }
    }
  }

  private func ids(_ query: Query<Everything>) throws -> [Int64] {
    try account.blockingRead { try $0.fetch(query).map(\.id) }
  }

  @Test func `is the same in upper and in lower case, and with ß as SS`() throws {
    #expect(try ids(Everything.where { $0.text.ignoringCase == "été" }) == [1, 2])
    #expect(try ids(Everything.where { $0.text.ignoringCase == "strasse" }) == [4, 5, 6])
    #expect(try ids(Everything.where { $0.text.ignoringCase != "straße" && $0.id < 8 }) == [1, 2, 3, 7])
  }

  @Test func `contains and begins with others`() throws {
    #expect(try ids(Everything.where { $0.text.ignoringCase.contains("T") }) == [1, 2, 3, 4, 5, 6, 9])
    #expect(try ids(Everything.where { $0.text.ignoringCase.contains("οδοσ ΟΔΟΣ") }) == [7])
    #expect(try ids(Everything.where { $0.text.ignoringCase.starts(with: "éT") }) == [1, 2])
    #expect(try ids(Everything.where { $0.text.ignoringCase.contains("\0b") }) == [8], "NUL is a character")
    #expect(try ids(Everything.where { $0.text.ignoringCase.contains("本") }) == [11])
    #expect(try ids(Everything.where { $0.text.ignoringCase == "" }) == [12])
  }

  @Test func `keeps its accents and how they are composed`() throws {
    #expect(try ids(Everything.where { $0.text.ignoringCase == "ETE" }) == [3])
    #expect(try ids(Everything.where { $0.text.ignoringCase == "e\u{301}TE\u{301}" }) == [9])
  }

  @Test func `of an optional says what nil stands for`() throws {
    #expect(try ids(Everything.where { ($0.note ?? "").ignoringCase == "ÉTÉ" }) == [2])
  }

  @Test func `orders, ties by the key`() throws {
    #expect(
      try ids(Everything.where { $0.id < 7 }.order { $0.text.ignoringCase.ascending }) == [3, 4, 5, 6, 1, 2])
  }

  @Test func `comes back as it was stored`() throws {
    let texts = try account.blockingRead { try $0.fetch(Everything.where { $0.text.ignoringCase == "ÉTÉ" }) }
    #expect(texts.map { bytes($0.text) } == [bytes("Été"), bytes("ÉTÉ")])
  }

  @Test func `SQLite's own lower case wouldn't do`() throws {
    // The faulty way: stock SQLite knows the case of ASCII letters only, and stops at a NUL.
    try account.blockingRead { snapshot throws in
      let connection = snapshot.access.session.connection
      #expect(try connection.integer("SELECT lower('ÉTÉ') = 'été'") == 0)
      #expect(try connection.integer("SELECT ferry_fold('ÉTÉ') = 'été'") == 1)
      #expect(try connection.integer("SELECT ferry_fold(NULL) IS NULL") == 1)
    }
  }

  @Test func `is the same whichever case it had, and once is enough, for every letter there is`() {
    for value in (0 as UInt32)...0x1ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      guard properties.changesWhenLowercased || properties.changesWhenUppercased else { continue }
      let folded = bytes(CaseFolding.fold(String(scalar)))
      #expect(bytes(CaseFolding.fold(String(decoding: folded, as: UTF8.self))) == folded, "U+\(scalar)")
      #expect(bytes(CaseFolding.fold(properties.uppercaseMapping)) == folded, "\(scalar)")
      #expect(bytes(CaseFolding.fold(properties.lowercaseMapping)) == folded, "\(scalar)")
    }
  }

  @Test func `can't be used by a schema`() throws {
    let connection = try Connection(path: ":memory:", readOnly: false)
    #expect(throws: StoreError.self) {
      try connection.execute("CREATE TABLE t (a TEXT, CHECK (ferry_fold(a) = a)); INSERT INTO t VALUES ('a')")
    }
  }
}
