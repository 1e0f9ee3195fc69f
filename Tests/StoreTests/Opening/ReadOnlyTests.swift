import Foundation
import Testing

@testable import FerryStore

@Suite struct `Opening a store read-only` {
  let sandbox = Sandbox()

  @Test func `refuses what isn't there, and makes nothing`() throws {
    #expect(throws: StoreError.noStore(path: sandbox.file.path)) { try sandbox.open(readOnly: true) }
    #expect(!FileManager.default.fileExists(atPath: sandbox.folder.path))
  }

  @Test func `refuses an empty file as no store`() throws {
    try sandbox.makeFolder()
    try Data().write(to: sandbox.file)
    #expect(throws: StoreError.noStore(path: sandbox.file.path)) { try sandbox.open(readOnly: true) }
    #expect(try sandbox.contents() == ["ferry.sqlite": Data()])
  }

  @Test func `changes no byte of the store, and reads it`() throws {
    do { try sandbox.open().device.blockingWrite { try $0.insert(Counter(id: 1, value: 7)) } }
    let before = try sandbox.contents()["ferry.sqlite"]
    do {
      let store = try sandbox.open(readOnly: true)
      #expect(try store.device.blockingRead { try $0.fetch(Counter.all) } == [Counter(id: 1, value: 7)])
      #expect(throws: StoreError.self) {
        try store.device.blockingWrite { try $0.insert(Counter(id: 2, value: 1)) }
      }
    }
    #expect(try sandbox.contents()["ferry.sqlite"] == before)
  }

  @Test func `adds no table: what the file doesn't have is unknown`() throws {
    do { _ = try sandbox.open([mail]) }
    let before = try sandbox.contents()["ferry.sqlite"]
    do {
      let store = try sandbox.open(readOnly: true)
      #expect(store.has(Folder.table.declaration) && !store.has(Counter.table.declaration))
      #expect(throws: StoreError.unknownTable("counter")) {
        try store.device.blockingRead { _ = try $0.fetch(Counter.all) }
      }
    }
    #expect(try sandbox.contents()["ferry.sqlite"] == before)
  }

  @Test func `sees what a writer commits beside it`() throws {
    let writer = try sandbox.open()
    let reader = try sandbox.open(readOnly: true)
    try writer.device.blockingWrite { try $0.insert(Counter(id: 1, value: 7)) }
    #expect(try reader.device.blockingRead { try $0.count(Counter.all) } == 1)
  }

  @Test func `refuses a store whose tables would have to change first`() throws {
    do { _ = try sandbox.open([device]) }
    let newer = Schema(
      owner: "device", tables: [Counter.table.declaration, Stamp.table.declaration],
      changes: [.createTable("stamp")])
    #expect(throws: StoreError.olderStore(owner: "device", stored: 1, known: 2)) {
      try sandbox.open([newer], readOnly: true)
    }
  }

  /// Killed while it stated that there is a write-ahead log: a rollback journal is left, which SQLite lets nobody use
  /// who only reads.
  @Test func `meets what a killed process left half made, and it is made whole by whoever opens it`() throws {
    let (half, whole) = (Sandbox(), Sandbox())
    for sandbox in [half, whole] { try sandbox.makeFolder() }
    do {
      let connection = try Connection(path: half.file.path, readOnly: false)
      for sql in [
        "PRAGMA journal_mode = DELETE", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)",
        "PRAGMA cache_size = 2",
        "BEGIN IMMEDIATE", "UPDATE t SET x = 2",
        // So much that it is written before its end.
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
          + "INSERT INTO t SELECT zeroblob(2000) FROM n",
      ] { try connection.execute(sql) }
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: half.file.path + suffix, toPath: whole.file.path + suffix)
      }
      try connection.execute("ROLLBACK")
    }
    #expect(throws: StoreError.notAStore(path: whole.file.path, why: "it is another program's database")) {
      try whole.open(readOnly: true)
    }
    #expect(try whole.contents().keys.sorted() == ["ferry.sqlite"])
    #expect(try Connection(path: whole.file.path, readOnly: true).integer("SELECT sum(x) FROM t") == 1)
  }
}
