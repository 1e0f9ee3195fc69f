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

  @Test func `K3: the cure collides, and what collides is lost in silence`() throws {
    // The faulty way: items' and folders' numbers by `hash_combine`, texts by djb2, as a unique key.
    func share(items: Int64, folders: Int64) -> Double {
      var keys: Set<UInt64> = []
      for item in 0..<items { for folder in 0..<folders { keys.insert(LegacyHash.combine(item, folder)) } }
      return 1 - Double(keys.count) / Double(items * folders)
    }
    #expect((0.36..<0.37).contains(share(items: 1000, folders: 100)))
    #expect((0.93..<0.94).contains(share(items: 1000, folders: 1000)))
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "z")).filter { Character(Unicode.Scalar($0)).isLetter }
    let texts = letters.flatMap { first in letters.map { String(decoding: [first, $0], as: UTF8.self) } }
    #expect(texts.count == 2704)
    #expect(Set(texts.map(LegacyHash.djb2)).count == 1454)

    // Ferry's: a real hash where there is no key, of which none of these collide;
    var keys = StableKeys(of: "visit")
    #expect(try Set(texts.map { try keys.next([.text($0)]) }).count == 2704)
    var pairs = StableKeys(of: "item in folder")
    var made: Set<String> = []
    for item in 0..<Int64(300) {
      for folder in 0..<Int64(100) { made.insert(try pairs.next([.integer(item), .integer(folder)])) }
    }
    #expect(made.count == 30_000)

    // and rows that do collide, as with the old hash, are an error that names both.
    var colliding = StableKeys(of: "visit") { row, _ in
      guard case .text(let text)? = row.first else { return "" }
      return String(LegacyHash.djb2(text), radix: 16)
    }
    let twins = Dictionary(grouping: texts, by: LegacyHash.djb2).values.first { $0.count > 1 }
    let (first, second) = try (#require(twins?[0]), #require(twins?[1]))
    _ = try colliding.next([.text(first)])
    #expect(
      throws: StoreError.keyCollision(
        table: "visit", key: String(LegacyHash.djb2(first), radix: 16), first: "(\"\(first)\")",
        second: "(\"\(second)\")")
    ) { try colliding.next([.text(second)]) }
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
