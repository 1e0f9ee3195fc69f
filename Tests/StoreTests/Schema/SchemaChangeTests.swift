import Foundation
import Testing

@testable import FerryStore

@Suite struct `A change of a schema` {
  let sandbox = Sandbox()

  /// What the file lists of tables and indexes, and which numbers it has had.
  private func listing() throws -> [String] {
    let connection = try Connection(path: sandbox.file.path, readOnly: true)
    var lines: [String] = []
    for sql in [
      "SELECT name || ': ' || sql FROM sqlite_schema WHERE sql IS NOT NULL",
      "SELECT owner || ' ' || version || ' ' || checksum FROM store_schema",
    ] {
      try connection.run(sql) { _ in
      } row: { row in
        lines.append(try row.text(0))
        return true
      }
    }
    return lines.sorted()
  }

  private static let pairs = (1...7).flatMap { from in (from...7).map { (from, $0) } }

  @Test(arguments: pairs) func `leads from any number to any later one`(from: Int, to: Int) throws {
    do { _ = try sandbox.open([Versions.schema(from)]) }
    do { _ = try sandbox.open([Versions.schema(to)]) }
    let changed = try listing()
    let fresh = `A change of a schema`()
    do { _ = try fresh.sandbox.open([Versions.schema(to)]) }
    #expect(try changed == fresh.listing())
    // Once: the next opening finds nothing to do.
    do { _ = try sandbox.open([Versions.schema(to)]) }
    #expect(try changed == listing())
  }

  @Test func `keeps the rows, and converts them`() throws {
    do {
      let store = try sandbox.open([Versions.schema(1)])
      for id in [alice, bob] {
        try store.addAccount(id).blockingWrite(origin: .server) { transaction in
          try transaction.insert([
            Versions.First(id: 1, text: "one of \(id)", rank: 7),
            Versions.First(id: 2, text: "two", rank: nil),
          ])
        }
      }
    }
    do {
      let account = try sandbox.open([Versions.schema(3)]).account(bob)
      #expect(
        try account.blockingRead { try $0.fetch(Query<Versions.Second>()) } == [
          Versions.Second(id: 1, colour: "none", text: "one of bob@home", rank: 7),
          Versions.Second(id: 2, colour: "none", text: "two", rank: nil),
        ])
    }
    do {
      let account = try sandbox.open([Versions.schema(5)]).account(alice)
      #expect(
        try account.blockingRead { try $0.fetch(Versions.Fifth.all) } == [
          Versions.Fifth(id: 1, body: "one of alice@home", rank: 7, isPinned: false),
          Versions.Fifth(id: 2, body: "two", rank: -1, isPinned: false),
        ])
    }
  }

  @Test func `is found whichever owner came first, also after a time without it`() throws {
    do { _ = try sandbox.open([Versions.schema(2)]) }
    do { _ = try sandbox.open([device, Versions.schema(2)]) }
    do { _ = try sandbox.open([mail, device], dormant: ["notes"]) }
    do { _ = try sandbox.open([mail, device, Versions.schema(6)]) }
    do { _ = try sandbox.open([Versions.schema(6)], dormant: ["mail", "device"]) }
    let store = try sandbox.open([Versions.schema(7), device, mail])
    #expect(store.has(Versions.Seventh.table.declaration) && store.has(Folder.table.declaration))
  }

  @Test func `that was edited once it was applied is refused by its number`() throws {
    do { _ = try sandbox.open([Versions.schema(5)]) }
    let before = try sandbox.contents()["ferry.sqlite"]
    var changes = Versions.changes
    changes[0] = .addColumn("colour", to: "note", filledWith: .text("red"))
    let edited = Schema(
      owner: "notes", tables: [Versions.Fifth.table.declaration], changes: Array(changes.prefix(5)))
    #expect(throws: StoreError.editedSchema(owner: "notes", version: 2)) { try sandbox.open([edited]) }
    #expect(try sandbox.contents()["ferry.sqlite"] == before)
  }

  @Test func `that leads back to another first state than the published one is refused`() throws {
    do { _ = try sandbox.open([Versions.schema(1)]) }
    let other = Schema(
      owner: "notes", tables: [Versions.Second.table.declaration],
      changes: [.addColumn("text", to: "note", filledWith: .text(""))])
    #expect(throws: StoreError.editedSchema(owner: "notes", version: 1)) { try sandbox.open([other]) }
  }

  @Test func `that the build doesn't know any more is refused untouched`() throws {
    do { _ = try sandbox.open([Versions.schema(5)]) }
    let before = try sandbox.contents()["ferry.sqlite"]
    #expect(throws: StoreError.newerStore(owner: "notes", stored: 5, known: 4)) {
      try sandbox.open([Versions.schema(4), mail])
    }
    #expect(try sandbox.contents()["ferry.sqlite"] == before)
  }

  @Test func `that meets rows no server has seen leaves the store as it was, for every owner`() throws {
    do {
      let account = try sandbox.open([Versions.schema(1)]).addAccount(alice)
      try account.blockingWrite { try $0.upsert(Versions.First(id: 1, text: "mine", rank: 1)) }
    }
    let before = try listing()
    // It is the seventh that fails; six others and an owner are in the same transaction.
    #expect(throws: StoreError.unsentChanges(table: "note", count: 1)) {
      try sandbox.open([device, Versions.schema(7)])
    }
    #expect(try listing() == before)
    let account = try sandbox.open([Versions.schema(1)]).account(alice)
    #expect(try account.blockingRead { try $0.fetch(Versions.First.all).map(\.text) } == ["mine"])
  }

  @Test func `of how keys are made empties the table once, and has it fetched again (trap K4)`() throws {
    do {
      let store = try sandbox.open([Versions.schema(6)])
      try store.addAccount(alice).blockingWrite(origin: .server) { transaction in
        try transaction.insert(Versions.Fifth(id: 1, body: "", rank: 1, isPinned: true))
        try transaction.setRemoteState(RemoteState(revision: 1, json: "{}"), of: Versions.Fifth.self, 1)
      }
    }
    func open() throws -> AccountStore { try sandbox.open([Versions.schema(7)]).account(alice) }
    do {
      let account = try open()
      #expect(try account.blockingRead { try $0.count(Versions.Seventh.all) } == 0)
      #expect(try account.blockingRead { try $0.tablesToRefill() } == ["note"])
      #expect(
        try account.blockingRead { try $0.remoteState(of: Versions.Seventh.self, Identifier(known: "1")) }
          == nil)
      try account.blockingWrite(origin: .server) { transaction in
        try transaction.insert(Versions.Seventh(id: Identifier(known: "new"), body: ""))
        try transaction.didRefill(Versions.Seventh.table.declaration)
      }
    }
    let account = try open()
    #expect(try account.blockingRead { try $0.tablesToRefill() } == [])
    #expect(try account.blockingRead { try $0.count(Versions.Seventh.all) } == 1)
  }

  /// What came to the store's own tables after the first build, in order.
  private static let later = ["store_refill", "store_account_life", "store_edits"]

  @Test(arguments: 0..<later.count)
  func `of the store's own tables comes to a store of an earlier build`(known: Int) throws {
    do { try sandbox.open().addAccount(alice).blockingWrite { try $0.insert([Folder("a"), Folder("b")]) } }
    do {
      let connection = try Connection(path: sandbox.file.path, readOnly: false)
      for table in Self.later[known...] { try connection.execute("DROP TABLE \(table)") }
      try connection.execute("DELETE FROM store_schema WHERE owner = 'store' AND version > \(known + 1)")
    }
    let store = try sandbox.open()
    let account = try store.addAccount(alice)
    #expect(try account.blockingRead { try $0.tablesToRefill() } == [])
    #expect(try store.device.blockingRead { try $0.accounts().map(\.isSignedOut) } == [false])
    // An earlier build has numbered them.
    #expect(try store.device.blockingRead { try $0.localEdits() } == 2)
  }

  @Test func `is made by one of two that open the store at once`() throws {
    do { _ = try sandbox.open([Versions.schema(1)]) }
    let errors = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      do { _ = try sandbox.open([Versions.schema(6)]) } catch {
        let text = "\(error)"
        errors.withLock { $0.append(text) }
      }
    }
    #expect(errors.withLock { $0 } == [])
  }

  static let faulty: [(String, [SchemaChange])] = [
    ("a table that isn't declared", [.createTable("absent")]),
    ("a column that isn't declared", [.addColumn("absent", to: "note")]),
    ("the key as an added column", [.addColumn("id", to: "note", filledWith: .integer(1))]),
    ("nothing to fill a column with that is never absent", [.addColumn("text", to: "note")]),
    ("a filling of another type", [.addColumn("text", to: "note", filledWith: .integer(1))]),
    ("an index that isn't declared", [.createIndex(on: "note", ["text"])]),
    ("a dropped index that is declared", [.dropIndex(on: "note", ["rank"])]),
    ("a dropped index on nothing", [.dropIndex(on: "note", ["absent"])]),
    ("a dropped table that is declared", [.dropTable(FrozenTable("note", key: "id", columns: []))]),
    (
      "a dropped table without its key",
      [.dropTable(FrozenTable("old", key: "id", columns: [FrozenColumn("text", String.self)]))]
    ),
    ("a rebuild that changes the key", [.rebuild(FrozenTable("note", key: "id", columns: [text]))]),
    ("a rebuild that doesn't say where a column comes from", [.rebuild(before([id, text]))]),
    (
      "a rebuild from a column that there wasn't",
      [.rebuild(before([id, text]), columns: ["rank": .column("x")])]
    ),
    (
      "a rebuild of a column of another type",
      [.rebuild(before([id, text, FrozenColumn("rank", String.self)]))]
    ),
    (
      "a rebuild that leaves out what was absent",
      [.rebuild(before([id, FrozenColumn("text", String?.self), FrozenColumn("rank", Int?.self)]))]
    ),
    (
      "a rebuild of a column that isn't declared",
      [.rebuild(before([id, text]), columns: ["rank": .value(.null), "x": .value(.null)])]
    ),
  ]
  private static let id = FrozenColumn("id", Int64.self)
  private static let text = FrozenColumn("text", String.self)
  private static func before(_ columns: [FrozenColumn]) -> FrozenTable {
    FrozenTable("note", key: "id", columns: columns)
  }

  @Test(arguments: faulty.indices) func `that doesn't lead to what is declared is refused`(index: Int) throws
  {
    let (what, changes) = Self.faulty[index]
    let schema = Schema(owner: "notes", tables: [Versions.First.table.declaration], changes: changes)
    #expect("\(what)") {
      _ = try sandbox.open([schema])
    } throws: { error in
      if case .badDeclaration = error as? StoreError { true } else { false }
    }
    #expect(!FileManager.default.fileExists(atPath: sandbox.folder.path))
  }
}
