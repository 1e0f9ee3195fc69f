import Testing

@testable import FerryStore

/// A row whose texts are bound at the same time.
struct Letter: Record, Equatable {
  typealias Key = Int64
  let id: Int64
  var subject: String
  var body: String
  var reply: String?

  static let table = Table<Letter>(
    "letter", key: \.id,
    columns: Column("id", \.id), Column("subject", \.subject), Column("body", \.body),
    Column("reply", \.reply), make: Letter.init(id:subject:body:reply:)
  ).decoded { row, column in
    Letter(
      id: try row.next(&column), subject: try row.next(&column), body: try row.next(&column),
      reply: try row.next(&column))
  }

  static let schema = Schema(owner: "letters", tables: [table.declaration])
}

@Suite struct `Texts of any length` {
  private static let lengths = [0, 1, 15, 16, 200, 255, 256, 257, 4000, 16_383, 16_384, 16_385, 100_000]

  private static let letters: [Letter] = lengths.enumerated().map { index, length in
    let text = String(repeating: index % 2 == 0 ? "x" : "é", count: length)
    return Letter(
      id: Int64(index), subject: text, body: String(text.reversed()) + "!", reply: length == 1 ? nil : text)
  }

  @Test(arguments: [false, true]) func `come back as they were, in whatever order`(isReversed: Bool) throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Letter.schema]).addAccount(alice)
    let letters = isReversed ? `Texts of any length`.letters.reversed() : `Texts of any length`.letters
    try account.blockingWrite { try $0.insert(letters) }
    let found = try account.blockingRead { try $0.fetch(Letter.all) }
    #expect(found == letters.sorted { $0.id < $1.id })
    #expect(try account.blockingWrite { try $0.upsert(letters) } == WriteCounts(unchanged: letters.count))
  }

  @Test func `are found while a statement of the same SQL is running`() throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Letter.schema]).addAccount(alice)
    let letters = `Texts of any length`.letters
    try account.blockingWrite { try $0.insert(letters) }
    var found: [Letter] = []
    try account.blockingRead { snapshot in
      let text = letters[8].subject
      try snapshot.forEach(Letter.where { $0.subject == text || $0.id == 3 }) { outer in
        let other = letters[Int(outer.id) + 1].subject
        found += [outer] + (try snapshot.fetch(Letter.where { $0.subject == other || $0.id == 3 }))
      }
    }
    #expect(found.map(\.id) == [3, 3, 4, 8, 3, 9])
  }
}

@Suite struct `A table with a decoder of its own` {
  @Test func `names the column that it can't read`() throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Letter.schema]).addAccount(alice)
    try account.blockingWrite { transaction in
      try transaction.insert(Letter(id: 1, subject: "a", body: "b", reply: "c"))
      try transaction.access.session.connection.execute("UPDATE letter SET reply = CAST(x'ff' AS TEXT)")
    }
    #expect(throws: StoreError.badValue(column: "reply", expected: "String")) {
      try account.blockingRead { try $0.find(Letter.self, 1) }
    }
  }
}
