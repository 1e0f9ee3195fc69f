import Foundation
import Testing

@testable import FerryStore

@Suite(.enabled(if: Child.isPossible && Child.role == nil, "needs a test bundle that is a program"))
struct `Between two processes` {
  let sandbox = Sandbox()

  @Test func `writes at once lose nothing and never meet a busy store`() async throws {
    let store = try sandbox.open()
    async let first = Child.run(.count, in: sandbox)
    async let second = Child.run(.count, in: sandbox)
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { for _ in 0..<100 { try Child.increment(store) } })
      }
    }
    #expect(try await first == 0)
    #expect(try await second == 0)
    #expect(try store.device.blockingRead { try $0.find(Counter.self, 1)?.value } == 300)
  }

  @Test func `a store is made once, whoever comes first`() async throws {
    async let first = Child.run(.open, in: sandbox)
    async let second = Child.run(.open, in: sandbox)
    async let third = Child.run(.open, in: sandbox)
    #expect(try await [first, second, third] == [0, 0, 0])
    for round in 0..<20 {
      let file = sandbox.folder.appendingPathComponent("\(round)/ferry.sqlite")
      let store = try Store.open(at: file, schemas: [mail, device])
      #expect(try store.device.blockingRead { try $0.accounts() } == [Account(id: alice, isActive: true)])
    }
  }

  @Test func `a shut gate shuts the other one out, and lets it in again`() async throws {
    let store = try sandbox.open()
    try store.addAccount(alice)
    try store.device.blockingWrite(origin: .crossing) { try $0.shutGate(reason: "carrying") }
    #expect(try await Child.run(.tryToWrite, in: sandbox) == 0)
    #expect(try sandbox.contents()["said"] == Data("store.gateShut".utf8))
    try store.device.blockingWrite(origin: .crossing) { try $0.openGate() }
    #expect(try await Child.run(.tryToWrite, in: sandbox) == 0)
    #expect(try sandbox.contents()["said"] == Data("written".utf8))
    #expect(try store.account(alice).blockingRead { try $0.count(Folder.all) } == 1)
  }

  @Test func `a write survives the death of its process; one that was under way leaves nothing (trap S6)`()
    async throws
  {
    // The faulty way: what is saved some time later dies with the process.
    #expect(try await Child.run(.die, in: sandbox) == -SIGKILL)
    let account = try sandbox.open().account(alice)
    #expect(try account.blockingRead { try $0.fetch(Folder.all) } == [Folder("committed")])
    #expect(try account.blockingRead { try $0.outbox().map(\.key) } == ["committed"])
    try account.blockingWrite { try $0.insert(Folder("after")) }
  }

  @Test func `K2: the seed of Swift's hash changes with every launch; a stable hash has none`() async throws {
    try sandbox.makeFolder()
    var said: [[Substring]] = []
    for _ in 0..<2 {
      #expect(try await Child.run(.hash, in: sandbox) == 0)
      let text = String(decoding: try #require(try sandbox.contents()["said"]), as: UTF8.self)
      said.append(text.split(separator: " ").map { $0 })
    }
    #expect(said[0][0] == said[1][0] && said[0][0].hasPrefix("dbf9c876ee23741ab04c8c189a84950d"))
    if ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == nil {
      #expect(said[0][1] != said[1][1])
    }
  }
}
