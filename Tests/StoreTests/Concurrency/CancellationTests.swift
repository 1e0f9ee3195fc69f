import Foundation
import Testing

@testable import FerryStore

/// Signals wait for one another here, never a clock: what is cancelled is known to be under way.
@Suite struct `A cancelled task` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }

  init() throws { mailbox = try Mailbox() }

  /// Runs `work` in a task and cancels it once the work has called its argument.
  private func cancelled(
    _ work: @escaping @Sendable (AccountStore, @escaping @Sendable () -> Void) async throws -> Void
  )
    async throws
  {
    let account = account
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let task = Task { try await work(account) { signal.finish() } }
    for await _ in started {}
    task.cancel()
    try await task.value
  }

  @Test func `rolls its write back and leaves the store usable`() async throws {
    await #expect(throws: CancellationError.self) {
      try await cancelled { account, started in
        try await account.write { transaction in
          for number in 0... {
            try transaction.upsert(Draft(id: Int64(number), text: "", isLocal: false))
            started()
          }
        }
      }
    }
    #expect(try await account.read { try $0.count(Draft.all) } == 0)
    #expect(try await account.read { try $0.outboxCount() } == 0)
    try await account.write { try $0.insert(Draft(id: 1, text: "", isLocal: false)) }
    #expect(try await account.read { try $0.count(Draft.all) } == 1)
  }

  @Test func `writes nothing, even if it was cancelled after its last row`() async throws {
    let (cancel, isCancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let account = account
    let task = Task {
      try await account.write { transaction in
        try transaction.insert(Folder("a"))
        cancel.signal()
        isCancelled.wait()
      }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        cancel.wait()
        task.cancel()
        isCancelled.signal()
        continuation.resume()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try account.blockingRead { try $0.count(Folder.all) } == 0)
  }

  @Test func `that waits behind another write never begins its own`() async throws {
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let account = account
    async let first = account.write { transaction in
      begun.signal()
      end.wait()
      try transaction.insert(Folder("first"))
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        begun.wait()
        continuation.resume()
      }
    }
    let second = Task { try await account.write { try $0.insert(Folder("second")) } }
    second.cancel()
    end.signal()
    _ = try await first
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(try await account.read { try $0.fetch(Folder.all) } == [Folder("first")])
  }

  @Test func `ends its read in the middle of the rows`() async throws {
    try await account.write { try $0.insert((0..<1000).map { Draft(id: $0, text: "", isLocal: true) }) }
    let (seen, cancel, isCancelled) = (Locked(0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let account = account
    let task = Task {
      try await account.read { snapshot in
        try snapshot.forEach(Draft.all) { _ in
          if seen.withLock({
            $0 += 1; return $0
          }) == 1 {
            cancel.signal()
            isCancelled.wait()
          }
        }
      }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        cancel.wait()
        task.cancel()
        isCancelled.signal()
        continuation.resume()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(seen.withLock { $0 } < 200)
    #expect(try await account.read { try $0.fetch(Draft.all) }.count == 1000)
  }

  @Test func `doesn't end the work of the others`() async throws {
    let account = account
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          let task = Task {
            try await account.write { try $0.insert(Draft(id: Int64(number), text: "", isLocal: true)) }
          }
          if number.isMultiple(of: 2) { task.cancel() }
          do {
            _ = try await task.value
            return true
          } catch { return false }
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    let written = outcomes.count { $0 }
    #expect(written >= 20)
    #expect(try await account.read { try $0.count(Draft.all) } == written)
  }
}
