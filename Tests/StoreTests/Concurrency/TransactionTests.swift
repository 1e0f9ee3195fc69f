import Foundation
import Testing

@testable import FerryStore

@Suite struct `A transaction` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }
  var store: Store { mailbox.store }
  struct Stop: Error {}

  init() throws { mailbox = try Mailbox() }

  private func synchronous(_ transaction: borrowing Transaction<AccountScope>) throws -> Int64? {
    try transaction.access.session.connection.integer("PRAGMA synchronous")
  }

  @Test func `that must survive a power failure syncs fully, and the next one doesn't pay for it`() throws {
    #expect(try account.blockingWrite { try synchronous($0) } == 1)
    #expect(try account.blockingWrite(durability: .powerLoss) { try synchronous($0) } == 2)
    #expect(try account.blockingWrite { try synchronous($0) } == 1)
  }

  @Test func `that failed leaves the durability as it was`() throws {
    #expect(throws: Stop.self) { try account.blockingWrite(durability: .powerLoss) { _ in throw Stop() } }
    #expect(try account.blockingWrite { try synchronous($0) } == 1)
    try store.device.blockingWrite(origin: .crossing) { try $0.shutGate(reason: "x") }
    #expect(throws: StoreError.gateShut(reason: "x")) {
      try account.blockingWrite(durability: .powerLoss) { _ in }
    }
    #expect(try account.blockingWrite(origin: .crossing) { try synchronous($0) } == 1)
  }

  @Test func `begun inside a write is an error, not a deadlock`() async throws {
    let account = account
    #expect(throws: StoreError.nestedWrite) {
      try account.blockingWrite { _ in try account.blockingWrite { _ in } }
    }
    await #expect(throws: StoreError.nestedWrite) {
      try await account.write { _ in try account.blockingWrite { _ in } }
    }
    #expect(throws: StoreError.nestedWrite) { try account.blockingWrite { _ in try store.addAccount(bob) } }
    try account.blockingWrite { try $0.insert(Folder("a")) }
  }

  @Test func `to write begun inside a read is an error: it would go by what the read saw`() throws {
    #expect(throws: StoreError.nestedWrite) {
      try account.blockingRead { _ in try account.blockingWrite { _ in } }
    }
    try account.blockingWrite { try $0.insert(Folder("a")) }
  }

  @Test func `in another store may be begun inside a write`() throws {
    let other = try Mailbox()
    try account.blockingWrite { _ in try other.account.blockingWrite { try $0.insert(Folder("a")) } }
    #expect(try other.account.blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `to read may be begun inside any other, however deep`() throws {
    let (account, store) = (account, store)
    func deeper(_ level: Int) throws -> Int {
      try account.blockingRead { try level == 0 ? $0.count(Folder.all) : deeper(level - 1) }
    }
    #expect(try deeper(20) == 0)
    try account.blockingWrite { transaction in
      try transaction.insert(Folder("a"))
      #expect(try deeper(20) == 0, "what was committed")
      #expect(try store.account(alice).id == alice)
    }
    #expect(try deeper(20) == 1)
  }

  @Test func `to read inside a read sees the same state, whatever was committed between`() throws {
    let account = account
    try account.blockingRead { snapshot throws in
      #expect(try snapshot.count(Folder.all) == 0)
      try onAnotherThread { try account.blockingWrite { try $0.insert(Folder("a")) } }
      #expect(try snapshot.count(Folder.all) == 0)
      #expect(try account.blockingRead { try $0.count(Folder.all) } == 0)
      #expect(throws: Stop.self) { try account.blockingRead { _ in throw Stop() } }
      #expect(try snapshot.count(Folder.all) == 0)
    }
    #expect(try account.blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `to read sees one state from its first row to its last`() throws {
    let account = account
    try account.blockingWrite { try $0.insert([Folder("a"), Folder("b"), Folder("c")]) }
    let names = try account.blockingRead { snapshot in
      var names: [String] = []
      try snapshot.forEach(Folder.all) { folder in
        if names.isEmpty {
          try onAnotherThread {
            try account.blockingWrite { try $0.upsert([Folder("b", name: "new"), Folder("d")]) }
          }
        }
        names.append(folder.id.rawValue + folder.name)
      }
      return names
    }
    #expect(names == ["a", "b", "c"])
  }

  @Test func `that SQLite undid by itself can't go on, even if the body looks away`() throws {
    let full = { @Sendable (on: Bool) in
      try account.blockingWrite { transaction in
        let connection = transaction.access.session.connection
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        try connection.execute("PRAGMA max_page_count = \(on ? pages + 2 : 1_000_000)")
      }
    }
    try full(true)
    let big = String(repeating: "x", count: 100_000)
    #expect {
      try account.blockingWrite { try $0.insert(Folder("a", name: big)) }
    } throws: { error in
      if case .diskFull = error as? StoreError { true } else { false }
    }
    #expect(throws: StoreError.self) {
      try account.blockingWrite { transaction in
        do { try transaction.insert(Folder("a", name: big)) } catch is StoreError {}
        // On its own, this would be a transaction of its own, committed at once.
        do { try transaction.insert(Folder("b")) } catch is StoreError {}
      }
    }
    try full(false)
    #expect(try account.blockingRead { try $0.count(Folder.all) } == 0)
    #expect(try account.blockingRead { try $0.outboxCount() } == 0)
    try account.blockingWrite { try $0.insert(Folder("c")) }
    #expect(try account.blockingRead { try $0.fetch(Folder.all) } == [Folder("c")])
  }
}

/// Runs `body` on a thread of its own and waits for it.
func onAnotherThread<Ignored>(_ body: @escaping @Sendable () throws -> Ignored) throws {
  let (done, outcome) = (DispatchSemaphore(value: 0), Locked<Result<Void, any Error>?>(nil))
  Thread.detachNewThread {
    let result = Result { _ = try body() }
    outcome.withLock { $0 = result }
    done.signal()
  }
  done.wait()
  try outcome.withLock { $0 }?.get()
}
