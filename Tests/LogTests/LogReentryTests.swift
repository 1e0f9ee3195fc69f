import Dispatch
import FerryKernel
import FerryStore
import Foundation
import LogDomain
import TestKit
import Testing

/// Logging waits for nothing but the file's own system calls (traps M6, needs 53). What deadlocks never ends; the
/// limit then names the test.
@Suite(.timeLimit(.minutes(2))) struct `Logging from within` {
  private let folder: GoldenFolder
  private let accounts: GoldenAccounts
  private var device: DeviceStore { accounts.store.device }

  init() throws {
    folder = try GoldenFolder()
    accounts = try GoldenAccounts([.log])
  }

  private func spill(_ files: FileOperations = FileOperations(), buffered: (Int, Int) = (4096, 4 << 20))
    throws
    -> LogSpill
  {
    try LogSpill(path: folder.path("log.spill"), files: files, buffered: buffered, drainedAtMost: 0)
  }

  private func line(_ message: String, _ level: LogLevel = .info) -> LogLine {
    LogLine(at: Timestamp(nanoseconds: 7), level: level, category: "test", message: message)
  }

  private func drained(_ spill: LogSpill) async throws -> Set<String> {
    await spill.flush()
    try await LogDAO.drain(spill, into: device)
    return Set(try await device.read { try $0.fetch(LogEntry.all) }.map(\.message))
  }

  @Test(arguments: [LogLevel.info, .fault])
  func `the log's queue, while drains wait for it, is no deadlock`(level: LogLevel) async throws {
    let spill = try spill()
    spill.append(line("before"))
    async let first = LogDAO.drain(spill, into: device)
    await withCheckedContinuation { continuation in
      LogDAO.queue.async {
        for index in 0..<50 { spill.append(line("\(index)", level)) }
        continuation.resume()
      }
    }
    _ = try await first
    #expect(try await drained(spill).count == 51)
  }

  @Test(arguments: [LogLevel.info, .fault])
  func `a write transaction, while a drain waits for it, is no deadlock`(level: LogLevel) async throws {
    let spill = try spill()
    spill.append(line("before"))
    let draining = Locked<Task<Int, any Error>?>(nil)
    try await device.write { [device] transaction in
      draining.withLock { $0 = Task { try await LogDAO.drain(spill, into: device) } }
      for index in 0..<50 { spill.append(line("\(index)", level)) }
      _ = try transaction.count(LogEntry.all)
    }
    _ = try await draining.withLock { $0 }?.value
    #expect(try await drained(spill).count == 51)
  }

  @Test func `the transaction that drains is no deadlock`() async throws {
    let own = Locked<LogSpill?>(nil)
    let files = FileOperations { name, _ in
      // The drain reads the spill within its transaction, and the spill is its own then.
      if name == "read", let spill = own.withLock({ $0 }) {
        spill.append(
          LogLine(at: Timestamp(nanoseconds: 7), level: .info, category: "test", message: "within"))
      }
    }
    let spill = try spill(files)
    spill.append(line("before"))
    own.withLock { $0 = spill }
    try await LogDAO.drain(spill, into: device)
    own.withLock { $0 = nil }
    #expect(try await drained(spill) == ["before", "within"])
  }

  @Test func `an observer that is told of drained lines is no deadlock`() async throws {
    let spill = try spill()
    var observed = LogDAO.observeRecent(device).makeAsyncIterator()
    #expect(try await observed.next()?.isEmpty == true)
    for index in 0..<20 {
      spill.append(line("\(index)", .fault))
      try await LogDAO.drain(spill, into: device)
      let count = try #require(try await observed.next()?.count)
      spill.append(line("saw \(count)", .fault))
    }
    #expect(try await drained(spill).isSuperset(of: (0..<20).map(String.init)))
  }

  @Test func `an observation's own fetch is no deadlock`() async throws {
    let spill = try spill()
    let counts = device.observe { snapshot in
      spill.append(
        LogLine(at: Timestamp(nanoseconds: 7), level: .fault, category: "test", message: "fetching"))
      return try snapshot.count(LogEntry.all)
    }
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    try await LogDAO.drain(spill, into: device)
    #expect(try await iterator.next() ?? 0 > 0)
  }

  @Test func `more threads than there are for queues, faults all of them, is no deadlock`() async throws {
    let spill = try spill()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<100 {
        group.addTask { [device] in
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              spill.append(line("\(task)", .fault))
              continuation.resume()
            }
          }
          if task.isMultiple(of: 10) { try await LogDAO.drain(spill, into: device) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await drained(spill) == Set((0..<100).map(String.init)))
    #expect(spill.losses == nil)
  }

  @Test func `the file itself waits in the buffer; beyond that lines are dropped, counted and said`()
    async throws
  {
    let own = Locked<LogSpill?>(nil)
    let files = FileOperations { name, _ in
      // As many threads do while one writes for long.
      guard name == "write",
        let spill = own.withLock({ spill in
          defer { spill = nil }
          return spill
        })
      else { return }
      for index in 0..<10 {
        spill.append(
          LogLine(at: Timestamp(nanoseconds: 9), level: .info, category: "test", message: "within \(index)"))
      }
    }
    let spill = try spill(files, buffered: (3, 1 << 20))
    own.withLock { $0 = spill }
    spill.append(line("first"))
    let said = "7 lines were dropped: more were logged at once than could wait for the file"
    #expect(try await drained(spill) == ["first", "within 0", "within 1", "within 2", said])
    #expect(spill.losses?.count == 7)
    let entry = try await LogDAO.query(
      device, SpillReader(path: folder.path("log.spill")), LogFilter(category: "spill")
    ).first
    #expect(entry?.level == .error && entry?.fields == ["dropped": 7] && entry?.at.nanoseconds == 9)
  }
}
