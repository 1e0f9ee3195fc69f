import Foundation
import Testing

@testable import FerryStore

/// Each refusal names its reason and leaves every file as it was.
@Suite struct `A store refuses` {
  let sandbox = Sandbox()

  private func expectRefusal(
    _ schemas: [Schema] = [mail, device], _ isExpected: (StoreError) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try sandbox.contents()
    for readOnly in [false, true] {
      do {
        _ = try sandbox.open(schemas, readOnly: readOnly)
        Issue.record("it opened", sourceLocation: sourceLocation)
      } catch let error as StoreError {
        #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
      }
      // The index of a write-ahead log, a scratch file, is the one thing that reading may leave.
      let after = try sandbox.contents().filter {
        !$0.key.hasSuffix("-shm") && !($0.key.hasSuffix("-wal") && $0.value.isEmpty)
      }
      #expect(after == before.filter { !$0.key.hasSuffix("-shm") }, sourceLocation: sourceLocation)
    }
  }

  private func isNotAStore(_ error: StoreError) -> Bool { if case .notAStore = error { true } else { false } }

  /// Changes the file as another program would.
  private func edit(_ sql: String...) throws {
    let connection = try Connection(path: sandbox.file.path, readOnly: false)
    for sql in sql { try connection.execute(sql) }
    try connection.keepLogOnClose(false)
  }

  @Test func `a file that is no database`() throws {
    try sandbox.makeFolder()
    try Data("Not a database, but long enough to look at. ".utf8 + [UInt8](repeating: 7, count: 2000)).write(
      to: sandbox.file)
    try expectRefusal { isNotAStore($0) }
  }

  @Test(arguments: [1000, 4096, 5000, 12_288]) func `a store that was cut off`(length: Int) throws {
    do { try sandbox.open().addAccount(alice) }
    try Data(try #require(try sandbox.contents()["ferry.sqlite"]).prefix(length)).write(to: sandbox.file)
    try expectRefusal {
      if case .damaged = $0 { true } else { isNotAStore($0) }
    }
  }

  @Test(arguments: [(0, 16), (16, 2), (18, 2), (40, 60), (100, 8), (100, 3996)])
  func `a store whose first page was overwritten`(start: Int, length: Int) throws {
    do { try sandbox.open().addAccount(alice) }
    var data = try #require(try sandbox.contents()["ferry.sqlite"])
    data.replaceSubrange(start..<start + length, with: [UInt8](repeating: 0xa5, count: length))
    try data.write(to: sandbox.file)
    try expectRefusal {
      switch $0 {
      case .damaged, .notAStore, .differentSchema: true
      default: false
      }
    }
  }

  @Test func `a file of a few bytes`() throws {
    try sandbox.makeFolder()
    try Data("few bytes".utf8).write(to: sandbox.file)
    try expectRefusal { isNotAStore($0) }
  }

  @Test func `a database without an application id that has tables`() throws {
    try sandbox.makeFolder()
    try edit("CREATE TABLE theirs (a)", "INSERT INTO theirs VALUES (1)")
    try expectRefusal { isNotAStore($0) }
  }

  @Test func `another application's database`() throws {
    try sandbox.makeFolder()
    try edit("PRAGMA application_id = 77", "CREATE TABLE theirs (a)")
    try expectRefusal { isNotAStore($0) }
  }

  @Test func `another application's empty database`() throws {
    try sandbox.makeFolder()
    try edit("PRAGMA application_id = 77")
    try expectRefusal { isNotAStore($0) }
  }

  @Test func `another application's database with a log that its owner left`() throws {
    try sandbox.makeFolder()
    do {
      let connection = try Connection(path: sandbox.file.path, readOnly: false)
      for sql in ["PRAGMA journal_mode = WAL", "CREATE TABLE theirs (a)", "INSERT INTO theirs VALUES (1)"] {
        try connection.execute(sql)
      }
    }
    #expect(try sandbox.contents()["ferry.sqlite-wal"]?.isEmpty == false)
    try expectRefusal { isNotAStore($0) }
  }

  @Test func `an owner that this build doesn't know`() throws {
    do { _ = try sandbox.open() }
    try expectRefusal([mail]) { $0 == .newerStore(owner: "device", stored: 1, known: 0) }
  }

  @Test func `a newer version of an owner`() throws {
    let changes = [SchemaChange.addColumn("value", to: "counter", filledWith: .integer(0))]
    do {
      _ = try sandbox.open([
        Schema(
          owner: "device", tables: [Counter.table.declaration],
          changes: changes + [
            .dropIndex(on: "counter", ["value"])
          ])
      ])
    }
    try expectRefusal([device]) { $0 == .newerStore(owner: "device", stored: 3, known: 1) }
  }

  @Test func `a store of a newer Ferry`() throws {
    do { _ = try sandbox.open() }
    try edit("INSERT INTO store_schema (owner, version, checksum) VALUES ('store', 5, 'x')")
    try expectRefusal { $0 == .newerStore(owner: "store", stored: 5, known: 4) }
  }

  @Test func `a declaration that was edited under its old number`() throws {
    do { _ = try sandbox.open([device]) }
    let edited = Table<Counter>(
      "counter", key: \.id, columns: Column("id", \.id), Column("amount", \.value),
      make: { Counter(id: $0, value: $1) })
    try expectRefusal([Schema(owner: "device", tables: [edited.declaration])]) {
      $0 == .editedSchema(owner: "device", version: 1)
    }
  }

  @Test(arguments: ["ALTER TABLE counter ADD COLUMN extra INTEGER", "DROP TABLE counter"])
  func `tables that aren't as they were declared`(sql: String) throws {
    do { _ = try sandbox.open() }
    try edit(sql)
    try expectRefusal { $0 == .differentSchema(table: "counter") }
  }

  @Test func `a store whose index somebody dropped`() throws {
    do { _ = try sandbox.open() }
    try edit("DROP INDEX \"folder.parent\"")
    try expectRefusal { $0 == .differentSchema(table: "folder.parent") }
  }

  @Test(arguments: [
    "CREATE INDEX more ON counter (value)", "CREATE TABLE theirs (a)",
    "CREATE TRIGGER t AFTER INSERT ON counter BEGIN SELECT 1; END", "CREATE VIEW v AS SELECT 1",
  ])
  func `a store that has more than was declared`(sql: String) throws {
    do { _ = try sandbox.open() }
    try edit(sql)
    try expectRefusal { if case .differentSchema = $0 { true } else { false } }
  }

  @Test func `a store that lacks a number in between`() throws {
    do { _ = try sandbox.open() }
    try edit("DELETE FROM store_schema WHERE owner = 'store' AND version = 1")
    try expectRefusal { $0 == .differentSchema(table: "store_schema") }
  }

  @Test(arguments: ["store_schema", "store_gate", "store_outbox"])
  func `a store that lacks one of its own tables`(table: String) throws {
    do { _ = try sandbox.open() }
    try edit("DROP TABLE \(table)")
    try expectRefusal { $0 == .differentSchema(table: table) }
  }

  @Test func `a folder in the place of the file`() throws {
    try FileManager.default.createDirectory(at: sandbox.file, withIntermediateDirectories: true)
    #expect(throws: StoreError.self) { try sandbox.open() }
  }

  @Test func `a path that leads through a file`() throws {
    try sandbox.makeFolder()
    try Data().write(to: sandbox.file)
    let beyond = sandbox.file.appendingPathComponent("x/y.sqlite")
    #expect { try Store.open(at: beyond, schemas: []) } throws: { error in
      if case .file = error as? StoreError { true } else { false }
    }
  }
}
