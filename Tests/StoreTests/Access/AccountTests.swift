import Testing

@testable import FerryStore

@Suite struct `Accounts` {
  let sandbox = Sandbox()
  let store: Store

  init() throws { store = try sandbox.open() }

  private func accounts() throws -> [Account] { try store.device.blockingRead { try $0.accounts() } }

  @Test func `of one user on two servers never meet, though their rows have the same keys`() throws {
    let home = try store.addAccount(AccountID(server: "home", user: "alice"))
    let work = try store.addAccount(AccountID(server: "work", user: "alice"))
    for (account, name) in [(home, "at home"), (work, "at work")] {
      try account.blockingWrite { try $0.insert([Folder("1", name: name), Folder("2", name: name)]) }
    }
    let homes = try home.blockingRead { try $0.fetch(Folder.all) }
    #expect(homes.map(\.name) == ["at home", "at home"])
    #expect(
      try home.blockingRead { try $0.count(Folder.where { $0.name == "at work" || $0.name == "at home" }) }
        == 2)
    #expect(
      try home.blockingRead {
        try $0.exists(Folder.where { $0.name == "at work" || !($0.name == "at home") })
      } == false)
    #expect(try home.blockingRead { try $0.find(Folder.self, Identifier(known: "1")) }?.name == "at home")
    try home.blockingWrite { transaction in
      try transaction.upsert(Folder("1", name: "moved"))
      try transaction.delete(Folder.self, Identifier(known: "2"))
    }
    #expect(
      try work.blockingRead { try $0.fetch(Folder.all) } == [
        Folder("1", name: "at work"), Folder("2", name: "at work"),
      ])
    try home.blockingWrite { try $0.deleteAll(Folder.self) }
    #expect(try work.blockingRead { try $0.count(Folder.all) } == 2)
    #expect(try work.blockingRead { try $0.outboxCount() } == 2)
    #expect(try work.blockingRead { try $0.rows(of: Folder.table.declaration, limit: 9).count } == 2)
    #expect(try home.blockingRead { try $0.count(of: Folder.table.declaration) } == 0)
  }

  @Test func `keep apart what a server said of rows with the same key`() throws {
    let (home, work) = (try store.addAccount(alice), try store.addAccount(bob))
    let key = Identifier<Folder>(known: "1")
    try home.blockingWrite {
      try $0.setRemoteState(RemoteState(revision: 5, json: "{}"), of: Folder.self, key)
    }
    #expect(try work.blockingRead { try $0.remoteState(of: Folder.self, key) } == nil)
    try work.blockingWrite { try $0.forgetRemoteState(of: Folder.table.declaration) }
    #expect(try home.blockingRead { try $0.remoteState(of: Folder.self, key) }?.revision == 5)
  }

  @Test func `are listed in the order they came; the first is active`() throws {
    #expect(try store.activeAccount() == (nil as AccountID?))
    try store.addAccount(alice)
    try store.addAccount(bob)
    try store.addAccount(alice)
    #expect(try accounts() == [Account(id: alice, isActive: true), Account(id: bob, isActive: false)])
    #expect(try store.activeAccount() == alice)
  }

  @Test func `that the store doesn't have are an error`() throws {
    #expect(throws: StoreError.unknownAccount(alice)) { try store.account(alice) }
    #expect(throws: StoreError.unknownAccount(alice)) {
      try store.device.blockingWrite { try $0.activate(alice) }
    }
  }

  @Test func `change places as the active one without a row moving (trap M3)`() throws {
    let (first, second) = (try store.addAccount(alice), try store.addAccount(bob))
    try first.blockingWrite { try $0.insert(Folder("1", name: "alice's")) }
    try store.device.blockingWrite { try $0.activate(bob) }
    #expect(try accounts() == [Account(id: alice, isActive: false), Account(id: bob, isActive: true)])
    #expect(try first.blockingRead { try $0.fetch(Folder.all) } == [Folder("1", name: "alice's")])
    #expect(try second.blockingRead { try $0.count(Folder.all) } == 0)
    try store.device.blockingWrite { try $0.activate(alice) }
    #expect(try store.activeAccount() == alice)
  }

  @Test func `are one write with the device's records, or none`() throws {
    struct Stop: Error {}
    let account = try store.addAccount(alice)
    func both(_ stop: Bool) throws {
      try store.device.blockingWrite { transaction in
        try transaction.insert(Counter(id: 1, value: 1))
        try transaction.in(account) { try $0.insert(Folder("1")) }
        if stop { throw Stop() }
      }
    }
    #expect(throws: Stop.self) { try both(true) }
    #expect(try store.device.blockingRead { try $0.count(Counter.all) } == 0)
    #expect(try account.blockingRead { try $0.count(Folder.all) } == 0)
    try both(false)
    #expect(try store.device.blockingRead { try $0.count(Counter.all) } == 1)
    #expect(try account.blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `of another store are refused inside this one's transaction`() throws {
    let other = Sandbox()
    let theirs = try other.open().addAccount(bob)
    try store.addAccount(alice)
    #expect(throws: StoreError.unknownAccount(bob)) {
      try store.device.blockingWrite { transaction in
        try transaction.in(theirs) { try $0.insert(Folder("1")) }
      }
    }
    // The same account through another opening of the same file is the same account.
    let again = try sandbox.open().account(alice)
    try store.device.blockingWrite { transaction in
      try transaction.in(again) { try $0.insert(Folder("1")) }
    }
    #expect(try again.blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `have no table of the device's, and the device none of theirs`() throws {
    let account = try store.addAccount(alice)
    #expect(throws: StoreError.unknownTable("counter")) {
      try account.blockingRead { try $0.rows(of: Counter.table.declaration, limit: 1) }
    }
    #expect(throws: StoreError.unknownTable("folder")) {
      try store.device.blockingRead { try $0.count(of: Folder.table.declaration) }
    }
    #expect(throws: StoreError.unknownTable("folder")) {
      try store.device.blockingWrite { try $0.deleteAll(of: Folder.table.declaration) }
    }
  }
}

extension Optional where Wrapped == AccountStore {
  /// Whose handle it is.
  static func == (left: AccountStore?, right: AccountID?) -> Bool { left?.id == right }
}
