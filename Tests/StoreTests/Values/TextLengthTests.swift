import Testing

@testable import FerryStore

/// A row whose texts are bound at the same time.
struct Postcard: Record, Equatable {
  typealias Key = Int64
  let id: Int64
  var subject: String
  var body: String
  var reply: String?

  static let table = Table<Postcard>(
    "postcard", key: \.id,
    columns: Column("id", \.id), Column("subject", \.subject), Column("body", \.body),
    Column("reply", \.reply), make: Postcard.init(id:subject:body:reply:)
  ).decoded { row, column in
    Postcard(
      id: try row.next(&column), subject: try row.next(&column), body: try row.next(&column),
      reply: try row.next(&column))
  }

  static let schema = Schema(owner: "postcards", tables: [table.declaration])
}

@Suite struct `Texts of any length` {
  private static let lengths = [0, 1, 15, 16, 200, 255, 256, 257, 4000, 16_383, 16_384, 16_385, 100_000]

  private static let postcards: [Postcard] = lengths.enumerated().map { index, length in
    let text = String(repeating: index % 2 == 0 ? "x" : "é", count: length)
    return Postcard(
      id: Int64(index), subject: text, body: String(text.reversed()) + "!", reply: length == 1 ? nil : text)
  }

  @Test(arguments: [false, true]) func `come back as they were, in whatever order`(isReversed: Bool) throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Postcard.schema]).addAccount(alice)
    let postcards = isReversed ? `Texts of any length`.postcards.reversed() : `Texts of any length`.postcards
    try account.blockingWrite { try $0.insert(postcards) }
    let found = try account.blockingRead { try $0.fetch(Postcard.all) }
    #expect(found == postcards.sorted { $0.id < $1.id })
    #expect(try account.blockingWrite { try $0.upsert(postcards) } == WriteCounts(unchanged: postcards.count))
  }

  @Test func `are found while a statement of the same SQL is running`() throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Postcard.schema]).addAccount(alice)
    let postcards = `Texts of any length`.postcards
    try account.blockingWrite { try $0.insert(postcards) }
    var found: [Postcard] = []
    try account.blockingRead { snapshot in
      let text = postcards[8].subject
      try snapshot.forEach(Postcard.where { $0.subject == text || $0.id == 3 }) { outer in
        let other = postcards[Int(outer.id) + 1].subject
        found += [outer] + (try snapshot.fetch(Postcard.where { $0.subject == other || $0.id == 3 }))
      }
    }
    #expect(found.map(\.id) == [3, 3, 4, 8, 3, 9])
  }
}

@Suite struct `A table with a decoder of its own` {
  @Test func `names the column that it can't read`() throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Postcard.schema]).addAccount(alice)
    try account.blockingWrite { transaction in
      try transaction.insert(Postcard(id: 1, subject: "a", body: "b", reply: "c"))
      try transaction.access.session.connection.execute(
        "UPDATE postcard SET reply = CAST(x'ff' AS TEXT)", acrossAccounts: "a test")
    }
    #expect(throws: StoreError.badValue(column: "reply", expected: "String")) {
      try account.blockingRead { try $0.find(Postcard.self, 1) }
    }
  }
}
