import Testing

@testable import FerryStore

@Suite struct `The outbox` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }
  let key = Identifier<Folder>(known: "a")

  init() throws { mailbox = try Mailbox() }

  private func outbox() throws -> [OutboxEntry] { try account.blockingRead { try $0.outbox() } }
  private func entry(
    _ key: String, _ operation: OutboxEntry.Operation, _ base: BaseRevision, _ sequence: Int64,
    table: String = "folder"
  ) -> OutboxEntry {
    OutboxEntry(table: table, key: key, operation: operation, base: base, sequence: sequence)
  }
  /// As when the server has the row: pulled, and said to be at a revision.
  private func pull(_ folder: Folder, revision: Int64) throws {
    try account.blockingWrite(origin: .server) { transaction in
      try transaction.upsert(folder)
      try transaction.setRemoteState(RemoteState(revision: revision, json: "{}"), of: Folder.self, folder.id)
    }
  }

  @Test func `takes every local change of a tracked table, in order`() throws {
    try account.blockingWrite { transaction in
      try transaction.insert(Folder("a"))
      try transaction.upsert(Folder("b"))
    }
    #expect(try outbox() == [entry("a", .put, .absent, 1), entry("b", .put, .absent, 2)])
    #expect(try account.blockingRead { try $0.outboxCount() } == 2)
    #expect(try account.blockingRead { try $0.isInOutbox(Folder.self, key) })
    #expect(try !account.blockingRead { try $0.isInOutbox(Folder.self, Identifier(known: "c")) })
  }

  @Test(arguments: [Origin.server, .crossing]) func `takes nothing that a server or a crossing wrote`(
    origin: Origin
  ) throws {
    try account.blockingWrite(origin: origin) { transaction in
      try transaction.insert([Folder("a"), Folder("b")])
      try transaction.upsert(Folder("a", name: "x"))
      try transaction.delete(Folder.self, key)
    }
    #expect(try outbox() == [])
  }

  @Test func `takes no row that was the same already`() throws {
    try pull(Folder("a"), revision: 4)
    #expect(try account.blockingWrite { try $0.upsert(Folder("a")) } == WriteCounts(unchanged: 1))
    #expect(try outbox() == [])
  }

  @Test func `takes only the rows that the table's condition takes`() throws {
    try account.blockingWrite { transaction in
      try transaction.insert([Draft(id: 1, text: "", isLocal: true), Draft(id: 2, text: "", isLocal: false)])
      try transaction.upsert(Draft(id: 1, text: "x", isLocal: true))
    }
    #expect(try outbox() == [entry("2", .put, .absent, 1, table: "draft")])
    try account.blockingWrite { try $0.delete(Draft.self, 1) }
    #expect(try outbox().count == 1)
  }

  @Test func `keeps one entry a row, with the base of the first change and the number of the last`() throws {
    try pull(Folder("a"), revision: 4)
    try account.blockingWrite { try $0.upsert(Folder("a", name: "1")) }
    // What the server says meanwhile isn't what the change started from.
    try account.blockingWrite(origin: .server) {
      try $0.setRemoteState(RemoteState(revision: 5, json: "{}"), of: Folder.self, key)
    }
    try account.blockingWrite { try $0.upsert(Folder("a", name: "2")) }
    #expect(try outbox() == [entry("a", .put, .revision(4), 2)])
  }

  @Test func `has base unknown for a changed row that the server never spoke of`() throws {
    try account.blockingWrite(origin: .crossing) { try $0.insert(Folder("a")) }
    try account.blockingWrite { try $0.upsert(Folder("a", name: "x")) }
    #expect(try outbox() == [entry("a", .put, .unknown, 1)])
  }

  @Test func `takes a delete with the base it started from`() throws {
    try pull(Folder("a"), revision: 4)
    try account.blockingWrite { try $0.delete(Folder.self, key) }
    #expect(try outbox() == [entry("a", .delete, .revision(4), 1)])
  }

  @Test func `turns a delete and a new row of the same key into one put`() throws {
    try pull(Folder("a"), revision: 4)
    try account.blockingWrite { transaction in
      try transaction.delete(Folder.self, key)
      try transaction.insert(Folder("a", name: "again"))
    }
    #expect(try outbox() == [entry("a", .put, .revision(4), 2)])
  }

  @Test func `takes a row that is deleted and written again as it was for one that didn't change`() throws {
    func rewrite(_ folder: Folder, _ write: (borrowing Transaction<AccountScope>) throws -> Void = { _ in })
      throws
    {
      try account.blockingWrite { transaction in
        try transaction.delete(Folder.self, key)
        try write(transaction)
        try transaction.insert(folder)
      }
    }
    // Nothing waited of it.
    try pull(Folder("a"), revision: 4)
    try rewrite(Folder("a"))
    #expect(try outbox() == [])
    // Something did: that stays as it is, its number too.
    try account.blockingWrite { try $0.update(Folder("a", name: "1")) }
    let waiting = try outbox()
    try rewrite(Folder("a", name: "1"))
    #expect(try outbox() == waiting)
    // Written, deleted, and written otherwise in between.
    try rewrite(Folder("a", name: "1")) { transaction in
      try transaction.upsert(Folder("a", name: "2"))
      try transaction.update(Folder("a", name: "3"))
      try transaction.delete(Folder.self, key)
    }
    #expect(try outbox() == waiting)
    // Another transaction knows nothing of it.
    try account.blockingWrite { try $0.delete(Folder.self, key) }
    try account.blockingWrite { try $0.insert(Folder("a", name: "1")) }
    #expect(try outbox().map(\.base) == [.revision(4)] && outbox().map(\.operation) == [.put])
    #expect(try outbox()[0].sequence > waiting[0].sequence)
  }

  @Test func `takes a row that is deleted and written otherwise for a change of what was there`() throws {
    try account.blockingWrite(origin: .crossing) { try $0.insert(Folder("a")) }
    try account.blockingWrite { transaction in
      try transaction.delete(Folder.self, key)
      try transaction.insert(Folder("a", name: "x"))
    }
    #expect(try outbox().map(\.base) == [.unknown], "the server may have it")
    // One that was never sent is new still.
    try account.blockingWrite { try $0.insert(Folder("b")) }
    try account.blockingWrite { transaction in
      try transaction.delete(Folder.all)
      try transaction.insert([Folder("b"), Folder("c")])
    }
    #expect(
      try outbox().map { "\($0.key) \($0.operation) \($0.base)" } == [
        "b put absent", "a delete unknown", "c put absent",
      ])
  }

  @Test func `takes a row that was never sent, deleted and written otherwise, for one that is still new`()
    throws
  {
    try account.blockingWrite { try $0.insert(Folder("a")) }
    try account.blockingWrite { transaction in
      try transaction.delete(Folder.self, key)
      try transaction.insert(Folder("a", name: "x"))
      try transaction.insert(Folder("b"))
      try transaction.delete(Folder.self, Identifier(known: "b"))
      try transaction.upsert(Folder("b", name: "y"))
    }
    #expect(try outbox().map { "\($0.key) \($0.operation) \($0.base)" } == ["a put absent", "b put absent"])
  }

  @Test func `takes what a query finds row by row`() throws {
    try pull(Folder("a"), revision: 4)
    try pull(Folder("b", name: "same"), revision: 5)
    try account.blockingWrite { try $0.update(Folder.all) { $0.name = "same" } }
    #expect(try outbox() == [entry("a", .put, .revision(4), 1)])
    try account.blockingWrite { _ = try $0.delete(Folder.where { $0.name == "same" }) }
    #expect(try outbox() == [entry("a", .delete, .revision(4), 2), entry("b", .delete, .revision(5), 3)])
  }

  @Test func `follows a row that begins or ceases to travel`() throws {
    func write(_ isLocal: Bool, text: String = "", origin: Origin = .local) throws {
      try account.blockingWrite(origin: origin) {
        try $0.upsert(Draft(id: 1, text: text, isLocal: isLocal))
      }
    }
    func found() throws -> [String] { try outbox().map { "\($0.operation) \($0.base)" } }
    try write(true)
    #expect(try found() == [])
    try write(false)
    #expect(try found() == ["put unknown"])
    try write(true)
    #expect(try found() == ["delete unknown"], "the server may have it")
    try write(true, text: "more")
    #expect(try found() == ["delete unknown"])
    try write(false)
    #expect(try found() == ["put unknown"])
    // One that the server has, and is to have no more.
    try account.blockingWrite(origin: .server) { transaction in
      try transaction.confirm(Draft.self, 1)
      try transaction.setRemoteState(RemoteState(revision: 7, json: "{}"), of: Draft.self, 1)
    }
    try account.blockingWrite { try $0.update(Draft(id: 1, text: "mine", isLocal: true)) }
    #expect(try found() == ["delete revision(7)"])
    try account.blockingWrite { try $0.update(Draft.all) { $0.isLocal = false } }
    #expect(try found() == ["put revision(7)"])
    // One that was never sent leaves no trace.
    try account.blockingWrite { transaction in
      try transaction.insert(Draft(id: 2, text: "", isLocal: false))
      try transaction.update(Draft(id: 2, text: "", isLocal: true))
    }
    #expect(try found() == ["put revision(7)"])
    // Deleted as one that travels, written again as one that doesn't, and the other way round.
    try account.blockingWrite { transaction in
      try transaction.delete(Draft.self, [1, 2])
      try transaction.insert([Draft(id: 1, text: "", isLocal: true), Draft(id: 2, text: "", isLocal: false)])
    }
    #expect(try found() == ["delete revision(7)", "put unknown"])
    try write(false, text: "server's", origin: .server)
    #expect(try found() == ["delete revision(7)", "put unknown"], "what others write is theirs")
  }

  @Test func `turns a change and a delete into one delete`() throws {
    try pull(Folder("a"), revision: 4)
    try account.blockingWrite { transaction in
      try transaction.upsert(Folder("a", name: "x"))
      try transaction.delete(Folder.self, key)
    }
    #expect(try outbox() == [entry("a", .delete, .revision(4), 2)])
  }

  @Test func `keeps no trace of a row that was made and unmade`() throws {
    try account.blockingWrite { try $0.insert(Folder("a")) }
    try account.blockingWrite { try $0.delete(Folder.self, key) }
    #expect(try outbox() == [])
  }

  @Test func `never gives a number twice, also when no entry is left`() throws {
    try account.blockingWrite { try $0.insert(Folder("a")) }
    let pushed = try outbox()[0].sequence
    // While that one is on its way to the server, the row goes and another takes its key.
    try account.blockingWrite { try $0.delete(Folder.self, key) }
    try account.blockingWrite { try $0.insert(Folder("a", name: "another")) }
    #expect(try outbox()[0].sequence > pushed)
  }

  @Test func `counts on from where another opening of the store left off`() throws {
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) }
    try account.blockingWrite { try $0.delete(Folder.self, Identifier(known: "b")) }
    let other = try mailbox.sandbox.open().account(alice)
    try other.blockingWrite { try $0.insert(Folder("c")) }
    #expect(try outbox().map(\.sequence) == [1, 3])
  }

  @Test func `counts on after a write that was undone as if it hadn't been`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try account.blockingWrite { transaction in
        try transaction.insert(Folder("a"))
        throw Stop()
      }
    }
    try account.blockingWrite { try $0.insert(Folder("b")) }
    #expect(try outbox() == [entry("b", .put, .absent, 1)])
  }

  @Test func `takes a row that crossed unsent, and not twice`() throws {
    for _ in 0..<2 {
      try account.blockingWrite(origin: .crossing) { transaction in
        try transaction.upsert(Folder("a"))
        try transaction.enqueue(Folder.self, key, base: .unknown)
      }
    }
    #expect(try outbox() == [entry("a", .put, .unknown, 2)])
  }

  @Test func `is one with the rows: emptying a table leaves it, forgetting the server empties it`() throws {
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) }
    try account.blockingWrite { try $0.insert(Draft(id: 1, text: "", isLocal: false)) }
    try account.blockingWrite(origin: .crossing) { try $0.deleteAll(Folder.self) }
    #expect(try outbox().count == 3)
    try account.blockingWrite(origin: .crossing) { try $0.forgetRemoteState(of: Folder.table.declaration) }
    #expect(try outbox().map(\.table) == ["draft"])
  }

  @Test func `keeps what the server said, a tombstone too`() throws {
    for state in [RemoteState(revision: 1, json: "{\"á\":\"\0\"}"), RemoteState(revision: 2, json: nil)] {
      try account.blockingWrite(origin: .server) { try $0.setRemoteState(state, of: Folder.self, key) }
      #expect(try account.blockingRead { try $0.remoteState(of: Folder.self, key) } == state)
    }
  }
}
