#if DEBUG
  import CSQLite
  import Foundation
  import Testing

  @testable import FerryStore

  @Suite struct `A debug build` {
    private static func run(_ sql: String, acrossAccounts why: StaticString? = nil) throws {
      let desk = try Desk()
      try desk.account.blockingWrite {
        try $0.access.session.connection.run(sql, acrossAccounts: why) { try $0.bind(Int64(1), 1) }
      }
    }

    @Test func `stops at a statement that forgets the account`() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try `A debug build`.run("SELECT title FROM memo WHERE id = ?")
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("speaks of memo without an account: SELECT title FROM memo WHERE id = ?"))
    }

    @Test func `stops at SQL without parameters that forgets it, too`() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let desk = try Desk()
        try desk.account.blockingWrite {
          try $0.access.session.connection.execute("DELETE FROM store_outbox")
        }
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("speaks of store_outbox without an account: DELETE FROM store_outbox"))
    }

    @Test func `runs one that says why it speaks of every account`() throws {
      try Self.run("SELECT title FROM memo WHERE id = ?", acrossAccounts: "a test")
      try Self.run("SELECT title FROM memo WHERE account_key = ?")
    }

    /// What the check says of a statement.
    private func fault(_ sql: String) throws -> String? {
      let desk = try Desk()
      var opened: OpaquePointer?
      defer { sqlite3_close_v2(opened) }
      try #require(sqlite3_open_v2(desk.sandbox.file.path, &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
      let handle = try #require(opened)
      let use = TableUse()
      try #require(use.attach(to: handle) == SQLITE_OK)
      return try withExtendedLifetime(use) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
        return AccountCheck(connection: handle, use: use).fault(in: sql)
      }
    }

    @Test(arguments: [
      "SELECT 1", "SELECT count(*) FROM store_account",
      "SELECT * FROM memo WHERE account_key = ?1 AND id = ?2",
      "SELECT 1 FROM \"memo\" AS _1 WHERE _1.\"account_key\" = ?1",
      "INSERT INTO memo (account_key, id, title, tags, kinds, origin) VALUES (?, ?, '', '', '', '')",
      "UPDATE memo SET title = 'account_key' WHERE account_key = ?", "DELETE FROM memo WHERE account_key = ?",
      """
      SELECT 1 FROM memo WHERE account_key = ?1 AND NOT EXISTS (SELECT 1 FROM "memo:searched" AS d
      WHERE d.account_key = memo.account_key)
      """,
      """
      SELECT 1 FROM "memo:search" CROSS JOIN "memo:searched" AS d ON d.id = "memo:search".rowid
      WHERE "memo:search" MATCH ? AND d.account_key = ?
      """,
      "SELECT * FROM \"memo:search\" WHERE rowid = ?",
    ]) func `has nothing against a statement with the account`(sql: String) throws {
      #expect(try fault(sql) == nil)
    }

    @Test(arguments: [
      "SELECT 1 FROM memo", "SELECT count(*) FROM memo", "SELECT account_key FROM memo",
      "SELECT 1 FROM memo WHERE account_key > ?", "SELECT 1 FROM memo WHERE account_key = 1",
      "SELECT 1 FROM memo WHERE account_key = ? OR EXISTS (SELECT 1 FROM memo AS m WHERE m.title = '')",
      "SELECT 1 FROM memo LEFT JOIN memo AS m ON m.id = memo.title WHERE memo.account_key = ?",
      "SELECT 1 FROM memo WHERE account_key = ? AND id IN (SELECT owner FROM \"memo:members:tags\")",
      "SELECT 1 FROM memo WHERE title = 'account_key = ?'",
      "SELECT 1 FROM \"memo:search\" WHERE \"memo:search\" MATCH ?",
      """
      SELECT 1 FROM "memo:search" JOIN "memo:searched" AS d ON d.id = "memo:search".rowid
      WHERE "memo:search" MATCH ?
      """,
      "DELETE FROM memo WHERE id = ?", "UPDATE memo SET title = ?", "DELETE FROM store_sidecar",
      "INSERT INTO memo SELECT * FROM memo WHERE account_key = ?",
      "DELETE FROM \"memo:search\" WHERE rowid NOT IN (SELECT id FROM \"memo:searched\")",
    ]) func `says what is wrong with one that lacks it somewhere`(sql: String) throws {
      #expect(try fault(sql) != nil)
    }
  }
#endif
