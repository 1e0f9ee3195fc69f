import CSQLite
import Testing

@testable import FerryStore

@Suite struct `A search of one account among many` {
  let sandbox = Sandbox()
  let store: Store

  init() throws { store = try sandbox.open([Desk.schema]) }

  private func fill(_ name: String) throws -> AccountStore {
    let account = try store.addAccount(AccountID(server: "home", user: name))
    try account.blockingWrite(origin: .server) { transaction in
      for number in 0..<200 {
        try transaction.insert(
          Memo("m\(number)", title: "common mail \(number)", preview: "東京から \(name)", tags: ["shared"]))
      }
    }
    return account
  }

  private struct Cost {
    let rows: Int
    /// Of SQLite's machine.
    let steps: Int
  }

  /// How many pages of the file are looked at for what is in the index: FTS5 looks at its own by itself.
  private func pages(for text: String, _ account: AccountStore) throws -> Int {
    try account.blockingRead { snapshot in
      let connection = snapshot.access.session.connection
      func count() -> Int {
        [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, counter in
          var (now, most): (Int32, Int32) = (0, 0)
          sqlite3_db_status(connection.handle, counter, &now, &most, 0)
          return sum + Int(now)
        }
      }
      let before = count()
      _ = try connection.integer(
        "SELECT count(*) FROM \"memo:search\" WHERE \"memo:search\" MATCH ?", acrossAccounts: "a test"
      ) {
        try $0.bind(SearchTerms(text).expression(account.reach.account), 1)
      }
      return count() - before
    }
  }

  private func cost(_ query: Query<Memo>, _ account: AccountStore) throws -> Cost {
    try account.blockingRead { snapshot in
      let connection = snapshot.access.session.connection
      let select = try snapshot.render(Memo.self) { renderer throws(StoreError) in
        try renderer.select([.sql(Memo.table.sql.columns)], query)
      }
      var statement: OpaquePointer?
      #expect(sqlite3_prepare_v2(connection.handle, select.sql, -1, &statement, nil) == SQLITE_OK)
      let prepared = try #require(statement)
      defer { sqlite3_finalize(prepared) }
      let arena = Arena()
      try Binder(statement: prepared, arena: .passUnretained(arena)).bind(all: select.parameters)
      var rows = 0
      withExtendedLifetime(arena) { while sqlite3_step(prepared) == SQLITE_ROW { rows += 1 } }
      return Cost(
        rows: rows, steps: Int(sqlite3_stmt_status(prepared, SQLITE_STMTSTATUS_VM_STEP, 0)))
    }
  }

  @Test func `takes the steps that it takes alone`() throws {
    let account = try fill("first")
    let queries = [
      Memo.matching("common"), Memo.matching("mail 199"), Memo.matching("東京"), Memo.matching("c"),
      Memo.where { $0.tags.contains("shared") }, Memo.matching("first"),
    ]
    let alone = try queries.map { try cost($0, account) }
    #expect(alone.map(\.rows) == [200, 1, 200, 200, 200, 200])
    let texts = ["common", "c", "東京", "mail 199"]
    let pagesAlone = try texts.map { try pages(for: $0, account) }
    for number in 2...20 { _ = try fill("n\(number)") }
    for (text, alone) in zip(texts, pagesAlone) {
      // A few more, since the index is in more pieces; not twenty times as many.
      let among = try pages(for: text, account)
      #expect(among <= alone * 3 + 20, "\(text): \(among) where alone it was \(alone)")
    }
    for (query, alone) in zip(queries, alone) {
      let among = try cost(query, account)
      #expect(among.rows == alone.rows)
      #expect(among.steps <= alone.steps + alone.steps / 50, "\(among) where alone it was \(alone)")
    }
  }

  @Test func `reads no word of another's`() throws {
    let account = try fill("first")
    _ = try fill("second")
    try account.blockingRead { snapshot in
      let connection = snapshot.access.session.connection
      // Each word has its account in front: the second one's are elsewhere in the index.
      let expression = SearchTerms("common 東").expression(account.reach.account)
      #expect(expression == "\"1\u{e000}common\" * AND \"1\u{e000}東\"")
      let count = try connection.integer(
        "SELECT count(*) FROM \"memo:search\" WHERE \"memo:search\" MATCH ?", acrossAccounts: "a test"
      ) { try $0.bind(expression, 1) }
      #expect(count == 200)
    }
  }

  @Test func `never finds what another has, whatever is searched for`() throws {
    let (first, second) = (try fill("first"), try fill("second"))
    for text in ["second", "2", "2\u{e000}second", "2\u{e000}", "\u{e000}", "\" OR second"] {
      let found = try first.blockingRead { try $0.search(Memo.self, text).map(\.record.preview) }
      #expect(found.allSatisfy { $0 == "東京から first" }, "\(text)")
    }
    #expect(try second.blockingRead { try $0.count(Memo.matching("second")) } == 200)
    try second.blockingWrite(origin: .crossing) { _ = try $0.deleteAll(Memo.self) }
    #expect(try first.blockingRead { try $0.count(Memo.matching("common 東京")) } == 200)
    #expect(try second.blockingRead { try $0.count(Memo.matching("common")) } == 0)
  }
}
