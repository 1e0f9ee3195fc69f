import Foundation
import Testing

@testable import FerryStore

@Suite(.notForEver) struct `A store that is closed` {
  let mailbox: Mailbox
  var store: Store { mailbox.store }
  var account: AccountStore { mailbox.account }

  init() throws { mailbox = try Mailbox(clock: ManualClock()) }

  @Test func `says so to whoever uses it, and may be closed again`() async throws {
    let (store, account) = (store, account)
    await store.close()
    await store.close()
    #expect(throws: StoreError.closed) { try account.blockingRead { try $0.count(Folder.all) } }
    #expect(throws: StoreError.closed) { try account.blockingWrite { try $0.insert(Folder("a")) } }
    await #expect(throws: StoreError.closed) { try await account.read { try $0.count(Folder.all) } }
    await #expect(throws: StoreError.closed) { try await account.write { try $0.insert(Folder("a")) } }
    await #expect(throws: StoreError.closed) { try await store.changes() }
    #expect(throws: StoreError.closed) { try store.account(alice) }
    #expect(throws: StoreError.closed) { try store.addAccount(bob) }
    var iterator = account.observe(Folder.all).makeAsyncIterator()
    await #expect(throws: StoreError.closed) { try await iterator.next() }
  }

  @Test func `ends what waits for its commits`() async throws {
    var observer = account.observe(Folder.all).makeAsyncIterator()
    _ = try await observer.next()
    var changes = try await store.changes().makeAsyncIterator()
    try account.blockingWrite { try $0.insert(Folder("a")) }
    await store.close()
    #expect(try await changes.next()?.changes.count == 1)
    await #expect(throws: StoreError.closed) { try await changes.next() }
    await #expect(throws: StoreError.closed) { try await observer.next() }
    #expect(try await observer.next() == nil)
  }

  @Test func `has waited for the write that was under way`() async throws {
    let (store, account) = (store, account)
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let write: Void = account.write { transaction in
      begun.signal()
      end.wait()
      try transaction.insert(Folder("a"))
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        begun.wait()
        continuation.resume()
      }
    }
    async let closing: Void = store.close()
    end.signal()
    try await write
    await closing
    let again = try mailbox.sandbox.open().account(alice)
    #expect(try again.blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `leaves one file`() async throws {
    var iterator = account.observe(Folder.all).makeAsyncIterator()
    _ = try await iterator.next()
    try account.blockingWrite { try $0.insert((0..<2000).map { Draft.page($0) }) }
    await store.close()
    #expect(try mailbox.sandbox.contents().keys.sorted() == ["ferry.sqlite"])
  }

  @Test func `asks no longer what others commit`() async throws {
    let clock = ManualClock()
    let store = try mailbox.sandbox.open(clock: clock)
    var iterator = store.device.observe(Counter.all).makeAsyncIterator()
    _ = try await iterator.next()
    await clock.tick()
    await store.close()
    clock.advance(by: .seconds(10))
    #expect(store.foreignCommits.pollCount == 1)
  }
}
