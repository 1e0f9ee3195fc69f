import Testing

@testable import FerryStore

@Suite(.notForEver) struct `The change sets of a store` {
  let mailbox: Mailbox
  var store: Store { mailbox.store }
  var account: AccountStore { mailbox.account }

  init() throws { mailbox = try Mailbox(clock: ManualClock()) }

  private func change(_ kind: RowChange.Kind, _ id: String, of owner: AccountID = alice) -> RowChange {
    RowChange(table: "folder", account: owner, key: .text(id), kind: kind)
  }

  @Test func `name each row once, with what became of it`() async throws {
    try account.blockingWrite { try $0.insert([Folder("old"), Folder("gone"), Folder("same")]) }
    var changes = try await store.changes().makeAsyncIterator()
    try account.blockingWrite { transaction in
      try transaction.insert(Folder("new"))
      try transaction.upsert([Folder("old", name: "renamed"), Folder("same"), Folder("newer")])
      try transaction.delete(Folder.self, Identifier(known: "gone"))
      try transaction.upsert(Folder("new", name: "again"))
    }
    #expect(
      try await changes.next()
        == ChangeSet(
          origin: .local,
          changes: [
            change(.inserted, "new"), change(.updated, "old"), change(.inserted, "newer"),
            change(.deleted, "gone"),
          ]))
  }

  @Test func `take a delete and an insert of one key as one update, and what came to nothing as nothing`()
    async throws
  {
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b"), Folder("c")]) }
    var changes = try await store.changes().makeAsyncIterator()
    try account.blockingWrite { transaction in
      for id in ["a", "b", "fresh"] { try transaction.delete(Folder.self, Identifier(known: id)) }
      try transaction.insert([Folder("a", name: "other"), Folder("b"), Folder("brief")])
      try transaction.delete(Folder.self, Identifier(known: "brief"))
      try transaction.upsert(Folder("c", name: "x"))
      try transaction.upsert(Folder("c"))
    }
    #expect(try await changes.next()?.changes == [change(.updated, "a")])
  }

  @Test func `hold what emptying a table did, and nothing of commits that changed no record`() async throws {
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) }
    var changes = try await store.changes().makeAsyncIterator()
    try account.blockingWrite { try $0.upsert(Folder("a")) }
    try store.device.blockingWrite { try $0.activate(alice) }
    try account.blockingWrite(origin: .crossing) { transaction in
      try transaction.deleteAll(Folder.self)
      try transaction.insert(Folder("b", name: "crossed"))
    }
    #expect(
      try await changes.next()
        == ChangeSet(origin: .crossing, changes: [change(.deleted, "a"), change(.updated, "b")]))
  }

  @Test func `come only from what is committed, in its order`() async throws {
    struct Stop: Error {}
    var changes = try await store.changes().makeAsyncIterator()
    for number in 0..<100 {
      let draft = Draft(id: Int64(number), text: "", isLocal: true)
      #expect(throws: Stop.self) {
        try account.blockingWrite { transaction in
          try transaction.insert(draft)
          throw Stop()
        }
      }
      try account.blockingWrite { try $0.insert(draft) }
    }
    for number in 0..<100 {
      #expect(try await changes.next()?.changes.map(\.key) == [.integer(Int64(number))])
    }
  }

  @Test func `are told apart by account`() async throws {
    let other = try store.addAccount(bob)
    var all = try await store.changes().makeAsyncIterator()
    var theirs = try await other.changes().makeAsyncIterator()
    try account.blockingWrite { try $0.insert(Folder("a")) }
    try store.device.blockingWrite { transaction in
      try transaction.insert(Counter(id: 1, value: 1))
      try transaction.in(account) { try $0.insert(Folder("b")) }
      try transaction.in(other) { try $0.insert(Folder("b")) }
    }
    #expect(try await all.next()?.changes == [change(.inserted, "a")])
    let counter = RowChange(table: "counter", account: nil, key: .integer(1), kind: .inserted)
    #expect(
      try await all.next()?.changes == [counter, change(.inserted, "b"), change(.inserted, "b", of: bob)])
    #expect(try await theirs.next()?.changes == [change(.inserted, "b", of: bob)])
  }

  @Test func `end with an error rather than leave one out`() async throws {
    var slow = try await account.changes(limit: 2).makeAsyncIterator()
    var patient = try await account.changes(limit: 3).makeAsyncIterator()
    for id in ["a", "b", "c"] { try account.blockingWrite { try $0.insert(Folder(id)) } }
    for id in ["a", "b"] { #expect(try await slow.next()?.changes == [change(.inserted, id)]) }
    await #expect(throws: StoreError.lagged(limit: 2)) { try await slow.next() }
    #expect(try await slow.next() == nil)
    for id in ["a", "b", "c"] { #expect(try await patient.next()?.changes == [change(.inserted, id)]) }
  }

  @Test func `cost nothing once nobody listens`() async throws {
    do {
      let changes = try await store.changes()
      #expect(store.audience.isListening)
      _ = changes
    }
    #expect(!store.audience.isListening)
  }

  @Test func `lack nothing that a snapshot taken after asking for them lacks`() async throws {
    let device = store.device
    async let writes: Void = {
      for number in 0..<200 { try await device.write { try $0.insert(Counter(id: Int64(number), value: 0)) } }
    }()
    var changes = try await store.changes().makeAsyncIterator()
    var seen = Set(try await device.read { try $0.fetch(Counter.all).map { StoredValue.integer($0.id) } })
    while seen.count < 200 { seen.formUnion(try #require(try await changes.next()).changes.map(\.key)) }
    try await writes
  }
}
