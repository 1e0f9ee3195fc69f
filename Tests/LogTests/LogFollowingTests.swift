import FerryKernel
import FerryStore
import LogDomain
import TestKit
import Testing

@Suite struct `Following the log` {
  private let folder: GoldenFolder
  private let accounts: GoldenAccounts
  private let spill: LogSpill
  private var device: DeviceStore { accounts.store.device }

  init() throws {
    folder = try GoldenFolder()
    accounts = try GoldenAccounts([.log])
    spill = try LogSpill(path: folder.path("log.spill"), drainedAtMost: 0)
  }

  private func log(_ message: String, _ level: LogLevel = .info, account: AccountID? = nil) {
    spill.append(
      LogLine(
        at: Timestamp(nanoseconds: 5), level: level, category: "test", message: message, account: account))
  }

  private func lines(_ filter: LogFilter = .all) -> LogFollowing {
    LogDAO.follow(
      device, SpillReader(path: folder.path("log.spill")), filter, every: .milliseconds(1))
  }

  /// Asks for the first line, which is when following begins, and logs until it comes.
  private func begin(_ iterator: inout LogFollowing.AsyncIterator) async throws {
    let spill = spill
    let feeding = Task {
      while !Task.isCancelled {
        spill.append(LogLine(at: Timestamp(nanoseconds: 5), level: .fault, category: "tick", message: "tick"))
        await Task.yield()
      }
    }
    let first = try await iterator.next()
    feeding.cancel()
    await feeding.value
    #expect(first?.message == "tick")
  }

  /// The next line that isn't one of those that `begin` logged.
  private func next(_ iterator: inout LogFollowing.AsyncIterator) async throws -> String? {
    while let entry = try await iterator.next() { if entry.category != "tick" { return entry.message } }
    return nil
  }

  @Test func `gives each new line once, drained or not, in its order`() async throws {
    log("old")
    try await LogDAO.drain(spill, into: device)
    log("old, too")
    var iterator = lines().makeAsyncIterator()
    try await begin(&iterator)
    log("one")
    #expect(try await next(&iterator) == "one")
    try await LogDAO.drain(spill, into: device)
    log("two")
    #expect(try await next(&iterator) == "two")
    // Drained before it was looked for, and the spill begun anew twice meanwhile.
    log("three")
    try await LogDAO.drain(spill, into: device)
    log("four")
    try await LogDAO.drain(spill, into: device)
    log("five")
    for expected in ["three", "four", "five"] { #expect(try await next(&iterator) == expected) }
    log("six")
    #expect(try await next(&iterator) == "six")
  }

  @Test func `gives lines of a process that has the spill open, too`() async throws {
    var iterator = lines().makeAsyncIterator()
    try await begin(&iterator)
    let other = try LogSpill(path: folder.path("log.spill"))
    other.append(LogLine(at: Timestamp(nanoseconds: 1), level: .info, category: "test", message: "elsewhere"))
    #expect(try await next(&iterator) == "elsewhere")
  }

  @Test func `leaves out what isn't asked for`() async throws {
    var iterator = lines(try LogFilter(level: .error)).makeAsyncIterator()
    try await begin(&iterator)
    log("quiet")
    log("loud", .error)
    #expect(try await next(&iterator) == "loud")
    var home = lines(try LogFilter(account: accounts.home.id)).makeAsyncIterator()
    let feeding = Task { [spill, accounts] in
      var number = 0
      while !Task.isCancelled {
        for account in [accounts.work.id, accounts.home.id] {
          spill.append(
            LogLine(
              at: Timestamp(nanoseconds: 5), level: .info, category: account.server, message: "\(number)",
              account: account))
        }
        number += 1
        await Task.yield()
      }
    }
    for _ in 0..<5 { #expect(try await home.next()?.category == "home") }
    feeding.cancel()
    await feeding.value
  }

  @Test func `misses none and gives none twice while lines are logged and drained at once`() async throws {
    var iterator = lines().makeAsyncIterator()
    try await begin(&iterator)
    let writing = Task { [spill, device] in
      for index in 0..<400 {
        spill.append(
          LogLine(at: Timestamp(nanoseconds: 5), level: .info, category: "test", message: "\(index)"))
        if index.isMultiple(of: 7) { try await LogDAO.drain(spill, into: device) }
      }
    }
    var seen: [String] = []
    while seen.count < 400 { seen.append(try #require(try await next(&iterator))) }
    try await writing.value
    #expect(Set(seen).count == 400)
    log("last")
    #expect(try await next(&iterator) == "last")
  }

  @Test func `ends when its task is cancelled`() async throws {
    let lines = lines()
    let task = Task {
      var count = 0
      for try await _ in lines { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value == 0)
  }
}
