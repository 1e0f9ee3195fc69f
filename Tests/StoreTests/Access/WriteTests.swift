import Testing

@testable import FerryStore

@Suite struct `A write` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }
  var device: DeviceStore { mailbox.store.device }

  init() throws { mailbox = try Mailbox() }

  private func folders() throws -> [Folder] { try account.blockingRead { try $0.fetch(Folder.all) } }

  @Test func `inserts what is new`() throws {
    #expect(
      try account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) } == WriteCounts(inserted: 2))
    #expect(try folders() == [Folder("a"), Folder("b")])
    #expect(try account.blockingWrite { try $0.insert([Folder]()) } == WriteCounts())
  }

  @Test func `that inserts a key twice is an error with the key's name, and writes nothing`() throws {
    try account.blockingWrite { try $0.insert(Folder("b", name: "first")) }
    #expect(throws: StoreError.duplicateKey(table: "folder", key: "b")) {
      try account.blockingWrite { try $0.insert([Folder("a"), Folder("b", name: "second"), Folder("c")]) }
    }
    #expect(try folders() == [Folder("b", name: "first")])
    #expect(throws: StoreError.duplicateKey(table: "counter", key: "-7")) {
      try device.blockingWrite { try $0.insert([Counter(id: -7, value: 1), Counter(id: -7, value: 1)]) }
    }
  }

  @Test func `upserts, and counts what was new, different and the same`() throws {
    try account.blockingWrite { try $0.insert([Folder("a", name: "old"), Folder("b", name: "same")]) }
    let counts = try account.blockingWrite {
      try $0.upsert([
        Folder("a", name: "new"), Folder("b", name: "same"), Folder("c"), Folder("c"), Folder("c", name: "x"),
      ])
    }
    #expect(counts == WriteCounts(inserted: 1, updated: 2, unchanged: 2))
    #expect(try folders() == [Folder("a", name: "new"), Folder("b", name: "same"), Folder("c", name: "x")])
  }

  @Test func `tells nil from empty, and two forms of one letter, when it looks for a difference`() throws {
    func upsert(_ folder: Folder) throws -> WriteCounts {
      try account.blockingWrite { try $0.upsert(folder) }
    }
    #expect(try upsert(Folder("a", name: "á")) == WriteCounts(inserted: 1))
    #expect(try upsert(Folder("a", name: "a\u{301}")) == WriteCounts(updated: 1))
    #expect(try upsert(Folder("a", name: "a\u{301}", parent: "x")) == WriteCounts(updated: 1))
    #expect(try upsert(Folder("a", name: "a\u{301}", parent: nil)) == WriteCounts(updated: 1))
    #expect(try upsert(Folder("a", name: "a\u{301}", parent: nil)) == WriteCounts(unchanged: 1))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `counts right for every integer key, of a device's table, where the key is the rowid`(key: Int64)
    throws
  {
    func upsert(_ value: Int) throws -> WriteCounts {
      try device.blockingWrite { try $0.upsert(Counter(id: key, value: value)) }
    }
    #expect(try upsert(1) == WriteCounts(inserted: 1))
    #expect(try upsert(1) == WriteCounts(unchanged: 1))
    #expect(try upsert(2) == WriteCounts(updated: 1))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `counts right for every integer key of an account's table`(key: Int64) throws {
    func upsert(_ text: String) throws -> WriteCounts {
      try account.blockingWrite { try $0.upsert(Draft(id: key, text: text, isLocal: true)) }
    }
    #expect(try upsert("a") == WriteCounts(inserted: 1))
    #expect(try upsert("a") == WriteCounts(unchanged: 1))
    #expect(try upsert("b") == WriteCounts(updated: 1))
  }

  @Test func `counts right where a record is nothing but its key`() throws {
    struct Seen: Record {
      typealias Key = String
      let id: String
      static let table = Table<Seen>("seen", key: \.id, columns: Column("id", \.id), make: { Seen(id: $0) })
    }
    let sandbox = Sandbox()
    let account = try sandbox.open([Schema(owner: "x", tables: [Seen.table.declaration])]).addAccount(alice)
    #expect(
      try account.blockingWrite { try $0.upsert([Seen(id: "a"), Seen(id: "a")]) }
        == WriteCounts(inserted: 1, unchanged: 1))
    #expect(try account.blockingWrite { try $0.update(Seen(id: "a")) } == WriteCounts(unchanged: 1))
    #expect(throws: StoreError.noSuchRow(table: "seen", key: "b")) {
      try account.blockingWrite { try $0.update(Seen(id: "b")) }
    }
  }

  @Test func `deletes by key, and counts the rows that there were`() throws {
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b"), Folder("c")]) }
    func delete(_ keys: String...) throws -> WriteCounts {
      try account.blockingWrite { try $0.delete(Folder.self, keys.map { Identifier(known: $0) }) }
    }
    #expect(try delete("a") == WriteCounts(deleted: 1))
    #expect(try delete("a") == WriteCounts())
    #expect(try delete("a", "c", "c") == WriteCounts(deleted: 1))
    #expect(try folders() == [Folder("b")])
  }

  @Test func `deletes what a query finds, in its order and within its limit`() throws {
    try account.blockingWrite {
      try $0.insert(["a", "b", "c", "d"].map { Folder($0, name: $0 == "b" ? "x" : "y") })
    }
    let counts = try account.blockingWrite {
      try $0.delete(Folder.where { $0.name == "y" }.order { $0.id.descending }.limit(2))
    }
    #expect(counts == WriteCounts(deleted: 2))
    #expect(try folders().map(\.id.rawValue) == ["a", "b"])
    #expect(try account.blockingWrite { try $0.delete(Folder.all) } == WriteCounts(deleted: 2))
  }

  @Test func `updates rows that there are, where they differ`() throws {
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) }
    let counts = try account.blockingWrite {
      try $0.update([Folder("a", name: "new"), Folder("b"), Folder("a", name: "new")])
    }
    #expect(counts == WriteCounts(updated: 1, unchanged: 2))
    #expect(try folders() == [Folder("a", name: "new"), Folder("b")])
    #expect(try account.blockingWrite { try $0.update(Folder("b", parent: "a")) } == WriteCounts(updated: 1))
    #expect(try account.blockingWrite { try $0.update(Folder("b")) } == WriteCounts(updated: 1))
  }

  @Test func `that updates a row that isn't there is an error with the key's name, and writes nothing`()
    throws
  {
    try account.blockingWrite { try $0.insert(Folder("a")) }
    #expect(throws: StoreError.noSuchRow(table: "folder", key: "b")) {
      try account.blockingWrite { try $0.update([Folder("a", name: "x"), Folder("b")]) }
    }
    #expect(try folders() == [Folder("a")])
    #expect(throws: StoreError.noSuchRow(table: "counter", key: "1")) {
      try device.blockingWrite { try $0.update(Counter(id: 1, value: 1)) }
    }
    try device.blockingWrite { try $0.insert([Counter(id: 1, value: 1), Counter(id: 2, value: 1)]) }
    #expect(try device.blockingWrite { try $0.update(Counter(id: 1, value: 2)) } == WriteCounts(updated: 1))
    #expect(
      try device.blockingRead { try $0.fetch(Counter.all) } == [
        Counter(id: 1, value: 2), Counter(id: 2, value: 1),
      ])
  }

  @Test func `changes what a query finds, each once, though the change has it found no more`() throws {
    try account.blockingWrite { try $0.insert(["a", "b", "c", "d"].map { Folder($0, name: $0) }) }
    let counts = try account.blockingWrite {
      try $0.update(Folder.where { $0.name < "d" }.order { $0.name.descending }) { folder in
        if folder.name != "b" { folder.name += "!" }
      }
    }
    #expect(counts == WriteCounts(updated: 2, unchanged: 1))
    #expect(try folders().map(\.name) == ["a!", "b", "c!", "d"])
    try account.blockingWrite { try $0.update(Folder.all.limit(1)) { $0.kind = .archived } }
    #expect(try folders().map(\.kind) == [.archived, .primary, .primary, .primary])
  }

  @Test func `that gives a record another key is an error`() throws {
    try device.blockingWrite { try $0.insert(Counter(id: 1, value: 1)) }
    #expect(throws: StoreError.changedKey(table: "counter", key: "1")) {
      try device.blockingWrite { try $0.update(Counter.all) { $0 = Counter(id: 2, value: $0.value) } }
    }
    #expect(try device.blockingRead { try $0.fetch(Counter.all) } == [Counter(id: 1, value: 1)])
  }

  @Test func `empties an account's part of a table, or a device's table`() throws {
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) }
    #expect(try account.blockingWrite { try $0.deleteAll(Folder.self) } == WriteCounts(deleted: 2))
    #expect(try account.blockingWrite { try $0.deleteAll(Folder.self) } == WriteCounts())
    try device.blockingWrite { try $0.insert([Counter(id: 1, value: 1), Counter(id: 2, value: 1)]) }
    #expect(try device.blockingWrite { try $0.deleteAll(Counter.self) } == WriteCounts(deleted: 2))
  }

  @Test func `is undone whole when its body throws`() throws {
    struct Stop: Error {}
    try account.blockingWrite { try $0.insert(Folder("a", name: "before")) }
    #expect(throws: Stop.self) {
      try account.blockingWrite { transaction in
        try transaction.upsert([Folder("a", name: "after"), Folder("b")])
        try transaction.delete(Folder.self, Identifier(known: "a"))
        throw Stop()
      }
    }
    #expect(try folders() == [Folder("a", name: "before")])
    #expect(try account.blockingRead { try $0.outboxCount() } == 1)
  }

  @Test func `sees its own changes; others don't before it is over`() throws {
    let outside = account
    try account.blockingWrite { transaction in
      try transaction.insert(Folder("a"))
      let (inside, beside) = (
        try transaction.count(Folder.all), try outside.blockingRead { try $0.count(Folder.all) }
      )
      #expect(inside == 1 && beside == 0)
    }
    #expect(try folders().count == 1)
  }

  @Test func `keeps in what a body did before it caught a duplicate, and only that`() throws {
    try account.blockingWrite { try $0.insert(Folder("b")) }
    try account.blockingWrite { transaction in
      do { try transaction.insert([Folder("a"), Folder("b"), Folder("c")]) } catch StoreError.duplicateKey {}
      try transaction.insert(Folder("d"))
    }
    #expect(try folders().map(\.id.rawValue) == ["a", "b", "d"])
  }

  @Test func `to a table that the store was opened without is an error`() throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([]).addAccount(alice)
    #expect(throws: StoreError.unknownTable("folder")) {
      try account.blockingWrite { try $0.insert(Folder("a")) }
    }
    #expect(throws: StoreError.unknownTable("folder")) {
      try account.blockingWrite { try $0.enqueue(Folder.self, Identifier(known: "a"), base: .unknown) }
    }
    #expect(throws: StoreError.unknownTable("folder")) {
      try account.blockingWrite {
        try $0.setRemoteState(RemoteState(revision: 1, json: nil), of: Folder.self, Identifier(known: "a"))
      }
    }
  }
}
