import FerryKernel
import FerryStore
import Foundation
import LogDomain
import TestKit
import Testing

/// Who is killed while it logs, drains and begins the spill anew has logged what it had logged.
@Suite(.waitsOnThreads) struct `A process that is killed while it logs` {
  @Test func `has lost no line, and none comes twice`() async throws {
    let folder = try GoldenFolder()
    var said: [Int] = []
    // Each is killed somewhere else, and the next goes on after the number that it said last.
    for (round, lines) in [3, 40, 7, 171, 22, 98, 1, 64].enumerated() {
      let start = round * 100_000
      let child = CrashChild("log", arguments: [folder.path, "\(start)"])
      said += try await child.killed(afterLines: lines).compactMap { Int($0) }
    }
    let store = try Store.open(
      at: folder.url.appendingPathComponent("ferry.sqlite"), schemas: [Domain.log.schema])
    let spill = try LogSpill(path: folder.path("log.spill"), drainedAtMost: 0)
    try await LogDAO.drain(spill, into: store.device)
    let entries = try await store.device.read { try $0.fetch(LogEntry.all.order { $0.sequence.ascending }) }
    let found = entries.compactMap { Int($0.message) }
    #expect(found.count == entries.count)
    #expect(Set(found).count == found.count)
    #expect(Set(said).subtracting(found).isEmpty)
    #expect(found == found.sorted())
    #expect(entries.map(\.sequence) == entries.map(\.sequence).sorted())
    await store.close()
  }
}
