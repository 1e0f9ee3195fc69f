import Foundation
import Testing

@testable import FerryStore

@Suite(.notForEver) struct `The write-ahead log` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }

  init() throws { mailbox = try Mailbox() }

  private var size: Int {
    get throws {
      let path = mailbox.sandbox.file.path + "-wal"
      return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }
  }

  private func commit(_ count: Int, each: (Int) throws -> Void = { _ in }) throws {
    for number in 0..<count {
      try account.blockingWrite { try $0.upsert(Draft.page(Int64(number % 500))) }
      try each(number)
    }
  }

  @Test func `is copied into the file by no commit`() throws {
    let checkpointer = try #require(mailbox.store.checkpointer)
    let before = checkpointer.counts
    // Nothing that isn't part of a commit runs now.
    checkpointer.queue.suspend()
    defer { checkpointer.queue.resume() }
    try commit(3000)
    #expect(checkpointer.counts.commits == before.commits + 3000)
    #expect(checkpointer.counts.passive == before.passive && checkpointer.counts.held == before.held)
    #expect(try size > 3000 * 4096)
  }

  @Test func `is copied soon after a thousand pages, once`() throws {
    let checkpointer = try #require(mailbox.store.checkpointer)
    checkpointer.queue.suspend()
    do {
      defer { checkpointer.queue.resume() }
      try commit(600)
    }
    checkpointer.queue.sync {}
    #expect(checkpointer.counts.passive == 1 && checkpointer.counts.held == 0)
    // It begins anew.
    let full = try size
    try commit(100)
    checkpointer.queue.sync {}
    #expect(try size == full && checkpointer.counts.passive == 1)
  }

  @Test func `that is about to pass its bound is copied with the writer held, and begins anew`() throws {
    let checkpointer = try #require(mailbox.store.checkpointer)
    checkpointer.queue.suspend()
    do {
      defer { checkpointer.queue.resume() }
      for _ in 0..<260 { try account.blockingWrite { try $0.upsert((0..<50).map { Draft.page($0) }) } }
    }
    checkpointer.queue.sync {}
    #expect(checkpointer.counts.held == 1)
    let full = try size
    #expect(full > Checkpointer.pressing * 4096)
    try commit(100)
    #expect(try size == min(full, Checkpointer.bound))
  }

  @Test func `has a bound, also under a writer that never pauses, and with others who have the store open`()
    async throws
  {
    let idle = try mailbox.sandbox.open()
    _ = try idle.account(alice).blockingRead { try $0.count(Draft.all) }
    var observer = account.observe { try $0.count(Draft.all) }.makeAsyncIterator()
    _ = try await observer.next()
    var largest = 0
    try commit(20_000) { number in if number.isMultiple(of: 50) { largest = max(largest, try size) } }
    #expect(largest <= Checkpointer.bound * 3 / 2)
    await mailbox.store.close()
    await idle.close()
    #expect(try mailbox.sandbox.contents().keys.sorted() == ["ferry.sqlite"])
  }

  @Test func `grows past its bound while a reader stands, stops no writer, and is cut afterwards`() throws {
    let checkpointer = try #require(mailbox.store.checkpointer)
    try account.blockingRead { snapshot in
      _ = try snapshot.count(Draft.all)
      // Writing inside a read is refused on one thread, and reading must go on while the other one writes.
      let done = DispatchSemaphore(value: 0)
      let account = account
      Thread.detachNewThread {
        do {
          for _ in 0..<400 {
            try account.blockingWrite { try $0.upsert((0..<50).map { Draft.page($0) }) }
          }
        } catch { Issue.record(error) }
        done.signal()
      }
      done.wait()
    }
    #expect(try size > Checkpointer.bound)
    checkpointer.queue.sync {}
    // What the reader stood in the way of is made up for; then the log begins anew, and its file is cut.
    try commit(2000)
    checkpointer.queue.sync {}
    try commit(1)
    #expect(try size <= Checkpointer.bound)
  }

  @Test(.enabled(if: Child.isPossible && Child.role == nil, "needs a test bundle that is a program"))
  func `has a bound under processes that come and go without closing the store`() async throws {
    let sandbox = Sandbox()
    let log = sandbox.file.path + "-wal"
    for _ in 0..<4 {
      #expect(try await Child.run(.leave, in: sandbox) == -SIGKILL)
      let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? NSNumber
      // What was worth copying when the process came, and what it wrote itself: 900 rows, up to four pages each.
      #expect(size?.intValue ?? 0 <= (Checkpointer.worthwhile + 900 * 4) * 4120)
    }
  }
}
