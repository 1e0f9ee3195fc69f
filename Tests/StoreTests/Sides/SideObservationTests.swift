import Foundation
import Testing

@testable import FerryStore

@Suite(.notForEver) struct `Whoever observes members or a search` {
  let clock = ManualClock()
  let desk: Desk
  var account: AccountStore { desk.account }

  init() throws { desk = try Desk(clock: clock) }

  private func tagged() -> Observation<[String]>.AsyncIterator {
    account.observe { try $0.fetch(Memo.where { $0.tags.contains("x") }).map(\.id.rawValue) }
      .makeAsyncIterator()
  }
  private func found() -> Observation<[String]>.AsyncIterator {
    account.observe { try $0.search(Memo.self, "word").map(\.record.id.rawValue) }.makeAsyncIterator()
  }
  private func write(_ memo: Memo) throws { try account.blockingWrite { try $0.upsert(memo) } }

  @Test func `hears of each commit that changes what is found`() async throws {
    var (tagged, found) = (tagged(), found())
    #expect(try await (tagged.next(), found.next()) == ([], []))
    try write(Memo("a", tags: ["x"]))
    #expect(try await tagged.next() == ["a"])
    try write(Memo("a", title: "A word", tags: ["x"]))
    #expect(try await found.next() == ["a"])
    try write(Memo("a", title: "Another word"))
    #expect(try await tagged.next() == [])
    try write(Memo("b", tags: ["x", "wording"]))
    #expect(try await (tagged.next(), found.next()) == (["b"], ["a", "b"]))
    try account.blockingWrite { try $0.delete(Memo.all) }
    #expect(try await (tagged.next(), found.next()) == ([], []))
  }

  /// Conditions that look at nothing of the table itself but its key would hear of nothing else.
  @Test func `hears of what changes beside the rows alone`() async throws {
    try write(Memo("a", title: "word", tags: ["x"]))
    let connection = try Connection(path: desk.sandbox.file.path, readOnly: false)
    func damage() throws {
      try connection.execute("DELETE FROM \"memo:members:tags\"", acrossAccounts: "a test")
      try connection.execute("DELETE FROM \"memo:search\"")
    }
    try damage()
    var (tagged, found) = (tagged(), found())
    #expect(try await (tagged.next(), found.next()) == ([], []))
    try account.blockingWrite { try $0.repairSides(of: Memo.table.declaration) }
    #expect(try await (tagged.next(), found.next()) == (["a"], ["a"]))
    // And where it isn't this store that does it.
    try damage()
    await clock.tick()
    #expect(try await (tagged.next(), found.next()) == ([], []))
    let again = try desk.sandbox.open([Desk.schema]).account(alice)
    try again.blockingWrite { try $0.repairSides(of: Memo.table.declaration) }
    await clock.tick()
    #expect(try await (tagged.next(), found.next()) == (["a"], ["a"]))
  }

  @Test func `hears of another opening's commits`() async throws {
    let again = try desk.sandbox.open([Desk.schema]).account(alice)
    var (tagged, found) = (tagged(), found())
    #expect(try await (tagged.next(), found.next()) == ([], []))
    try again.blockingWrite { try $0.insert(Memo("a", title: "word", tags: ["x"])) }
    await clock.tick()
    #expect(try await (tagged.next(), found.next()) == (["a"], ["a"]))
  }

  @Test func `hears nothing of another account, nor of writes that leave words and members as they are`()
    async throws
  {
    let fetches = Count()
    try write(Memo("a", title: "word"))
    var found = account.observe { snapshot in
      fetches.add()
      return try snapshot.access.session.connection.integer(
        "SELECT count(*) FROM \"memo:search\" WHERE \"memo:search\" MATCH '\"1\u{e000}word\"'",
        acrossAccounts: "a test")
    }.makeAsyncIterator()
    #expect(try await found.next() == 1)
    try desk.other.blockingWrite { try $0.insert(Memo("a", title: "word")) }
    var memo = Memo("a", title: "Word")
    memo.kinds = [.archived]
    try write(memo)
    try write(Memo("a", title: "gone"))
    #expect(try await found.next() == 0)
    #expect(fetches.value == 2)
  }

  @Test func `is named the rows in change sets, not what is kept beside them`() async throws {
    try write(Memo("a", tags: ["x"]))
    var changes = try await desk.store.changes().makeAsyncIterator()
    try account.blockingWrite { transaction in
      try transaction.delete(Memo.self, Identifier(known: "a"))
      try transaction.insert(Memo("a", tags: ["x"]))
    }
    try account.blockingWrite { transaction in
      try transaction.update(Memo.all) { $0.tags = ["y"] }
      try transaction.insert(Memo("b", title: "word"))
    }
    try account.blockingWrite { _ = try $0.delete(Memo.matching("word")) }
    func change(_ key: String, _ kind: RowChange.Kind) -> RowChange {
      RowChange(table: "memo", account: alice, key: .text(key), kind: kind)
    }
    #expect(try await changes.next()?.changes == [change("a", .updated), change("b", .inserted)])
    #expect(try await changes.next()?.changes == [change("b", .deleted)])
  }
}
