import Foundation
import Testing

@testable import FerryStore

@Suite struct `The members of a list` {
  let desk: Desk
  var account: AccountStore { desk.account }

  init() throws { desk = try Desk() }

  private func tags(of id: String) throws -> [String]? {
    try account.blockingRead { try $0.find(Memo.self, Identifier(known: id)) }?.tags
  }
  private func values(_ table: String) throws -> [StoredValue] {
    try account.blockingRead { snapshot in
      var values: [StoredValue] = []
      try snapshot.access.session.connection.run(
        "SELECT value FROM \"\(table)\" ORDER BY account_key, owner, ordinal", acrossAccounts: "a test"
      ) { _ in
      } row: { row in
        values.append(try row.stored(0))
        return true
      }
      return values
    }
  }

  @Test func `come back in their order, twice where they are twice, byte for byte`() throws {
    for tags in [[], ["b", "a", "b"], awkwardTexts, ["", ""]] {
      try account.blockingWrite { try $0.upsert(Memo("a", tags: tags)) }
      #expect(try self.tags(of: "a")?.map(bytes) == tags.map(bytes))
      #expect(try values("memo:members:tags") == tags.map { .text($0) })
    }
    #expect(try desk.faults() == [])
  }

  @Test(arguments: awkwardTexts) func `are found by their bytes`(text: String) throws {
    try account.blockingWrite {
      try $0.insert([Memo("a", tags: [text, "x"]), Memo("b", tags: [text + "y"]), Memo("c")])
    }
    #expect(try desk.ids(Memo.where { $0.tags.contains(text) }) == ["a"])
    #expect(try desk.ids(Memo.where { !$0.tags.contains(text) }) == ["b", "c"])
    #expect(try desk.ids(Memo.where { $0.tags.contains(text + "y") }) == ["b"])
  }

  @Test func `may be choices and numbers; a list that is nil has none and isn't empty`() throws {
    var choice = Memo("k")
    choice.kinds = [.archived, .unknown("smart")]
    try account.blockingWrite {
      try $0.insert([choice, Memo("n"), Memo("e", ranks: []), Memo("r", ranks: [7, .max, .min])])
    }
    #expect(try desk.ids(Memo.where { $0.kinds.contains(.unknown("smart")) }) == ["k"])
    #expect(try desk.ids(Memo.where { $0.kinds.contains(.primary) }) == [])
    #expect(try desk.ids(Memo.where { $0.ranks.contains(.min) }) == ["r"])
    #expect(try desk.ids(Memo.where { !$0.ranks.contains(7) }) == ["e", "k", "n"])
    #expect(try desk.ids(Memo.where { $0.ranks == nil }) == ["k", "n"])
    #expect(try desk.ids(Memo.where { $0.ranks != nil }) == ["e", "r"])
    #expect(try desk.ids(Memo.where { $0.ranks.isEmpty }) == ["e"])
    #expect(try desk.ids(Memo.where { !$0.kinds.isEmpty || $0.ranks.contains(7) }) == ["k", "r"])
    let found = try account.blockingRead { try $0.fetch(Memo.all) }
    #expect(found.map(\.ranks) == [[], nil, nil, [7, .max, .min]])
    #expect(found[1].kinds == [.archived, .unknown("smart")])
  }

  @Test func `go and change with their row, whichever way it is written`() throws {
    try account.blockingWrite { try $0.insert([Memo("a", tags: ["x", "y"]), Memo("b", tags: ["x"])]) }
    func tagged(_ tag: String) throws -> [String] { try desk.ids(Memo.where { $0.tags.contains(tag) }) }
    try account.blockingWrite { try $0.upsert(Memo("a", tags: ["y", "z"])) }
    #expect(try (tagged("x"), tagged("z")) == (["b"], ["a"]))
    try account.blockingWrite { try $0.update(Memo("b", tags: ["w"])) }
    #expect(try (tagged("x"), tagged("w")) == ([], ["b"]))
    try account.blockingWrite { try $0.update(Memo.all) { $0.tags.append("all") } }
    #expect(try tagged("all") == ["a", "b"])
    try account.blockingWrite { try $0.delete(Memo.self, Identifier(known: "a")) }
    #expect(try tagged("all") == ["b"])
    try account.blockingWrite { transaction in
      try transaction.delete(Memo.self, Identifier(known: "b"))
      try transaction.insert(Memo("b", tags: ["again"]))
    }
    #expect(try (tagged("all"), tagged("again")) == ([], ["b"]))
    try account.blockingWrite { try $0.delete(Memo.where { $0.tags.contains("again") }) }
    for side in Memo.sides { #expect(try desk.rowCount(side) == 0, "\(side)") }
    try account.blockingWrite { try $0.insert([Memo("a", tags: ["x", "y"]), Memo("b", tags: ["x"])]) }
    try account.blockingWrite { try $0.deleteAll(Memo.self) }
    for side in Memo.sides { #expect(try desk.rowCount(side) == 0, "\(side)") }
  }

  @Test func `are undone with the transaction`() throws {
    struct Stop: Error {}
    try account.blockingWrite { try $0.insert(Memo("a", tags: ["x"])) }
    #expect(throws: Stop.self) {
      try account.blockingWrite { transaction in
        try transaction.upsert(Memo("a", tags: ["y"]))
        throw Stop()
      }
    }
    #expect(try desk.ids(Memo.where { $0.tags.contains("x") }) == ["a"])
    #expect(try desk.faults() == [])
  }

  @Test func `are written only where they differ`() throws {
    try account.blockingWrite { try $0.insert(Memo("a", tags: ["x"])) }
    try account.blockingWrite { transaction in
      let connection = transaction.access.session.connection
      connection.footprint.begin()
      try transaction.upsert(Memo("a", title: "a word", tags: ["x"]))
      let written = Set(connection.footprint.changed.map(\.table))
      #expect(written.contains("memo:search") && !written.contains("memo:members:tags"))
      connection.footprint.begin()
      var memo = Memo("a", title: "A word", tags: ["x"])
      memo.place = Place(street: "")
      try transaction.upsert(memo)
      #expect(Set(connection.footprint.changed.map(\.table)) == ["memo", "store_outbox"])
    }
  }

  @Test func `are one account's: those of another with the same keys are never seen`() throws {
    try account.blockingWrite { try $0.insert([Memo("a", tags: ["mine"]), Memo("b", tags: ["both"])]) }
    try desk.other.blockingWrite { try $0.insert([Memo("a", tags: ["theirs"]), Memo("b", tags: ["both"])]) }
    #expect(try desk.ids(Memo.where { $0.tags.contains("theirs") }) == [])
    #expect(try desk.ids(Memo.where { $0.tags.contains("mine") }, of: desk.other) == [])
    #expect(try desk.ids(Memo.where { $0.tags.contains("both") }) == ["b"])
    try account.blockingWrite { try $0.deleteAll(Memo.self) }
    #expect(try desk.ids(Memo.where { $0.tags.contains("theirs") }, of: desk.other) == ["a"])
    #expect(try desk.faults() == [])
  }

  @Test func `are found by the index on their values`() throws {
    let plan = try account.blockingRead { snapshot in
      try snapshot.plan(of: Memo.where { $0.tags.contains("x") && $0.title != "y" })
    }
    #expect(
      plan.contains {
        $0.hasPrefix(
          "SEARCH memo:members:tags USING COVERING INDEX memo:members:tags:value (account_key=? AND value=?)")
      }, "\(plan)")
    #expect(plan.contains { $0.hasPrefix("SEARCH memo USING INDEX") && $0.contains("id=?") }, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test func `are asked for in memory as in SQL`() throws {
    func holds(_ memo: Memo, _ condition: (Columns<Memo>) -> FerryStore.QueryExpression<Memo, Bool>) throws
      -> Bool
    { try condition(Columns()).evaluate(memo) }
    #expect(
      try holds(Memo("a", tags: ["x", "á"])) { $0.tags.contains("á") && !$0.tags.contains("a\u{301}") })
    #expect(try !holds(Memo("a")) { $0.ranks.contains(1) || $0.ranks.isEmpty || $0.ranks != nil })
    #expect(try holds(Memo("a", ranks: [])) { $0.ranks.isEmpty && $0.ranks != nil })
  }

  @Test(arguments: ["", "[1]", "{}", "[", "null", "[\"a\",]", "[\"a\"] x", "[\"\\ud800\"]", "[null]"])
  func `are an error with the column's name where the row has no list of them`(json: String) throws {
    try account.blockingWrite { transaction in
      try transaction.insert(Memo("a", tags: ["x"]))
      try transaction.access.session.connection.run("UPDATE memo SET tags = ?", acrossAccounts: "a test") {
        try $0.bind(json, 1)
      }
    }
    #expect(throws: StoreError.badValue(column: "tags", expected: "Array<String>")) {
      try account.blockingRead { try $0.fetch(Memo.all) }
    }
  }
}

@Suite struct `A list of any column value` {
  struct Lists: Record, Equatable {
    typealias Key = Int64
    let id: Int64
    var numbers: [Double] = []
    var flags: [Bool] = []
    var maybe: [String?] = []
    var bytes: [Data] = []
    var times: [Timestamp] = []
    var ids: [Identifier<Folder>] = []
    var uuids: [UUID] = []
    var levels: [Level]?

    static let table = Table<Lists>(
      "lists", key: \.id, columns: Column("id", \.id), Column("numbers", members: \.numbers),
      Column("flags", members: \.flags), Column("maybe", members: \.maybe), Column("bytes", members: \.bytes),
      Column("times", members: \.times), Column("ids", members: \.ids), Column("uuids", members: \.uuids),
      Column("levels", members: \.levels), make: Lists.init)
  }

  @Test func `comes back, and is asked for a member`() throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Schema(owner: "x", tables: [Lists.table.declaration])]).addAccount(alice)
    var lists = Lists(id: 1)
    lists.numbers = [1, 0.1, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude]
    lists.flags = [true, false, true]
    lists.maybe = ["a", nil, ""]
    lists.bytes = [Data(), Data([0, 255, 16])]
    lists.times = [.min, .max]
    lists.ids = [Identifier(known: "a\u{301}")]
    lists.uuids = [UUID()]
    lists.levels = [.unknown(9), .low]
    try account.blockingWrite { try $0.insert([lists, Lists(id: 2)]) }
    #expect(try account.blockingRead { try $0.fetch(Lists.all) } == [lists, Lists(id: 2)])
    for condition: (Columns<Lists>) -> FerryStore.QueryExpression<Lists, Bool> in [
      { $0.numbers.contains(-.infinity) }, { $0.numbers.contains(1) }, { $0.flags.contains(false) },
      { $0.maybe.contains(nil) }, { $0.maybe.contains("") }, { $0.bytes.contains(Data()) },
      { $0.bytes.contains(Data([0, 255, 16])) }, { $0.times.contains(.max) },
      { $0.ids.contains(Identifier(known: "a\u{301}")) }, { $0.uuids.contains(lists.uuids[0]) },
      { $0.levels.contains(.unknown(9)) },
    ] {
      #expect(try account.blockingRead { try $0.fetch(Lists.where(condition)).map(\.id) } == [1])
      #expect(try condition(Columns()).evaluate(lists))
      #expect(try !condition(Columns()).evaluate(Lists(id: 2)))
    }
    lists.numbers = [.nan]
    #expect(throws: StoreError.self) { try account.blockingWrite { [lists] in try $0.upsert(lists) } }
  }
}

extension Reading where Self: ~Copyable {
  /// The steps in which SQLite would answer a query.
  func plan<R: Record>(of query: Query<R>) throws -> [String] where R.Scope == Scope {
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select([.sql(R.table.sql.columns)], query)
    }
    var steps: [String] = []
    try access.session.connection.run("EXPLAIN QUERY PLAN " + select.sql) {
      try $0.bind(all: select.parameters)
    } row: { row in
      steps.append(try row.text(3))
      return true
    }
    return steps
  }
}
