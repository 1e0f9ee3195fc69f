import Foundation
import Testing

@testable import FerryStore

@Suite struct `At once` {
  let sandbox = Sandbox()

  @Sendable private static func increment(_ transaction: borrowing Transaction<DeviceScope>) throws {
    let value = try transaction.find(Counter.self, 1)?.value ?? 0
    try transaction.upsert(Counter(id: 1, value: value + 1))
  }

  private func value(_ store: Store) throws -> Int? {
    try store.device.blockingRead { try $0.find(Counter.self, 1)?.value }
  }

  @Test func `many tasks write, and nothing is lost`() async throws {
    let store = try sandbox.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { for _ in 0..<10 { try await store.device.write(Self.increment) } }
      }
      try await group.waitForAll()
    }
    #expect(try value(store) == 500)
  }

  @Test func `many threads write through two openings of one file, and none meets a busy store`() throws {
    let stores = [try sandbox.open(), try sandbox.open()]
    let errors = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for _ in 0..<50 {
        do { try stores[index % 2].device.blockingWrite(Self.increment) } catch {
          let text = "\(error)"
          errors.withLock { $0.append(text) }
        }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(try value(stores[0]) == 400)
  }

  @Test func `many threads read inside reads while others write, and all come to an end`() throws {
    let store = try sandbox.open()
    let errors = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 12) { index in
      for _ in 0..<50 {
        do {
          if index.isMultiple(of: 3) {
            try store.device.blockingWrite { transaction in
              try Self.increment(transaction)
              _ = try store.device.blockingRead { try $0.count(Counter.all) }
            }
          } else {
            let (outer, inner) = try store.device.blockingRead { snapshot in
              (
                try snapshot.find(Counter.self, 1),
                try store.device.blockingRead { try $0.find(Counter.self, 1) }
              )
            }
            guard outer == inner else { throw StoreError.nestedWrite }
          }
        } catch {
          let text = "\(error)"
          errors.withLock { $0.append(text) }
        }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(try value(store) == 200)
  }

  @Test func `many threads make and open one store, and all find it`() throws {
    for round in 0..<5 {
      let file = sandbox.folder.appendingPathComponent("\(round)/ferry.sqlite")
      let errors = Locked<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        do {
          let store = try Store.open(at: file, schemas: [mail, device])
          try store.addAccount(alice).blockingWrite { try $0.upsert(Folder("f\(index)")) }
        } catch {
          let text = "\(error)"
          errors.withLock { $0.append(text) }
        }
      }
      #expect(errors.withLock { $0 } == [])
      let store = try Store.open(at: file, schemas: [mail, device])
      #expect(try store.account(alice).blockingRead { try $0.count(Folder.all) } == 8)
      #expect(try store.device.blockingRead { try $0.accounts() }.count == 1)
    }
  }

  @Test(.notForEver) func `a read never waits for one that stalls while another reader is free`() async throws
  {
    let store = try sandbox.open()
    // Three take all the readers; the first of them stalls until the end.
    let (begun, ends) = (DispatchSemaphore(value: 0), (0..<3).map { _ in DispatchSemaphore(value: 0) })
    let errors = Locked(0)
    @Sendable func read(_ body: @escaping @Sendable () -> Void) {
      Thread.detachNewThread {
        do { try store.device.blockingRead { _ in body() } } catch { errors.withLock { $0 += 1 } }
      }
    }
    for end in ends {
      read {
        begun.signal()
        end.wait()
      }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          begun.wait()
          continuation.resume()
        }
      }
    }
    // Three more have to wait; each gets a reader once the others end.
    let (done, signal) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<3 { read { signal.yield() } }
    while store.readers.waiting < 3 { await Task.yield() }
    for end in ends.dropFirst() { end.signal() }
    var count = 0
    for await _ in done {
      count += 1
      if count == 3 { break }
    }
    ends[0].signal()
    #expect(count == 3 && errors.withLock { $0 } == 0)
  }

  @Test func `an async read goes on while a write is under way`() async throws {
    let store = try sandbox.open()
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let write: Void = store.device.write { transaction in
      try transaction.insert(Counter(id: 1, value: 1))
      begun.signal()
      end.wait()
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        begun.wait()
        continuation.resume()
      }
    }
    let during = try await store.device.read { try $0.count(Counter.all) }
    end.signal()
    try await write
    #expect(during == 0)
    #expect(try await store.device.read { try $0.count(Counter.all) } == 1)
  }
}
