import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@testable import FerrySync

/// One feed of one account, pulled to its end.
@Suite struct FeedPullTests {
  private struct Halt: Error {}

  private let alice = LibraryRows.alice

  private func put(_ rig: LibraryRig, _ ids: ClosedRange<Int>, title: String = "t", feed: String = "books") {
    for id in ids { rig.remote.put(feed, alice, "i\(id)", ["title": .string(title), "changedAt": 0]) }
  }

  /// A store with one account and no crossing.
  private func rig(pageSize: Int = 10) throws -> LibraryRig {
    let rig = try LibraryRig(MemoryLegacySource([]), remote: ScriptedRemote(pageSize: pageSize))
    _ = try rig.open().addAccount(alice)
    return rig
  }

  private func pull(_ rig: LibraryRig, _ store: Store, origin: Origin = .server) throws -> FeedPull {
    FeedPull(
      link: FeedLink(
        feed: Library.book().feeds[0], domain: "book", account: try store.account(alice), remote: rig.remote,
        origin: origin, now: FixedClock.now))
  }

  private func cursor(_ store: Store) throws -> String? {
    try store.account(alice).blockingRead { try $0.find(FeedCursor.self, "books")?.cursor }
  }

  @Test("All pages come, and the cursor covers them")
  func all() async throws {
    let rig = try rig()
    put(rig, 1...25)
    let store = try rig.open()
    let counts = try await pull(rig, store).run()
    #expect(counts.written == 25)
    #expect(try cursor(store) == "25")
    #expect(rig.remote.requests == ["books alice@home -", "books alice@home 10", "books alice@home 20"])
    #expect(try rig.all(Book.self).count == 25)
    #expect(try rig.outbox().isEmpty)
  }

  @Test("A page and the cursor that covers it are one transaction", arguments: 1...3)
  func pageAndCursor(page: Int) async throws {
    let rig = try rig()
    put(rig, 1...25)
    let store = try rig.open()
    let pages = Locked(0)
    let first = try pull(rig, store)
    await #expect(throws: Halt.self) {
      try await first.run { _, _ in
        let number = pages.withLock { pages in
          pages += 1
          return pages
        }
        if number == page { throw Halt() }
      }
    }
    #expect(try rig.all(Book.self).count == (page - 1) * 10)
    #expect(try cursor(store) == (page == 1 ? nil : "\((page - 1) * 10)"))
    let asked = rig.remote.requests.count
    #expect(try await pull(rig, store).run().written == 25 - (page - 1) * 10)
    #expect(rig.remote.requests[asked] == "books alice@home \(page == 1 ? "-" : "\((page - 1) * 10)")")
    #expect(try rig.all(Book.self).count == 25)
  }

  @Test("Only what changed since comes; what is as it was here writes no row")
  func changes() async throws {
    let rig = try rig(pageSize: 500)
    put(rig, 1...20)
    let store = try rig.open()
    _ = try await pull(rig, store).run()
    put(rig, 3...4, title: "new")
    put(rig, 5...5)
    rig.remote.delete("books", alice, "i6")
    rig.remote.delete("books", alice, "never was")
    let counts = try await pull(rig, store).run()
    #expect(counts.written == 2)
    #expect(counts.deleted == 1)
    #expect(counts.unchanged == 2)
    #expect(try rig.all(Book.self).count == 19)
    withExtendedLifetime(store) {}
  }

  @Test("A pull that finds nothing new writes nothing")
  func nothingNew() async throws {
    let rig = try rig()
    put(rig, 1...3)
    // Once it is closed, all that was written is in the file.
    func run() async throws -> PullCounts {
      let store = try rig.open()
      let counts = try await pull(rig, store).run()
      await store.close()
      return counts
    }
    _ = try await run()
    let before = try FileOperations().read(rig.storePath)
    #expect(try await run() == PullCounts())
    #expect(try FileOperations().read(rig.storePath) == before)
  }

  @Test("A record that was changed on both sides is settled, and both are written down")
  func conflict() async throws {
    let rig = try rig(pageSize: 500)
    put(rig, 1...3)
    let store = try rig.open()
    _ = try await pull(rig, store).run()
    let one = try #require(BookID("i1"))
    try store.account(alice).blockingWrite { transaction in
      try transaction.upsert(Book(id: one, title: "mine", changedAt: Timestamp(nanoseconds: 0)))
    }
    put(rig, 1...1, title: "theirs")
    #expect(try await pull(rig, store).run().conflicts == 1)
    #expect(try rig.all(Book.self).first?.title == "theirs")
    #expect(try rig.outbox().isEmpty)
    let kept = try store.account(alice).blockingRead { try $0.fetch(SyncConflict.all) }
    #expect(kept.map(\.id) == ["books/i1/4"])
    #expect(kept.first?.revision == 4)
    #expect(kept.first?.decision == "server")
    #expect(kept.first?.fields == "title=server")
    #expect(kept.first?.content?.contains("theirs") == true)
    #expect(kept.first?.local?.contains("mine") == true)
  }

  @Test("A row that crossed and was never compared: equal is synced, anything else is a conflict")
  func uncompared() async throws {
    let rig = try rig(pageSize: 500)
    let store = try rig.open()
    let books = try (1...4).map {
      Book(id: try #require(BookID("i\($0)")), title: "mine", changedAt: Timestamp(nanoseconds: 0))
    }
    try store.account(alice).blockingWrite(origin: .crossing) { _ = try $0.upsert(books) }
    put(rig, 1...1, title: "theirs")
    put(rig, 2...2, title: "mine")
    rig.remote.delete("books", alice, "i3")
    let counts = try await pull(rig, store).run()
    #expect(counts.conflicts == 2)
    #expect(counts.unchanged == 1)
    #expect(try rig.all(Book.self).map(\.title) == ["theirs", "mine", "mine", "mine"])
    let kept = try store.account(alice).blockingRead { try $0.fetch(SyncConflict.all) }
    #expect(kept.map { "\($0.id) \($0.decision)" } == ["books/i1/1 server", "books/i3/3 kept"])
    #expect(kept.allSatisfy { $0.local?.contains("mine") == true })
    #expect(kept.last?.content == nil)
    // What the server deleted is made there again.
    #expect(try rig.outbox().map { "\($0.key) \($0.base)" } == ["i3 absent"])
  }

  @Test("Records that are none of the feed's are set aside with the reason, and the rest goes on")
  func refused() async throws {
    let rig = try rig(pageSize: 2)
    put(rig, 1...1)
    rig.remote.put("books", alice, "i2", ["title": 5, "changedAt": 0])
    rig.remote.put("books", alice, "i3", ["changedAt": 0])
    rig.remote.put("books", alice, "-1", ["title": "t", "changedAt": 0])
    put(rig, 5...5)
    let store = try rig.open()
    let counts = try await pull(rig, store).run()
    #expect(counts.written == 2)
    #expect(counts.refused == 3)
    let aside = try rig.quarantine()
    #expect(aside.map(\.id) == ["-1", "i2", "i3"].map { "feed books/alice@home/\($0)" })
    #expect(aside.allSatisfy { $0.domain == "book" && $0.entity == "feed books" && !$0.reason.isEmpty })
    #expect(aside.map(\.content).contains(#"{"title":5,"changedAt":0}"#))
    #expect(try cursor(store) == "5")
  }

  @Test("A server whose cursor stands still is an error, not an endless loop")
  func standsStill() async throws {
    let rig = try rig()
    rig.remote.standStill()
    let pull = try pull(rig, rig.open())
    let error = await #expect(throws: RemoteError.self) { try await pull.run() }
    #expect(error?.sentence.contains("stands still") == true)
    #expect(rig.remote.requests.count <= 2)
  }

  @Test("A pull that steps back may pass the very place where the last one ended")
  func steppingBack() async throws {
    let rig = try rig(pageSize: 3)
    put(rig, 1...6)
    let store = try rig.open()
    _ = try await pull(rig, store).run()
    put(rig, 7...8)
    rig.remote.stepBack(by: 3)
    // From 3 on: the first page ends at 6, where the last pull ended.
    let counts = try await pull(rig, store).run()
    #expect(counts.written == 2)
    #expect(counts.unchanged == 3)
    #expect(try cursor(store) == "8")
  }

  @Test("A cancelled pull leaves whole pages")
  func cancelled() async throws {
    let rig = try rig()
    put(rig, 1...25)
    let store = try rig.open()
    let pull = try pull(rig, store)
    let task = Locked<Task<PullCounts, any Error>?>(nil)
    let (isSet, set) = AsyncStream<Void>.makeStream()
    let run = Task {
      for await _ in isSet { break }
      return try await pull.run { counts, _ in task.withLock { $0?.cancel() } }
    }
    task.withLock { $0 = run }
    set.yield()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try rig.all(Book.self).isEmpty)
    #expect(try cursor(store) == nil)
  }
}
