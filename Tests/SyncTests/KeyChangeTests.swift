import FerryKernel
import FerryStore
import FerrySync
import TestKit
import Testing

/// K4: changing how keys are made leaves old rows under old keys.
@Suite struct `Trap K4, a change of how keys are made` {
  private let alice = LibraryRows.alice
  private let bob = LibraryRows.bob

  /// A store in which an old build has pulled three books of each account, which it keeps under keys of its own.
  private func old() async throws -> LibraryRig {
    var rig = try LibraryRig(
      MemoryLegacySource([(alice, LibraryRows().classes), (bob, LibraryRows().classes)]),
      remote: ScriptedRemote(pageSize: 2))
    for account in [alice, bob] {
      for id in 1...3 {
        rig.remote.put("books", account, "b\(id)", ["title": .string("t\(id)"), "changedAt": 0])
      }
    }
    try await rig.cross()
    for account in [alice, bob] {
      try rig.open().account(account).blockingWrite(origin: .server) { transaction in
        for book in try transaction.fetch(Book.all) {
          guard let key = BookID("old-\(book.id.rawValue)") else { throw GoldenFault("no key") }
          try transaction.delete(Book.self, book.id)
          try transaction.upsert(Book(id: key, title: book.title, changedAt: book.changedAt))
        }
      }
    }
    rig.log = RecordingLog()
    return rig
  }

  /// The build whose keys are the server's, with the numbered change that says so. The columns stay.
  private func new(_ rig: LibraryRig) -> LibraryRig {
    var rig = rig
    rig.domains = rig.domains.map { domain in
      guard domain.name == "book" else { return domain }
      return Domain(
        domain.name, domain.summary, dependsOn: domain.dependsOn, tables: domain.tables,
        changes: [.empty(Book.table.declaration.asItIs)], crossings: domain.crossings, feeds: domain.feeds)
    }
    return rig
  }

  @discardableResult
  private func sync(_ rig: LibraryRig) async throws -> SyncReport {
    let plan = try rig.plan()
    let store = try rig.open(plan)
    let report = try await SyncRun(
      plan: plan, store: store, remotes: rig.remotes, log: rig.log, now: FixedClock.now
    ).run()
    await store.close()
    return report
  }

  private func keys(_ rig: LibraryRig, _ account: AccountID) throws -> [String] {
    try rig.all(Book.self, of: account).map(\.id.rawValue)
  }

  private func marks(_ rig: LibraryRig, _ account: AccountID) throws -> Set<String> {
    try rig.open().account(account).blockingRead { try $0.tablesToRefill() }
  }

  @Test func `without a step of its own leaves old rows beside the new ones`() async throws {
    let rig = try await old()
    // The new build simply uses its new keys: the cursor brings what changed and nothing else.
    try await sync(rig)
    #expect(try keys(rig, alice) == ["old-b1", "old-b2", "old-b3"])
    rig.remote.put("books", alice, "b2", ["title": "edited", "changedAt": 1])
    try await sync(rig)
    #expect(try keys(rig, alice) == ["b2", "old-b1", "old-b2", "old-b3"])
  }

  @Test func `empties the table once and pulls everything again, once for each account`() async throws {
    var rig = new(try await old())
    #expect(try keys(rig, alice) == [])
    #expect(try marks(rig, alice) == ["book"])
    let asked = rig.remote.requests.count
    try await sync(rig)
    for account in [alice, bob] {
      #expect(try keys(rig, account) == ["b1", "b2", "b3"])
      #expect(try marks(rig, account) == [])
    }
    // From the beginning, a page of two, and then the rest; the shelves, whose keys stayed, by their cursor.
    #expect(
      rig.remote.requests.dropFirst(asked) == [
        "shelves alice@home 0", "books alice@home -", "books alice@home 2", "shelves bob@home 0",
        "books bob@home -", "books bob@home 2",
      ])
    // It is over: the next one asks for what changed, and another start empties nothing.
    rig.log = RecordingLog()
    let before = try rig.dump()
    try await sync(rig)
    #expect(rig.remote.requests.suffix(1) == ["books bob@home 3"])
    #expect(StoreDump.differences(before, try rig.dump()) == [])
    rig.remote.put("books", alice, "b4", ["title": "new", "changedAt": 1])
    rig.remote.delete("books", alice, "b1")
    try await sync(rig)
    #expect(try keys(rig, alice) == ["b2", "b3", "b4"])
  }

  @Test func `goes on after a server that stopped answering, from the page it had come to`() async throws {
    let rig = new(try await old())
    rig.remote.answer(pages: 2)  // The shelves, and one page of books.
    let report = try await sync(rig)
    #expect(report.failures > 0)
    #expect(try keys(rig, alice) == ["b1", "b2"])
    #expect(try marks(rig, alice) == ["book"])
    rig.remote.answer(pages: .max)
    let asked = rig.remote.requests.count
    try await sync(rig)
    #expect(rig.remote.requests.dropFirst(asked).prefix(2) == ["shelves alice@home 0", "books alice@home 2"])
    #expect(try keys(rig, alice) == ["b1", "b2", "b3"])
    #expect(try marks(rig, alice) == [])
    #expect(try keys(rig, bob) == ["b1", "b2", "b3"])
  }

  @Test func `ends also where the server has nothing any more`() async throws {
    let rig = new(try await old())
    for id in 1...3 { rig.remote.delete("books", alice, "b\(id)") }
    try await sync(rig)
    #expect(try keys(rig, alice) == [])
    #expect(try marks(rig, alice) == [])
    let empty = try LibraryRig(
      MemoryLegacySource([(alice, LibraryRows().classes)]), remote: ScriptedRemote(pageSize: 2))
    try await empty.cross()
    let after = new(empty)
    try await sync(after)
    #expect(try marks(after, alice) == [])
  }

  @Test func `is refused while a row of the table waits to be pushed`() async throws {
    var rig = try await old()
    try rig.open().account(alice).blockingWrite { transaction in
      guard let key = BookID("mine") else { throw GoldenFault("no key") }
      _ = try transaction.upsert(Book(id: key, title: "mine", changedAt: Timestamp(nanoseconds: 0)))
    }
    let before = try rig.dump()
    rig = new(rig)
    #expect(throws: StoreError.unsentChanges(table: "book", count: 1)) { try rig.open() }
    #expect(try rig.dump() == before)
  }

  @Test func `takes in again what was refused once, when it can be read now`() async throws {
    let rig = try await old()
    rig.remote.put("books", alice, "b9", ["title": 7, "changedAt": 0])
    try await sync(rig)
    #expect(try rig.quarantine().map(\.id) == ["feed books/alice@home/b9"])
    // A build that can read it comes; what hasn't changed since isn't sent again unless it is asked for.
    var reading = rig
    reading.domains = rig.domains.map { domain in
      guard domain.name == "book" else { return domain }
      let feed = Feed("books", of: Book.self) { _ in
        [:]
      } decode: { id, record in
        let title = try record.ifPresent("title")?.value.stringValue ?? "none"
        return Book(id: id, title: title, changedAt: Timestamp(nanoseconds: 0))
      }
      return Domain(
        domain.name, domain.summary, dependsOn: domain.dependsOn, tables: domain.tables,
        crossings: domain.crossings, feeds: [feed])
    }
    try await sync(reading)
    #expect(try rig.quarantine().count == 1)
    let store = try reading.open()
    try reading.plan().enabled[1].domain.feeds[0].pullAnew(store.account(alice))
    await store.close()
    try await sync(reading)
    #expect(try rig.quarantine().isEmpty)
    #expect(try keys(reading, alice).contains("b9"))
  }
}
