import Foundation
import Testing

@testable import FerryStore

/// Each first does what was done, and sees it fail; then what Ferry does.
@Suite(.notForEver) struct `The traps of signals` {
  struct Full: Error {}

  /// How it was: whoever subscribes is called with the value at once, and then by whoever remembers to.
  final class Publisher {
    private(set) var value: [String] = []
    private var sinks: [([String]) -> Void] = []
    func subscribe(_ sink: @escaping ([String]) -> Void) {
      sinks.append(sink)
      sink(value)
    }
    func add(_ row: String) { value.append(row) }
    func remove(_ row: String) { value.removeAll { $0 == row } }
    func notify() { for sink in sinks { sink(value) } }
  }

  @Test func `S1: the first value arrives inside the call to subscribe`() async throws {
    // The faulty way: the screen never shows that it loads.
    var states = ["loading"]
    Publisher().subscribe { states.append($0.isEmpty ? "empty" : "rows") }
    let shown = states.last
    #expect(shown == "empty")

    // Ferry's: the call reads nothing; the snapshot comes when the observer's own task asks for it.
    let mailbox = try Mailbox()
    let fetches = Count()
    let observation = mailbox.account.observe { snapshot in
      fetches.add()
      return try snapshot.count(Folder.all)
    }
    var iterator = observation.makeAsyncIterator()
    #expect(fetches.value == 0)
    #expect(try await iterator.next() == 0)
    #expect(fetches.value == 1)
  }

  /// Every way to change something, and what shows it.
  static let writes: [(String, @Sendable (Mailbox) throws -> Void)] = [
    ("insert", { box in try box.account.blockingWrite { _ = try $0.insert(Folder("new")) } }),
    ("upsert", { box in try box.account.blockingWrite { _ = try $0.upsert(Folder("a", name: "other")) } }),
    (
      "delete",
      { box in try box.account.blockingWrite { _ = try $0.delete(Folder.self, Identifier(known: "a")) } }
    ),
    (
      "deleteAll",
      { box in try box.account.blockingWrite(origin: .crossing) { _ = try $0.deleteAll(Folder.self) } }
    ),
    (
      "enqueue",
      { box in
        try box.account.blockingWrite(origin: .crossing) { transaction in
          try transaction.enqueue(Folder.self, Identifier(known: "b"), base: .unknown)
        }
      }
    ),
    (
      "setRemoteState",
      { box in
        try box.account.blockingWrite(origin: .server) { transaction in
          try transaction.setRemoteState(
            RemoteState(revision: 1, json: nil), of: Folder.self, Identifier(known: "a"))
        }
      }
    ),
    (
      "forgetRemoteState",
      { box in try box.account.blockingWrite { try $0.forgetRemoteState(of: Folder.table.declaration) } }
    ),
    (
      "in",
      { box in
        try box.store.device.blockingWrite { transaction in
          try transaction.in(box.account) { _ = try $0.insert(Folder("new")) }
        }
      }
    ),
    (
      "another opening of the file",
      { box in
        try box.sandbox.open().account(alice).blockingWrite { _ = try $0.insert(Folder("new")) }
      }
    ),
  ]

  @Test(arguments: writes.indices) func `S2: a write forgets to notify`(index: Int) async throws {
    // The faulty way.
    let publisher = Publisher()
    var seen: [String] = []
    publisher.subscribe { seen = $0 }
    publisher.add("a")
    publisher.notify()
    publisher.remove("a")
    #expect(seen == ["a"] && publisher.value == [])

    // Ferry's: no write says that it was one, and each is heard of.
    let mailbox = try Mailbox()
    try mailbox.account.blockingWrite { try $0.insert(Folder("a")) }
    try mailbox.account.blockingWrite(origin: .crossing) { try $0.insert(Folder("b")) }
    var iterator = mailbox.account.observe { snapshot in
      let folders = try snapshot.fetch(Folder.all).map { "\($0.id) \($0.name)" }
      let outbox = try snapshot.outbox().map { "\($0.key) \($0.operation)" }
      let revision = try snapshot.remoteState(of: Folder.self, Identifier(known: "a"))?.revision
      return folders + outbox + ["\(revision ?? 0)"]
    }.makeAsyncIterator()
    let before = try await iterator.next()
    try Self.writes[index].1(mailbox)
    let after = try await iterator.next()
    #expect(before != nil && after != nil && before != after, "\(Self.writes[index].0)")
  }

  @Test func `S3: a batch notifies per row`() async throws {
    // The faulty way.
    let publisher = Publisher()
    var reloads = -1
    publisher.subscribe { _ in reloads += 1 }
    for row in 0..<100 {
      publisher.add("\(row)")
      publisher.notify()
    }
    #expect(reloads == 100)

    // Ferry's: a write of a hundred rows is one element, and one that leaves all as it was is none.
    let mailbox = try Mailbox(clock: ManualClock())
    let folders = (0..<100).map { Folder("f\($0)") }
    var iterator = mailbox.account.observe { try $0.count(Folder.all) }.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    try mailbox.account.blockingWrite { transaction in
      for folder in folders { try transaction.insert(folder) }
    }
    #expect(try await iterator.next() == 100)
    try mailbox.account.blockingWrite { try $0.upsert(folders) }
    try mailbox.account.blockingWrite { transaction in
      try transaction.insert(Folder("brief"))
      try transaction.delete(Folder.self, Identifier(known: "brief"))
    }
    try mailbox.account.blockingWrite { try $0.insert(Folder("one more")) }
    #expect(try await iterator.next() == 101)
  }

  @Test func `S4: the save failed, the event went out`() async throws {
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

    // Ferry's: observers hear of a commit once it is one, and what a server is to hear of is written by the store
    // in the same transaction.
    let mailbox = try Mailbox(clock: ManualClock())
    let fetches = Count()
    var iterator = mailbox.account.observe { snapshot in
      fetches.add()
      return try snapshot.fetch(Folder.all).map(\.id.rawValue)
    }.makeAsyncIterator()
    var changes = try await mailbox.account.changes().makeAsyncIterator()
    #expect(try await iterator.next() == [])
    #expect(throws: Full.self) {
      try mailbox.account.blockingWrite { transaction in
        try transaction.insert(Folder("a"))
        throw Full()
      }
    }
    #expect(try mailbox.account.blockingRead { try $0.outbox() } == [])
    try mailbox.account.blockingWrite { try $0.insert(Folder("b")) }
    #expect(try mailbox.account.blockingRead { try $0.outbox().map(\.key) } == ["b"])
    #expect(try await iterator.next() == ["b"])
    #expect(fetches.value == 2)
    #expect(try await changes.next()?.changes.map(\.key) == [.text("b")])
  }

  /// A task's place: its executor runs on one queue, and says which.
  private actor Screen {
    private final class Executor: SerialExecutor {
      static let mark = DispatchSpecificKey<Bool>()
      let queue = DispatchQueue(label: "screen")
      init() { queue.setSpecific(key: Self.mark, value: true) }
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }
    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var shown: [(rows: [Folder], isOwnPlace: Bool)] = []

    func show(_ count: Int, of observation: Observation<[Folder]>, started: @Sendable () -> Void) async throws
    {
      for try await rows in observation {
        shown.append((rows, DispatchQueue.getSpecific(key: Executor.mark) == true))
        started()
        if shown.count == count { return }
      }
    }
  }

  @Test func `S5: the event arrives on whatever thread wrote`() async throws {
    // The faulty way.
    let isWriters = Locked(false)
    let done = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      let (publisher, writer) = (Publisher(), Thread.current)
      publisher.subscribe { rows in
        let isSame = Thread.current == writer
        if !rows.isEmpty { isWriters.withLock { $0 = isSame } }
      }
      publisher.add("a")
      publisher.notify()
      done.continuation.finish()
    }
    for await _ in done.stream {}
    #expect(isWriters.withLock { $0 })

    // Ferry's: elements come where the observer's task runs, whoever wrote and where. What comes are values:
    // neither a transaction nor anything of it compiles outside the closure that it is lent to.
    let mailbox = try Mailbox()
    let (screen, account) = (Screen(), mailbox.account)
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    async let showing: Void = screen.show(2, of: account.observe(Folder.all)) { signal.finish() }
    for await _ in started {}
    try account.blockingWrite { try $0.insert(Folder("a")) }
    try await showing
    #expect(await screen.shown.map(\.rows) == [[], [Folder("a")]])
    #expect(await screen.shown.allSatisfy(\.isOwnPlace))
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
