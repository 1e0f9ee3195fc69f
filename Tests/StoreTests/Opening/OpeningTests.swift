import Foundation
import Testing

@testable import FerryStore

@Suite struct `Opening a store` {
  let sandbox = Sandbox()

  @Test func `makes the file for its owner alone, in a folder for its owner alone`() throws {
    let store = try sandbox.open()
    try store.addAccount(alice)
    #expect(try sandbox.permissions(of: sandbox.folder.path) == 0o700)
    for name in try sandbox.contents().keys {
      #expect(
        try sandbox.permissions(of: sandbox.folder.appendingPathComponent(name).path) == 0o600, "\(name)")
    }
    #expect(try sandbox.contents().keys.contains("ferry.sqlite-wal"))
  }

  @Test func `leaves the permissions of a folder that was there`() throws {
    try sandbox.makeFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: sandbox.folder.path)
    _ = try sandbox.open()
    #expect(try sandbox.permissions(of: sandbox.folder.path) == 0o750)
    #expect(try sandbox.permissions(of: sandbox.file.path) == 0o600)
  }

  @Test func `closes a file to others that was copied without its permissions`() throws {
    try sandbox.open().addAccount(alice)
    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: sandbox.file.path)
    let store = try sandbox.open()
    try store.account(alice).blockingWrite { try $0.insert(Folder("a")) }
    for name in try sandbox.contents().keys {
      #expect(
        try sandbox.permissions(of: sandbox.folder.appendingPathComponent(name).path) == 0o600, "\(name)")
    }
  }

  @Test func `goes where a link leads, and keeps all of it for its owner alone there`() throws {
    let elsewhere = Sandbox()
    try elsewhere.makeFolder()
    try sandbox.makeFolder()
    try FileManager.default.createSymbolicLink(at: sandbox.file, withDestinationURL: elsewhere.file)
    let store = try sandbox.open()
    try store.addAccount(alice).blockingWrite { try $0.insert(Folder("a")) }
    #expect(
      try elsewhere.contents().keys.sorted() == ["ferry.sqlite", "ferry.sqlite-shm", "ferry.sqlite-wal"])
    for name in try elsewhere.contents().keys {
      #expect(
        try elsewhere.permissions(of: elsewhere.folder.appendingPathComponent(name).path) == 0o600, "\(name)")
    }
    #expect(try sandbox.contents().keys.sorted() == ["ferry.sqlite"])
    #expect(try elsewhere.open().account(alice).blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `waits for another process that makes the same store at that moment`() throws {
    try sandbox.makeFolder()
    let opening = try Opening(path: sandbox.file.path, schemas: [mail], dormant: [])
    try opening.makeFile()
    let other = try opening.connect(readOnly: false)
    let connection = try opening.connect(readOnly: false)
    try other.execute("BEGIN IMMEDIATE")
    // SQLite itself doesn't wait.
    #expect(throws: StoreError.self) { try connection.text("PRAGMA journal_mode = WAL") }
    var waits = 0
    try opening.beginLog(on: connection) {
      waits += 1
      do { try other.execute("COMMIT") } catch { Issue.record(error) }
    }
    #expect(try waits == 1 && connection.text("PRAGMA journal_mode") == "wal")
  }

  @Test func `makes the folders above it`() throws {
    let deep = sandbox.folder.appendingPathComponent("a/b/c.sqlite")
    _ = try Store.open(at: deep, schemas: [mail])
    #expect(FileManager.default.fileExists(atPath: deep.path))
  }

  @Test(arguments: [
    ("journal_mode", "wal"), ("synchronous", "1"), ("trusted_schema", "0"), ("cell_size_check", "1"),
    ("foreign_keys", "1"), ("fullfsync", "1"), ("busy_timeout", "5000"), ("mmap_size", "0"),
  ]) func `states every setting, for writers and for readers`(pragma: String, value: String) throws {
    let store = try sandbox.open()
    let sql = "PRAGMA \(pragma)"
    func setting(_ row: borrowing Row) throws -> String {
      if case .text(let text) = try row.stored(0) { text } else { String(try row.integer(0)) }
    }
    var seen: [String] = []
    try store.device.blockingWrite { transaction in
      try transaction.access.session.connection.run(sql) { _ in
      } row: { row in
        seen.append(try setting(row))
        return true
      }
    }
    try store.device.blockingRead { snapshot in
      try snapshot.access.session.connection.run(sql) { _ in
      } row: { row in
        seen.append(try setting(row))
        return true
      }
    }
    // Without memory mapping compiled in, mmap_size gives no row.
    if pragma == "mmap_size", seen.isEmpty { return }
    #expect(seen == [value, value])
  }

  @Test func `takes a misspelt column in double quotes as an error, not as a text`() throws {
    let store = try sandbox.open()
    #expect(throws: StoreError.self) {
      try store.device.blockingRead { snapshot in
        _ = try snapshot.access.session.connection.integer(
          "SELECT count(*) FROM counter WHERE \"vlaue\" = 'x'")
      }
    }
  }

  @Test func `gives readers no way to write`() throws {
    let store = try sandbox.open()
    #expect(throws: StoreError.self) {
      try store.device.blockingRead { try $0.access.session.connection.execute("DELETE FROM counter") }
    }
  }

  @Test func `of an empty file makes a store in it`() throws {
    try sandbox.makeFolder()
    try Data().write(to: sandbox.file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: sandbox.file.path)
    let store = try sandbox.open()
    for name in try sandbox.contents().keys {
      #expect(
        try sandbox.permissions(of: sandbox.folder.appendingPathComponent(name).path) == 0o600, "\(name)")
    }
    #expect(try store.device.blockingRead { try $0.count(Counter.all) } == 0)
  }

  @Test func `without any schema makes a store that has accounts`() throws {
    let store = try sandbox.open([])
    try store.addAccount(alice)
    #expect(try store.device.blockingRead { try $0.accounts() } == [Account(id: alice, isActive: true)])
  }

  @Test func `a second time finds what the first left`() throws {
    do {
      let store = try sandbox.open()
      try store.addAccount(alice).blockingWrite { try $0.insert(Folder("f1", name: "Inbox")) }
    }
    let again = try sandbox.open()
    #expect(
      try again.account(alice).blockingRead { try $0.fetch(Folder.all) } == [Folder("f1", name: "Inbox")])
  }

  @Test func `leaves no side file behind once it is over`() throws {
    do { try sandbox.open().addAccount(alice) }
    #expect(try Set(sandbox.contents().keys) == ["ferry.sqlite"])
  }

  @Test func `adds the tables of a schema that came later, and keeps what was there`() throws {
    do {
      let store = try sandbox.open([mail])
      try store.addAccount(alice).blockingWrite { try $0.insert(Folder("f1")) }
      #expect(!store.has(Counter.table.declaration))
      #expect(throws: StoreError.unknownTable("counter")) {
        try store.device.blockingRead { _ = try $0.fetch(Counter.all) }
      }
    }
    let store = try sandbox.open([mail, device])
    #expect(store.has(Counter.table.declaration))
    try store.device.blockingWrite { try $0.insert(Counter(id: 1, value: 1)) }
    #expect(try store.account(alice).blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `without a dormant owner keeps its tables out of reach and its rows in the file`() throws {
    do { try sandbox.open().device.blockingWrite { try $0.insert(Counter(id: 1, value: 7)) } }
    do {
      let store = try sandbox.open([mail], dormant: ["device"])
      #expect(throws: StoreError.unknownTable("counter")) {
        try store.device.blockingRead { _ = try $0.fetch(Counter.all) }
      }
    }
    #expect(
      try sandbox.open().device.blockingRead { try $0.find(Counter.self, 1) } == Counter(id: 1, value: 7))
  }
}
