import FerryStore
import Testing

/// Each first does what was done, and sees it fail; then what Ferry does.
@Suite struct `The traps of signals` {
  struct Full: Error {}

  @Test func `S4: the save failed, the event went out`() throws {
    // The faulty way: whoever saves also tells, and in the wrong order.
    var (events, rows): ([String], [String]) = ([], [])
    func save(_ row: String) throws {
      events.append("saved \(row)")
      throw Full()
    }
    do {
      try save("a")
      rows.append("a")
    } catch is Full {}
    #expect(events == ["saved a"] && rows == [])

    // Ferry's: what others are to hear of is written by the store in the same transaction.
    let mailbox = try Mailbox()
    #expect(throws: Full.self) {
      try mailbox.account.blockingWrite { transaction in
        try transaction.insert(Folder("a"))
        throw Full()
      }
    }
    #expect(try mailbox.account.blockingRead { try $0.outbox() } == [])
    try mailbox.account.blockingWrite { try $0.insert(Folder("b")) }
    #expect(try mailbox.account.blockingRead { try $0.outbox().map(\.key) } == ["b"])
  }

  @Test func `S6: autosave decides when a write is there`() async throws {
    // The faulty way: the call returns, the write waits for a moment that suits the library.
    final class Autosaving {
      private var pending: [String] = []
      private(set) var saved: [String] = []
      func insert(_ row: String) { pending.append(row) }
    }
    let faulty = Autosaving()
    faulty.insert("a")
    #expect(faulty.saved == [])

    // Ferry's: once the call returned, anybody who opens the file finds it. That it survives the process is
    // shown between two processes, and that `.powerLoss` syncs in the tests of transactions.
    let mailbox = try Mailbox()
    try await mailbox.account.write(durability: .powerLoss) { try $0.insert(Folder("a")) }
    let other = try mailbox.sandbox.open(readOnly: true).account(alice)
    #expect(try await other.read { try $0.fetch(Folder.all) } == [Folder("a")])
  }
}
