import Foundation
import Testing

@testable import FerryStore

/// Another opening of the file is to SQLite what another process is; one test uses a real one.
@Suite(.notForEver) struct `What others commit` {
  let clock = ManualClock()
  let mailbox: Mailbox
  let other: AccountStore
  let fetches = Count()

  init() throws {
    mailbox = try Mailbox(clock: clock)
    other = try mailbox.sandbox.open().account(alice)
  }

  private var polls: Int { mailbox.store.foreignCommits.pollCount }

  private func observer() -> Observation<Int>.AsyncIterator {
    let fetches = fetches
    return mailbox.account.observe { snapshot in
      fetches.add()
      return try snapshot.count(Folder.all)
    }.makeAsyncIterator()
  }

  @Test func `reaches an observer at the next look`() async throws {
    var iterator = observer()
    #expect(try await iterator.next() == 0)
    try other.blockingWrite { try $0.insert(Folder("a")) }
    #expect(polls == 0)
    await clock.tick()
    #expect(polls == 1)
    #expect(try await iterator.next() == 1)
  }

  @Test func `is looked for every 100 ms, and wakes nobody where there is nothing`() async throws {
    var iterator = observer()
    _ = try await iterator.next()
    await clock.tick(by: .milliseconds(99))
    #expect(polls == 0)
    await clock.tick(by: .milliseconds(1))
    for _ in 0..<9 { await clock.tick() }
    #expect(polls == 10)
    // This store's own commits are no others'.
    try mailbox.account.blockingWrite { try $0.insert(Draft(id: 1, text: "", isLocal: true)) }
    await clock.tick()
    try mailbox.account.blockingWrite { try $0.insert(Folder("a")) }
    #expect(try await iterator.next() == 1)
    #expect(polls == 11 && fetches.value == 2)
  }

  @Test func `isn't looked for while nobody observes`() async throws {
    do {
      var iterator = observer()
      _ = try await iterator.next()
      await clock.tick()
    }
    clock.advance(by: .seconds(10))
    try other.blockingWrite { try $0.insert(Folder("a")) }
    #expect(polls == 1)
    // What came in between is in the first element of the next one.
    var iterator = observer()
    #expect(try await iterator.next() == 1)
    await clock.tick()
    try other.blockingWrite { try $0.insert(Folder("b")) }
    await clock.tick()
    #expect(try await iterator.next() == 2)
  }

  @Test func `is not looked for in the middle of a write, but right after it`() async throws {
    let device = mailbox.store.device
    var iterator = observer()
    _ = try await iterator.next()
    try other.blockingWrite { try $0.insert(Folder("a")) }
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let write: Void = device.write { transaction in
      begun.signal()
      end.wait()
      try transaction.insert(Counter(id: 1, value: 1))
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        begun.wait()
        continuation.resume()
      }
    }
    await clock.tick()
    #expect(fetches.value == 1)
    end.signal()
    try await write
    #expect(try await iterator.next() == 1)
    #expect(polls == 1)
  }

  @Test(.enabled(if: Child.isPossible && Child.role == nil, "needs a test bundle that is a program"))
  func `in another process reaches an observer`() async throws {
    var iterator = observer()
    #expect(try await iterator.next() == 0)
    #expect(try await Child.run(.tryToWrite, in: mailbox.sandbox) == 0)
    await clock.tick()
    #expect(try await iterator.next() == 1)
  }

  @Test func `reaches an observer by the system's clock, too`() async throws {
    let account = try mailbox.sandbox.open().account(alice)
    var iterator = account.observe(Folder.all).makeAsyncIterator()
    #expect(try await iterator.next() == [])
    try other.blockingWrite { try $0.insert(Folder("a")) }
    #expect(try await iterator.next() == [Folder("a")])
  }

  @Test func `reaches an observer that may not write`() async throws {
    let clock = ManualClock()
    let account = try mailbox.sandbox.open(readOnly: true, clock: clock).account(alice)
    var iterator = account.observe(Folder.all).makeAsyncIterator()
    #expect(try await iterator.next() == [])
    try other.blockingWrite { try $0.insert(Folder("a")) }
    await clock.tick()
    #expect(try await iterator.next() == [Folder("a")])
  }
}
