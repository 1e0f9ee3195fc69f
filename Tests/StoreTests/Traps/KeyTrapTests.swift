import Foundation
import Testing

@testable import FerryStore

/// Each first does what was done, and sees it fail; then what Ferry does.
@Suite struct `The traps of keys` {
  @Test func `K1: a placeholder as a key makes two fresh rows one`() throws {
    // The faulty way: identity comes later, and until then it is -1.
    struct Row { var id = -1; var name: String }
    var faulty: [Int: Row] = [:]
    for row in [Row(name: "first"), Row(name: "second")] { faulty[row.id] = row }
    #expect(faulty.count == 1)

    // Ferry's: no identifier can be made of a placeholder, and one that exists is the record's for good.
    let mailbox = try Mailbox()
    #expect(Identifier<Folder>("-1") == nil && Identifier<Folder>("") == nil)
    var generator = Seeded(seed: 3)
    let fresh = ["first", "second"].map { Folder(id: .make(using: &generator), name: $0) }
    try mailbox.account.blockingWrite { try $0.upsert(fresh) }
    #expect(
      try mailbox.account.blockingRead { try Set($0.fetch(Folder.all).map(\.name)) } == ["first", "second"])
    // Other negatives are legal: real files have them.
    try mailbox.account.blockingWrite { try $0.insert(Folder("-7")) }
    #expect(
      try mailbox.account.blockingRead { try $0.find(Folder.self, Identifier(known: "-7")) } == Folder("-7"))
  }

  @Test func `K5: an insert that replaces takes the children with it`() throws {
    let sandbox = Sandbox()
    try sandbox.makeFolder()
    // The faulty way.
    let connection = try Connection(
      path: sandbox.folder.appendingPathComponent("faulty").path, readOnly: false)
    for sql in [
      "CREATE TABLE folder (id TEXT PRIMARY KEY, name TEXT)",
      "CREATE TABLE item (id TEXT PRIMARY KEY, folder TEXT REFERENCES folder (id) ON DELETE CASCADE)",
      "INSERT INTO folder VALUES ('f', 'old')", "INSERT INTO item VALUES ('i', 'f')",
      "INSERT OR REPLACE INTO folder VALUES ('f', 'new')",
    ] { try connection.execute(sql) }
    #expect(try connection.integer("SELECT count(*) FROM item") == 0)

    // Ferry's.
    let mailbox = try Mailbox()
    let counts = try mailbox.account.blockingWrite { transaction in
      try transaction.insert([Folder("f", name: "old"), Folder("child", parent: "f"), Folder("same")])
      return try transaction.upsert([Folder("f", name: "new"), Folder("same"), Folder("one more")])
    }
    #expect(counts == WriteCounts(inserted: 1, updated: 1, unchanged: 1))
    #expect(
      try mailbox.account.blockingRead { try $0.fetch(Folder.all) }
        == [Folder("child", parent: "f"), Folder("f", name: "new"), Folder("one more"), Folder("same")])
    #expect(throws: StoreError.duplicateKey(table: "folder", key: "f")) {
      try mailbox.account.blockingWrite { try $0.insert(Folder("f", name: "newer")) }
    }
    #expect(
      try mailbox.account.blockingRead { try $0.find(Folder.self, Identifier(known: "f")) }?.name == "new")
  }

  @Test func `K5: no statement that a table renders replaces or ignores`() {
    for table in [Folder.table.sql, Counter.table.sql, Draft.table.sql] {
      for sql in [table.insert, table.upsert, table.delete, table.deleteAll] {
        #expect(!sql.contains("REPLACE") && !sql.contains("IGNORE"))
      }
    }
  }
}
