import Foundation
import Testing

@testable import FerryStore

/// How often something was done, from whatever thread.
final class Count: Sendable {
  private let count = Locked(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

@Suite(.notForEver) struct `An observer` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }
  let fetches = Count()

  init() throws {
    // A clock that stands still: nothing here is to come from looking at other processes.
    mailbox = try Mailbox(clock: ManualClock())
  }

  /// The names of alice's folders, and a count of how often somebody looked.
  private var names: Observation<[String]> {
    let fetches = fetches
    return account.observe { snapshot in
      fetches.add()
      return try snapshot.fetch(Folder.all).map(\.name)
    }
  }

  private func insert(_ id: String) throws {
    try account.blockingWrite { try $0.insert(Folder(id, name: id)) }
  }

  @Test func `first gets what is there, and only when it asks`() async throws {
    try insert("a")
    let observation = names
    var iterator = observation.makeAsyncIterator()
    #expect(fetches.value == 0)
    try insert("b")
    #expect(try await iterator.next() == ["a", "b"])
    #expect(fetches.value == 1)
  }

  @Test func `gets an element after each commit that changes what it sees`() async throws {
    var iterator = account.observe(Folder.where { $0.kind == .primary }).makeAsyncIterator()
    #expect(try await iterator.next() == [])
    try account.blockingWrite { try $0.insert(Folder("a")) }
    #expect(try await iterator.next() == [Folder("a")])
    try account.blockingWrite { try $0.upsert(Folder("a", name: "renamed")) }
    #expect(try await iterator.next() == [Folder("a", name: "renamed")])
    try account.blockingWrite { try $0.delete(Folder.self, Identifier(known: "a")) }
    #expect(try await iterator.next() == [])
    try account.blockingWrite { try $0.insert(Folder("b")) }
    #expect(try await iterator.next() == [Folder("b")])
    try account.blockingWrite(origin: .crossing) { try $0.deleteAll(Folder.self) }
    #expect(try await iterator.next() == [])
  }

  @Test func `gets none where what it sees stayed the same`() async throws {
    try insert("a")
    let seen = account.observe(Folder.where { $0.name == "a" || $0.name == "z" })
    var iterator = seen.makeAsyncIterator()
    _ = try await iterator.next()
    try insert("b")
    try account.blockingWrite { try $0.upsert(Folder("a", name: "a")) }
    try insert("z")
    #expect(try await iterator.next()?.map(\.name) == ["a", "z"])
  }

  @Test func `sees a difference that Swift's strings don't`() async throws {
    try account.blockingWrite { try $0.insert(Folder("a", name: "\u{e9}")) }
    var iterator = account.observe(Folder.all).makeAsyncIterator()
    _ = try await iterator.next()
    try account.blockingWrite { try $0.upsert(Folder("a", name: "e\u{301}")) }
    #expect(bytes(try await iterator.next()?.first?.name ?? "") == bytes("e\u{301}"))
  }

  @Test func `isn't woken by other tables, other accounts, the device, or a write that changed nothing`()
    async throws
  {
    let other = try mailbox.store.addAccount(bob)
    var iterator = names.makeAsyncIterator()
    _ = try await iterator.next()
    try account.blockingWrite { try $0.insert(Draft(id: 1, text: "", isLocal: false)) }
    try other.blockingWrite { try $0.insert(Folder("theirs")) }
    try mailbox.store.device.blockingWrite { transaction in
      try transaction.insert(Counter(id: 1, value: 1))
      try transaction.in(other) { try $0.insert(Folder("more of theirs")) }
    }
    try account.blockingWrite { _ = try $0.delete(Folder.self, Identifier(known: "absent")) }
    try insert("a")
    #expect(try await iterator.next() == ["a"])
    #expect(fetches.value == 2)
  }

  @Test func `is woken by what a device's transaction does to its account`() async throws {
    var iterator = names.makeAsyncIterator()
    _ = try await iterator.next()
    try mailbox.store.device.blockingWrite { transaction in
      try transaction.in(account) { _ = try $0.insert(Folder("a", name: "a")) }
      try transaction.insert(Counter(id: 1, value: 1))
    }
    #expect(try await iterator.next() == ["a"])
  }

  @Test func `isn't woken by what is rolled back`() async throws {
    struct Stop: Error {}
    var iterator = names.makeAsyncIterator()
    _ = try await iterator.next()
    for _ in 0..<3 {
      #expect(throws: Stop.self) {
        try account.blockingWrite { transaction in
          try transaction.insert(Folder("never"))
          throw Stop()
        }
      }
    }
    try insert("a")
    #expect(try await iterator.next() == ["a"])
    #expect(fetches.value == 2)
  }

  @Test func `that is slow has one element waiting, the latest`() async throws {
    var iterator = names.makeAsyncIterator()
    _ = try await iterator.next()
    for id in ["a", "b", "c", "d"] { try insert(id) }
    #expect(try await iterator.next() == ["a", "b", "c", "d"])
    try insert("e")
    #expect(try await iterator.next() == ["a", "b", "c", "d", "e"])
    #expect(fetches.value == 3)
  }

  @Test func `that stalls holds no read transaction`() async throws {
    var iterator = names.makeAsyncIterator()
    _ = try await iterator.next()
    try insert("a")
    let other = try Connection(path: mailbox.sandbox.file.path, readOnly: false)
    // Its first column is 1 where a reader stood in the way.
    #expect(try other.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
  }

  @Test func `doesn't keep another one from seeing the same`() async throws {
    let observation = names
    var first = observation.makeAsyncIterator()
    var second = observation.makeAsyncIterator()
    #expect(try await first.next() == [])
    try insert("a")
    #expect(try await second.next() == ["a"])
    #expect(try await first.next() == ["a"])
    try insert("b")
    #expect(try await second.next() == ["a", "b"])
    #expect(try await first.next() == ["a", "b"])
  }

  @Test func `doesn't miss what is committed while it reads`() async throws {
    let (began, goOn, isFirst) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Locked(true))
    let observation = account.observe { snapshot in
      let folders = try snapshot.fetch(Folder.all).map(\.name)
      if isFirst.withLock({ isFirst in
        defer { isFirst = false }
        return isFirst
      }) {
        began.signal()
        goOn.wait()
      }
      return folders
    }
    async let elements = {
      var iterator = observation.makeAsyncIterator()
      return [try await iterator.next(), try await iterator.next()]
    }()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        began.wait()
        continuation.resume()
      }
    }
    try insert("meanwhile")
    goOn.signal()
    #expect(try await elements == [[], ["meanwhile"]])
  }

  @Test func `follows a fetch that reads other tables than before`() async throws {
    let account = account
    var iterator = account.observe { snapshot in
      try snapshot.count(Folder.all) == 0 ? -1 : snapshot.count(Draft.all)
    }.makeAsyncIterator()
    #expect(try await iterator.next() == -1)
    try insert("a")
    #expect(try await iterator.next() == 0)
    try account.blockingWrite { try $0.insert(Draft(id: 1, text: "", isLocal: true)) }
    #expect(try await iterator.next() == 1)
  }

  @Test func `of the outbox, of the server's state or of another account's rows hears of them`() async throws
  {
    var outbox = account.observe { try $0.outboxCount() }.makeAsyncIterator()
    var state = account.observe { try $0.remoteState(of: Folder.self, Identifier(known: "a"))?.revision ?? 0 }
      .makeAsyncIterator()
    let other = try mailbox.store.addAccount(bob)
    var both = account.observe { snapshot in
      let theirs = try other.blockingRead { try $0.count(Folder.all) }
      return try snapshot.count(Folder.all) * 100 + theirs
    }.makeAsyncIterator()
    #expect(try await outbox.next() == 0)
    #expect(try await state.next() == 0)
    #expect(try await both.next() == 0)
    try insert("a")
    #expect(try await outbox.next() == 1)
    #expect(try await both.next() == 100)
    try account.blockingWrite(origin: .server) {
      try $0.setRemoteState(RemoteState(revision: 7, json: nil), of: Folder.self, Identifier(known: "a"))
    }
    #expect(try await state.next() == 7)
    try other.blockingWrite { try $0.insert(Folder("b")) }
    #expect(try await both.next() == 101)
  }

  @Test func `of the device sees its records and its accounts`() async throws {
    let device = mailbox.store.device
    var counters = device.observe(Counter.all).makeAsyncIterator()
    var accounts = device.observe { try $0.accounts() }.makeAsyncIterator()
    #expect(try await counters.next() == [])
    #expect(try await accounts.next()?.map(\.id) == [alice])
    try device.blockingWrite { try $0.insert(Counter(id: 1, value: 1)) }
    #expect(try await counters.next() == [Counter(id: 1, value: 1)])
    try mailbox.store.addAccount(bob)
    #expect(try await accounts.next()?.map(\.id) == [alice, bob])
  }

  @Test func `whose task is cancelled comes to an end`() async throws {
    let observation = names
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var elements = 0
      for try await _ in observation {
        elements += 1
        signal.finish()
      }
      return elements
    }
    for await _ in started {}
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test func `whose fetch fails hears of it once, and then it is over`() async throws {
    let account = account
    var iterator = account.observe { snapshot in
      let count = try snapshot.count(Folder.all)
      if count > 0 { throw StoreError.unknownTable("gone") }
      return count
    }.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    try insert("a")
    await #expect(throws: StoreError.unknownTable("gone")) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `that goes away is forgotten`() async throws {
    do {
      var iterator = names.makeAsyncIterator()
      _ = try await iterator.next()
      #expect(mailbox.store.audience.hasObservers)
    }
    #expect(!mailbox.store.audience.hasObservers)
  }

  @Test func `ends with the final state, however many write at once`() async throws {
    let device = mailbox.store.device
    let observation = device.observe { try $0.find(Counter.self, 1)?.value ?? 0 }
    async let last = {
      var seen = 0
      for try await value in observation {
        #expect(value >= seen)
        seen = value
        if value == 200 { break }
      }
      return seen
    }()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          for _ in 0..<10 {
            try await device.write { transaction in
              let value = try transaction.find(Counter.self, 1)?.value ?? 0
              try transaction.upsert(Counter(id: 1, value: value + 1))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await last == 200)
  }
}
