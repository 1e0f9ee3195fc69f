import FerryKernel
import FerryStore
import Foundation
import LogDomain
import TestKit
import Testing

/// The log's questions are put to the table and to the spill that isn't drained yet.
@Suite struct `Questions to the log` {
  private let folder: GoldenFolder
  private let accounts: GoldenAccounts
  private let spill: LogSpill
  private var device: DeviceStore { accounts.store.device }
  private var reader: SpillReader { SpillReader(path: folder.path("log.spill")) }

  init() throws {
    folder = try GoldenFolder()
    accounts = try GoldenAccounts([.log])
    spill = try LogSpill(path: folder.path("log.spill"), drainedAtMost: 0)
  }

  private func log(
    _ message: String, at time: Int64, _ level: LogLevel = .info, category: String = "test",
    account: AccountID? = nil, fields: LogFields = [:]
  ) {
    spill.append(
      LogLine(
        at: Timestamp(nanoseconds: time), level: level, category: category, message: message,
        account: account,
        fields: fields))
  }

  private func query(_ filter: LogFilter = .all, limit: Int = 100) async throws -> [String] {
    try await LogDAO.query(device, reader, filter, limit: limit).map(\.message)
  }

  /// Six lines, of which the first three are drained.
  private func fill() async throws {
    log("one", at: 1, .debug, category: "sync", account: accounts.home.id)
    log("Two", at: 2, .error, category: "crossing")
    log("three", at: 3, .fault, account: accounts.work.id, fields: ["feed": "items", "rows": 580])
    try await LogDAO.drain(spill, into: device)
    log("four", at: 4, .debug, category: "sync", account: accounts.home.id)
    log("FÜNF", at: 5, .unknown(9))
    log("six", at: 6, .notice, account: accounts.work.id, fields: ["feed": "folders", "한글": true])
  }

  @Test func `are answered from table and spill, newest first, each line once`() async throws {
    try await fill()
    let all = ["six", "FÜNF", "four", "three", "Two", "one"]
    #expect(try await query() == all)
    #expect(try await query(limit: 4) == ["six", "FÜNF", "four", "three"])
    try await LogDAO.drain(spill, into: device)
    #expect(try await query() == all)
    #expect(try await query(limit: 1) == ["six"])
  }

  @Test func `can be for a level, a category, a time, a text and an account`() async throws {
    try await fill()
    #expect(try await query(LogFilter(level: .error)) == ["FÜNF", "three", "Two"])
    #expect(try await query(LogFilter(category: "sync")) == ["four", "one"])
    #expect(try await query(LogFilter(category: "Sync")).isEmpty)
    let (two, five) = (Timestamp(nanoseconds: 2), Timestamp(nanoseconds: 5))
    #expect(try await query(LogFilter(since: two, until: five)) == ["four", "three", "Two"])
    #expect(try await query(LogFilter(text: "TWO")) == ["Two"])
    #expect(try await query(LogFilter(text: "fu\u{308}nf")) == ["FÜNF"])
    // Fields are looked into, too.
    #expect(try await query(LogFilter(text: "items")) == ["three"])
    #expect(try await query(LogFilter(text: "한글")) == ["six"])
    #expect(try await query(LogFilter(text: "nowhere")).isEmpty)
    #expect(
      try await query(LogFilter(level: .notice, account: accounts.work.id, text: "feed")) == ["six", "three"])
    #expect(throws: LogError.emptyPeriod(since: five, until: two)) { try LogFilter(since: five, until: two) }
  }

  @Test func `of an account leave its namesake on another server out, and the device`() async throws {
    try await fill()
    #expect(try await query(LogFilter(account: accounts.home.id)) == ["four", "one"])
    #expect(try await query(LogFilter(account: accounts.work.id)) == ["six", "three"])
    let exported = Locked<[String]>([])
    try await LogDAO.export(device, reader, LogFilter(account: accounts.work.id)) { entry in
      exported.withLock { $0.append(entry.message) }
    }
    #expect(exported.withLock { $0 } == ["three", "six"])
    try await LogDAO.drain(spill, into: device)
    #expect(try await LogDAO.recent(device, account: accounts.home.id).map(\.message) == ["four", "one"])
    #expect(try await LogDAO.count(device, account: accounts.home.id) == 2)
    #expect(try await LogDAO.count(device) == 6)
  }

  @Test func `with a text find it however far back it is`() async throws {
    log("needle", at: 1)
    for index in 0..<1200 { log("hay \(index)", at: Int64(10 + index)) }
    try await LogDAO.drain(spill, into: device)
    #expect(try await query(LogFilter(text: "NEEDLE")) == ["needle"])
    #expect(try await query(LogFilter(text: "hay 3"), limit: 2) == ["hay 399", "hay 398"])
  }

  @Test func `give the lines of one moment in the order in which they came`() async throws {
    for index in 0..<12 {
      log("\(index)", at: 7)
      if index.isMultiple(of: 3) { try await LogDAO.drain(spill, into: device) }
    }
    #expect(try await query() == (0..<12).reversed().map(String.init))
  }

  @Test func `change neither of the two, and need no spill`() async throws {
    try await fill()
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("log.spill")))
    _ = try await query()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("log.spill"))) == before)
    let absent = SpillReader(path: folder.path("absent"))
    #expect(try await LogDAO.query(device, absent).map(\.message) == ["three", "Two", "one"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("absent")))
    try Data().write(to: URL(fileURLWithPath: folder.path("absent")))
    #expect(try await LogDAO.query(device, absent).count == 3)
    for limit in [0, -1, .min] { #expect(try await LogDAO.query(device, absent, limit: limit).isEmpty) }
  }

  @Test func `find each line once while it is drained by somebody else`() async throws {
    for index in 0..<300 { log("\(index)", at: Int64(index)) }
    async let drained = LogDAO.drain(spill, into: device)
    for _ in 0..<20 { #expect(try await query(limit: 1000).count == 300) }
    #expect(try await drained == 300)
    #expect(try await query(limit: 1000) == (0..<300).reversed().map(String.init))
  }

  @Test func `export everything, oldest first, as lines that say all`() async throws {
    try await fill()
    log("one before them all", at: 0)
    let lines = Locked<[JSONValue]>([])
    try await LogDAO.export(device, reader) { entry in lines.withLock { $0.append(.object(entry.json)) } }
    let found = lines.withLock { $0 }
    #expect(
      found.map { $0["message"]?.stringValue } == [
        "one before them all", "one", "Two", "three", "four", "FÜNF", "six",
      ])
    let three = try #require(found.first { $0["message"] == "three" })
    #expect(three["at"] == "1970-01-01T00:00:00.000000003Z")
    #expect(three["level"] == "fault")
    #expect(three["account"]?.stringValue == "alice@work")
    #expect(three["fields"] == ["feed": "items", "rows": 580])
    #expect(found.first { $0["message"] == "FÜNF" }?["level"] == "9")
    #expect(found.first { $0["message"] == "Two" }?["account"]?.isNull == true)
  }

  @Test func `are told to observers once lines are drained`() async throws {
    var recent = LogDAO.observeRecent(device, account: accounts.home.id).makeAsyncIterator()
    var count = LogDAO.observeCount(device).makeAsyncIterator()
    #expect(try await recent.next()?.isEmpty == true)
    #expect(try await count.next() == 0)
    try await fill()
    #expect(try await recent.next()?.map(\.message) == ["one"])
    #expect(try await count.next() == 3)
  }
}
