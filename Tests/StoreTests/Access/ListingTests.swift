import FerryStore
import Testing

@Suite struct `From metadata alone` {
  let mailbox: Mailbox
  let table = Folder.table.declaration

  init() throws {
    mailbox = try Mailbox()
    try mailbox.account.blockingWrite { transaction in
      try transaction.insert([
        Folder("a", name: "Inbox"), Folder("b", kind: .unknown("spam"), parent: "a"),
        Folder("c", parent: "gone"),
        Folder("d", parent: "d"), Folder("e", parent: "gone too"),
      ])
    }
  }

  @Test func `a table says what its columns are`() {
    #expect(table.name == "folder" && table.hasAccount && table.isTracked && table.key.name == "id")
    #expect(table.columns.map(\.name) == ["id", "name", "kind", "parent"])
    #expect(table.columns.map(\.shape.meaning) == [.identifier, .plain, .choice, .identifier])
    #expect(table.columns.map(\.shape.isOptional) == [false, false, false, true])
    #expect(table.columns[3].references?.name == "folder")
    #expect(table.columns[1].references?.name == nil)
  }

  @Test func `rows are listed by key, page by page`() throws {
    try mailbox.account.blockingRead { snapshot throws in
      let first = try snapshot.rows(of: table, limit: 2)
      #expect(
        first == [
          [.text("a"), .text("Inbox"), .text("primary"), .null],
          [.text("b"), .text(""), .text("spam"), .text("a")],
        ])
      let next = try snapshot.rows(of: table, after: first[1][0], limit: 2)
      #expect(next.map { $0[0] } == [.text("c"), .text("d")])
      #expect(try snapshot.rows(of: table, after: .text("e"), limit: 2).isEmpty)
      #expect(try snapshot.rows(of: table, limit: 0).isEmpty)
    }
  }

  @Test func `a row is found by its key`() throws {
    try mailbox.account.blockingRead { snapshot throws in
      #expect(
        try snapshot.row(of: table, key: .text("c")) == [
          .text("c"), .text(""), .text("primary"), .text("gone"),
        ])
      #expect(try snapshot.row(of: table, key: .text("z")) == nil)
      #expect(try snapshot.row(of: table, key: .text("c' OR '1'='1")) == nil)
      #expect(try snapshot.count(of: table) == 5)
    }
  }

  @Test func `rows whose reference leads nowhere are counted; nil leads nowhere on purpose`() throws {
    let counts = try mailbox.account.blockingRead { snapshot in
      try table.columns.map { try snapshot.orphanCount(of: table, column: $0) }
    }
    #expect(counts == [0, 0, 0, 2])
  }

  @Test func `a reference into another account leads nowhere`() throws {
    let other = try mailbox.store.addAccount(bob)
    try other.blockingWrite { try $0.insert(Folder("x", parent: "a")) }
    #expect(try other.blockingRead { try $0.orphanCount(of: table, column: table.columns[3]) } == 1)
  }

  /// An account's rows may refer to the device's, and a table may be called what SQL's aliases are called.
  struct Vote: Record {
    typealias Key = Int64
    let id: Int64
    var counter: Int64?
    static let table = Table<Vote>(
      "t", key: \.id, columns: Column("id", \.id), Column("counter", \.counter, to: Counter.self),
      make: { Vote(id: $0, counter: $1) })
  }

  @Test func `a reference from an account's table to the device's is followed`() throws {
    let sandbox = Sandbox()
    let store = try sandbox.open([device, Schema(owner: "votes", tables: [Vote.table.declaration])])
    let account = try store.addAccount(alice)
    try store.device.blockingWrite { try $0.insert(Counter(id: 1, value: 0)) }
    try account.blockingWrite {
      try $0.insert([Vote(id: 1, counter: 1), Vote(id: 2, counter: 2), Vote(id: 3, counter: nil)])
    }
    let table = Vote.table.declaration
    #expect(try account.blockingRead { try $0.orphanCount(of: table, column: table.columns[1]) } == 1)
  }

  @Test func `a reference to a table that isn't in the store has no orphans to count`() throws {
    let sandbox = Sandbox()
    let account = try sandbox.open([Schema(owner: "votes", tables: [Vote.table.declaration])]).addAccount(
      alice)
    try account.blockingWrite { try $0.insert(Vote(id: 1, counter: 1)) }
    let table = Vote.table.declaration
    #expect(try account.blockingRead { try $0.orphanCount(of: table, column: table.columns[1]) } == 0)
  }
}
