import Dispatch
import FerryKernel
import FerryStore
import TestKit
import Testing

@testable import LogDomain

@Suite struct LogCrossingTests {
  private func legacy(_ user: String) throws -> [LogEntry] {
    let account = try AccountID(server: "home", user: user)
    return try Golden(user).rows(of: "LogEntry").map { row in
      let key: LogEntryID = try row.key("_id")
      return LogEntry(
        id: try #require(LogEntryID("\(user)@home/\(key)")), at: try row.time("at"),
        level: LogLevel(rawValue: try row.integer("level")), category: "legacy",
        message: try row.text("message"),
        account: account)
    }
  }

  @Test func `Lines are those of both legacy files, byte for byte and to the nanosecond`() async throws {
    let crossed = try await GoldenCrossing([.log])
    let expected = try (legacy("alice") + legacy("bob"))
      .sorted { $0.id.rawValue.utf8.lexicographicallyPrecedes($1.id.rawValue.utf8) }
    #expect(expected.count == 100)
    #expect(differences(try await crossed.store.device.read { try $0.fetch(LogEntry.all) }, expected) == [])
  }

  @Test(arguments: Golden.users)
  func `Each line knows whose file it came from, and the newest are first`(user: String) async throws {
    let crossed = try await GoldenCrossing([.log])
    let account = try AccountID(server: "home", user: user)
    let expected = try legacy(user).sorted { $0.at > $1.at }
    #expect(differences(try await LogDAO.recent(crossed.store.device, account: account), expected) == [])
  }

  @Test(arguments: Golden.users)
  func `Every legacy line is written`(user: String) async throws {
    let tally = try await GoldenCrossing([.log]).tally("log-entry", of: user)
    #expect((tally.read, tally.written, tally.merged, tally.quarantined) == (50, 50, 0, 0))
  }

  @Test func `Every row is mapped and every page appended on the log's own queue`() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "test.log")
    queue.setSpecific(key: key, value: true)
    let traces = Locked<[(LogTrace, onQueue: Bool)]>([])
    let domain = Domain.log(queue: queue) { trace in
      traces.withLock { $0.append((trace, DispatchQueue.getSpecific(key: key) == true)) }
    }
    _ = try await GoldenCrossing([domain])
    let seen = traces.withLock { $0 }
    let mapped = seen.count { $0.0 == .mapped }
    #expect(mapped == 100)
    let appended = seen.count { $0.0 == .appended }
    #expect(appended == 2)
    let elsewhere = seen.count { !$0.onQueue }
    #expect(elsewhere == 0)
  }

  @Test func `The log crosses last, on a queue of its own`() {
    #expect(Domain.log.isLast)
    #expect(Domain.log.lastQueue === LogDAO.queue)
    #expect(Domain.log.feeds.isEmpty)
  }
}
