import Dispatch
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

@testable import LogDomain

/// The log crosses last, on its serial queue (traps M6).
@Suite struct LogLastTests {
  private static let roadmap = """
    version: 1
    domains:
      - domain: log
        strategy: copy
        legacy:
          log-entry: {class: LogEntry, fields: {id: id, level: level, message: text, at: at}}
    """

  private func rows(_ count: Int64) -> [MemoryLegacySource.Class] {
    let rows = (0..<count).map { row -> [LegacyValue] in
      [.integer(row), .integer(row % 6), .text("line \(row)"), .time(seconds: row, nanoseconds: 1)]
    }
    return [.init("LogEntry", ["id", "level", "text", "at"], rows)]
  }

  private func rig(_ domain: Domain) throws -> LibraryRig {
    var rig = try LibraryRig(
      MemoryLegacySource([(LibraryRows.alice, rows(1100)), (LibraryRows.bob, rows(600))]))
    (rig.roadmap, rig.domains) = (LogLastTests.roadmap, [domain])
    return rig
  }

  @Test("Every row is mapped, and every page appended, on the domain's queue and nowhere else")
  func onItsQueue() async throws {
    let queue = DispatchQueue(label: "test.log")
    let key = DispatchSpecificKey<String>()
    queue.setSpecific(key: key, value: "the log's")
    let seen = Locked<[LogTrace: (on: Int, off: Int)]>([:])
    let rig = try rig(
      .log(queue: queue) { trace in
        let isOnQueue = DispatchQueue.getSpecific(key: key) == "the log's"
        seen.withLock { seen in
          seen[trace, default: (0, 0)].on += isOnQueue ? 1 : 0
          seen[trace, default: (0, 0)].off += isOnQueue ? 0 : 1
        }
      })
    #expect(try await rig.cross().isOver)
    let found = seen.withLock { $0 }
    #expect(found[.mapped]?.on == 1700)
    #expect(found[.appended]?.on ?? 0 >= 5)
    #expect(found[.mapped]?.off == 0 && found[.appended]?.off == 0)
  }

  @Test("Logging from inside the queue and from inside a transaction is no deadlock, and no line is lost")
  func loggingWithin() async throws {
    let folder = try GoldenFolder()
    let spill = try LogSpill(path: folder.path("log.spill"))
    let said = LogLine(at: FixedClock.now(), level: .fault, category: "test", message: "from within")
    // The appending is inside the page's transaction, on the queue.
    var rig = try rig(
      .log(queue: DispatchQueue(label: "test.log")) { if $0 == .appended { spill.append(said) } })
    rig.log = spill
    let plan = try rig.plan()
    let store = try rig.open(plan)
    _ = try await rig.run(plan, store).run()
    try await store.device.write { _ in spill.append(said) }
    let logged = try spill.read(after: []).lines.count
    #expect(try await LogDAO.drain(spill, into: store.device) == logged)
    #expect(try await LogDAO.drain(spill, into: store.device) == 0)
    let drained = try await store.device.read { try $0.count(LogEntry.where { $0.category != "legacy" }) }
    #expect(drained == logged)
  }

  @Test("A process that dies before it has drained its lines loses none and brings none twice")
  func killedBetween() async throws {
    let folder = try GoldenFolder()
    var rig = try rig(.log)
    let path = folder.path("log.spill")
    rig.log = try LogSpill(path: path)
    try await rig.cross()
    let first = try LogSpill(path: path)
    let store = try rig.open()
    let count = try await LogDAO.drain(first, into: store.device)
    #expect(count > 0)
    first.append(LogLine(at: FixedClock.now(), level: .info, category: "test", message: "the last words"))
    let next = try LogSpill(path: path)
    #expect(try await LogDAO.drain(next, into: store.device) == 1)
    #expect(try await LogDAO.drain(next, into: store.device) == 0)
    let words = try await store.device.read { try $0.fetch(LogEntry.where { $0.category == "test" }) }
    #expect(words.map(\.message) == ["the last words"])
  }
}
