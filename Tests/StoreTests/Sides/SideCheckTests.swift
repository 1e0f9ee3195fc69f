import CSQLite
import Foundation
import Testing

@testable import FerryStore

@Suite struct `What is kept beside the rows` {
  let desk: Desk
  var account: AccountStore { desk.account }

  init() throws {
    desk = try Desk()
    for account in [desk.account, desk.other] {
      try account.blockingWrite {
        try $0.insert([Memo("a", title: "one", tags: ["x", "y"]), Memo("b", title: "two", ranks: [1])])
      }
    }
  }

  private func check(_ sql: String) throws -> SideFaults {
    try account.blockingWrite { transaction in
      // As another program could: this one's connections may not write to FTS5's own tables.
      try transaction.access.session.connection.execute(sql, acrossAccounts: "a test")
    }
    let faults = try account.blockingWrite { try $0.checkSides(of: Memo.table.declaration) }
    #expect(try desk.other.blockingWrite { try $0.checkSides(of: Memo.table.declaration).rows } == [])
    try account.blockingWrite { try $0.repairSides(of: Memo.table.declaration) }
    #expect(try desk.faults() == [])
    return faults
  }

  @Test func `is held against them, and made anew`() throws {
    #expect(try desk.faults() == [])
    let document = "(SELECT id FROM \"memo:searched\" WHERE account_key = 1 AND owner = 'a')"
    #expect(try check("UPDATE \"memo:members:tags\" SET value = 'z' WHERE account_key = 1").rows == ["a"])
    #expect(try check("UPDATE memo SET tags = '[]' WHERE account_key = 1").rows == ["a"])
    #expect(try check("DELETE FROM \"memo:members:ranks\" WHERE account_key = 1").rows == ["b"])
    #expect(try check("DELETE FROM \"memo:searched\" WHERE account_key = 1").rows == ["a", "b"])
    #expect(try check("UPDATE memo SET title = 'One!' WHERE account_key = 1 AND id = 'a'").rows == [])
    #expect(try check("UPDATE memo SET title = 'three' WHERE account_key = 1 AND id = 'a'").rows == ["a"])
    #expect(try check("DELETE FROM \"memo:search\" WHERE rowid = \(document)").rows == ["a"])
    #expect(try check("DELETE FROM \"memo:searched\" WHERE account_key = 1").strays == 2)
    // A member, and a document: of the row that went.
    #expect(try check("DELETE FROM memo WHERE account_key = 1 AND id = 'b'").strays == 2)
  }

  @Test func `is held against FTS5's own texts, too`() throws {
    let connection = try Connection(path: desk.sandbox.file.path, readOnly: false)
    #expect(ferry_db_switch(connection.handle, SQLITE_DBCONFIG_DEFENSIVE, 0) == SQLITE_OK)
    try connection.execute("UPDATE \"memo:search_content\" SET c0 = 'another' WHERE id = 1")
    let faults = try account.blockingWrite { try $0.checkSides(of: Memo.table.declaration) }
    #expect(faults.index != nil)
    #expect(faults.rows == ["a"])
    try account.blockingWrite { try $0.repairSides(of: Memo.table.declaration) }
    #expect(try desk.faults() == [])
  }

  @Test func `is in a backup, in which rowids may be others`() async throws {
    try account.blockingWrite { _ = try $0.delete(Memo.self, Identifier(known: "a")) }
    let url = desk.sandbox.folder.appendingPathComponent("backup.sqlite")
    _ = try await desk.store.backUp(to: url)
    let copy = try Store.open(at: url, schemas: [Desk.schema])
    for (id, titles) in [(alice, ["two"]), (bob, ["one", "two"])] {
      let account = try copy.account(id)
      #expect(try account.blockingRead { try $0.fetch(Memo.all).map(\.title) } == titles)
      #expect(try account.blockingRead { try $0.fetch(Memo.matching("two")).map(\.title) } == ["two"])
      #expect(try account.blockingWrite { try $0.checkSides(of: Memo.table.declaration) }.isEmpty)
    }
  }
}
