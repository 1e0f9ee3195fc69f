import Foundation
import Testing

@testable import FerryStore

@Suite struct `An account's life` {
  let sandbox = Sandbox()
  let store: Store
  let home: AccountStore
  let other: AccountStore

  init() throws {
    store = try sandbox.open()
    home = try store.addAccount(alice)
    other = try store.addAccount(bob)
  }

  private func accounts() throws -> [Account] { try store.device.blockingRead { try $0.accounts() } }

  @discardableResult
  private func change<Result: Sendable>(_ body: (borrowing Transaction<DeviceScope>) throws -> Result) throws
    -> Result
  {
    try store.device.blockingWrite(origin: .crossing) { try body($0) }
  }

  @Test func `goes on after it was signed out, with every row and unsent change it had`() throws {
    try home.blockingWrite { try $0.insert(Folder("1", name: "kept")) }
    try change { try $0.signOut(alice) }
    #expect(
      try accounts() == [
        Account(id: alice, isActive: false, isSignedOut: true), Account(id: bob, isActive: true),
      ])
    #expect(try home.blockingRead { try $0.fetch(Folder.all) } == [Folder("1", name: "kept")])
    // Adding it again, as each crossing does, signs nobody in.
    try store.addAccount(alice)
    #expect(try accounts().first?.isSignedOut == true)
    try change { try $0.signIn(alice) }
    #expect(try accounts() == [Account(id: alice, isActive: false), Account(id: bob, isActive: true)])
    #expect(try home.blockingRead { try $0.outboxCount() } == 1)
  }

  @Test func `ends being looked at when it is signed out, and the next one that is signed in is`() throws {
    try change { try $0.signOut(bob) }
    #expect(try store.activeAccount() == alice)
    try change { try $0.signOut(alice) }
    #expect(try store.activeAccount() == (nil as AccountID?))
    #expect(throws: StoreError.signedOut(alice)) { try change { try $0.activate(alice) } }
    try change { try $0.signIn(bob) }
    #expect(try store.activeAccount() == bob)
    try change { try $0.signOut(alice) }
    #expect(try store.activeAccount() == bob)
  }

  @Test func `ends for everybody once its removal has begun, also for who holds a handle`() throws {
    try home.blockingWrite { try $0.insert(Folder("1", name: "gone")) }
    try change { try $0.beginRemoval(of: alice) }
    #expect(try accounts() == [Account(id: bob, isActive: true)])
    #expect(try store.device.blockingRead { try $0.accountsBeingRemoved() } == [alice])
    #expect(throws: StoreError.unknownAccount(alice)) { try store.account(alice) }
    #expect(throws: StoreError.unknownAccount(alice)) { try home.blockingWrite { _ in } }
    #expect(throws: StoreError.unknownAccount(alice)) { try change { try $0.in(home) { _ in } } }
    #expect(throws: StoreError.unknownAccount(alice)) { try change { try $0.signOut(alice) } }
    #expect(try change { try $0.removeRows(of: alice) } == 2)
    #expect(try change { try $0.removeRows(of: alice) } == nil)
    #expect(try store.device.blockingRead { try $0.accountsBeingRemoved() }.isEmpty)
    #expect(throws: StoreError.unknownAccount(alice)) { try home.blockingWrite { _ in } }
  }

  @Test func `isn't ended by somebody who never began`() throws {
    try home.blockingWrite { try $0.insert(Folder("1", name: "kept")) }
    #expect(try change { try $0.removeRows(of: alice) } == nil)
    #expect(try home.blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `leaves no key to the next account of any name`() throws {
    try other.blockingWrite { try $0.insert(Folder("1", name: "bob's")) }
    try change { try $0.beginRemoval(of: bob) }
    try change { try $0.removeRows(of: bob) }
    let again = try store.addAccount(bob)
    #expect(again.reach.account != other.reach.account)
    #expect(throws: StoreError.unknownAccount(bob)) { try other.blockingWrite { _ in } }
    try again.blockingWrite { try $0.insert(Folder("2", name: "new")) }
    #expect(try again.blockingRead { try $0.fetch(Folder.all) } == [Folder("2", name: "new")])
  }
}

/// Every table of the file, looked at with SQLite alone.
@Suite struct `A removed account` {
  private let sandbox = Sandbox()
  private static let word = "xylophonic"

  /// The first column of what a query gives.
  private func texts(_ sql: String) throws -> [String] {
    let connection = try Connection(path: sandbox.file.path, readOnly: false)
    var texts: [String] = []
    try connection.run(sql, acrossAccounts: "a test looks at everybody's") { _ in
    } row: { row in
      texts.append(try row.text(0))
      return true
    }
    return texts
  }

  /// Every row of the account with a key, in every table that has rows of accounts.
  private func rows(of key: Int) throws -> [String] {
    let tables = try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    return try tables.flatMap { table in
      let columns = try texts("SELECT name FROM pragma_table_info('\(table)')")
      guard columns.contains("account_key") else { return [String]() }
      let whole = columns.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
      return try texts("SELECT \(whole) FROM \"\(table)\" WHERE account_key = \(key)").map {
        "\(table) \($0)"
      }
    }
  }

  /// Fills every kind of row that a store keeps for an account.
  private func fill(_ account: AccountStore, _ word: String) throws {
    try account.blockingWrite { transaction in
      try transaction.insert((0..<300).map { Folder("\($0)", name: "\(word) \($0)") })
      try transaction.insert(Memo("1", title: word, preview: "about \(word)", tags: [word, "b"]))
      try transaction.setRemoteState(
        RemoteState(revision: 5, json: "{\"name\":\"\(word)\"}"), of: Folder.self, Identifier(known: "1"))
    }
  }

  @Test func `leaves no row in any table, no word in the index and no byte in the file; the others keep all`()
    async throws
  {
    let schemas = [mail, device, Desk.schema, Schema(owner: "lines", tables: [Line.table.declaration])]
    let store = try sandbox.open(schemas)
    let (home, other) = (try store.addAccount(alice), try store.addAccount(bob))
    try fill(home, Self.word)
    try fill(other, "marimba")
    try store.device.blockingWrite { transaction in
      for account in [alice, bob] { try transaction.upsert(Line(id: account.user, account: account)) }
    }
    await store.close()
    let before = try rows(of: 2)
    #expect(before.count > 600)
    #expect(try rows(of: 1).count == before.count)
    #expect(try Data(contentsOf: sandbox.file).range(of: Data(Self.word.utf8)) != nil)

    let again = try sandbox.open(schemas)
    try again.device.blockingWrite(origin: .crossing) { try $0.beginRemoval(of: alice) }
    try again.device.blockingWrite(origin: .crossing) { try $0.removeRows(of: alice) }
    let faults = try again.account(bob).blockingWrite { try $0.checkSides(of: Memo.table.declaration) }
    #expect(faults.isEmpty)
    let found = try again.account(bob).blockingRead { try $0.fetch(Memo.matching("marimba")) }
    #expect(found.count == 1)
    #expect(try again.device.blockingRead { try $0.fetch(Line.all) }.map(\.id) == ["bob"])
    await again.close()

    #expect(try rows(of: 1).isEmpty)
    #expect(try rows(of: 2) == before)
    let bytes = try Data(contentsOf: sandbox.file)
    for trace in [Self.word, "alice"] {
      #expect(bytes.range(of: Data(trace.utf8)) == nil, "\(trace) is there")
    }
    #expect(bytes.range(of: Data("marimba".utf8)) != nil)
  }
}

/// A row of the device that says whose it is.
private struct Line: Record {
  typealias Scope = DeviceScope
  typealias Key = String
  let id: String
  let account: AccountID?

  static let table = Table<Line>(
    "line", key: \.id, columns: Column("id", \.id), Column("account", \.account),
    make: Line.init(id:account:))
}
