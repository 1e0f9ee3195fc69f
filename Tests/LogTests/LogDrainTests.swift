import Dispatch
import FerryKernel
import FerryStore
import Foundation
import LogDomain
import TestKit
import Testing

@Suite struct LogDrainTests {
  private let folder: GoldenFolder
  private let accounts: GoldenAccounts
  private var device: DeviceStore { accounts.store.device }

  init() throws {
    folder = try GoldenFolder()
    accounts = try GoldenAccounts([.log])
  }

  private func spill() throws -> LogSpill { try LogSpill(path: folder.path("log.spill")) }

  private func line(_ message: String, at time: Int64 = 7, level: LogLevel = .info, account: AccountID? = nil)
    -> LogLine
  {
    LogLine(
      at: Timestamp(nanoseconds: time), level: level, category: "test", message: message, account: account)
  }

  /// The messages in the table, in the order in which they came.
  private func messages() async throws -> [String] {
    try await device.read { try $0.fetch(LogEntry.all.order { $0.sequence.ascending }) }.map(\.message)
  }

  @Test func `Lines come into the table in their order, and none comes twice`() async throws {
    let spill = try spill()
    for index in 0..<20 { spill.append(line("\(index)")) }
    #expect(try await LogDAO.drain(spill, into: device) == 20)
    #expect(try await LogDAO.drain(spill, into: device) == 0)
    spill.append(line("20"))
    #expect(try await LogDAO.drain(spill, into: device) == 1)
    #expect(try await messages() == (0...20).map(String.init))
  }

  @Test func `A line keeps all that it says`() async throws {
    let spill = try spill()
    let account = try AccountID(server: "home", user: "a\u{301}lice@mail")
    let message = "NUL \u{0} ESC \u{1b} 한글 \u{2028} \"quoted\"\n"
    spill.append(line(message, at: .min, level: .unknown(-3), account: account))
    try await LogDAO.drain(spill, into: device)
    let entry = try #require(try await LogDAO.recent(device).first)
    #expect(entry.message.utf8.elementsEqual(message.utf8))
    #expect((entry.at, entry.level, entry.category) == (.min, .unknown(-3), "test"))
    #expect(entry.account == account)
  }

  @Test func `Drains that run at once bring each line once`() async throws {
    let spill = try spill()
    for index in 0..<50 { spill.append(line("\(index)")) }
    let drained = try await withThrowingTaskGroup(of: Int.self) { [device] group in
      for _ in 0..<4 { group.addTask { try await LogDAO.drain(spill, into: device) } }
      return try await group.reduce(0, +)
    }
    #expect(drained == 50)
    #expect(try await messages().count == 50)
  }

  @Test func `A later process goes on where the last one stopped`() async throws {
    let first = try spill()
    first.append(line("first"))
    try await LogDAO.drain(first, into: device)
    let second = try spill()
    second.append(line("second"))
    #expect(try await LogDAO.drain(second, into: device) == 1)
    #expect(try await messages() == ["first", "second"])
  }

  @Test func `A line that a crash cut off is kept as text, and those after it whole`() async throws {
    let first = try spill()
    first.append(line("before"))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("log.spill")))
    try file.seekToEnd()
    try file.write(contentsOf: Data(#"{"at":1,"lev"#.utf8))
    try file.close()
    let second = try spill()
    second.append(line("after"))
    #expect(try await LogDAO.drain(second, into: device) == 3)
    #expect(try await messages() == ["before", #"{"at":1,"lev"#, "after"])
    #expect(try await LogDAO.recent(device).first { $0.category == "spill" }?.level == .error)
  }

  @Test func `A spill is read on the log's queue`() async throws {
    let key = DispatchSpecificKey<Bool>()
    LogDAO.queue.setSpecific(key: key, value: true)
    let reads = Locked<[Bool]>([])
    let files = FileOperations { operation, _ in
      if operation == "read" { reads.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) } }
    }
    let spill = try LogSpill(path: folder.path("log.spill"), files: files)
    spill.append(line("one"))
    try await LogDAO.drain(spill, into: device)
    let seen = reads.withLock { $0 }
    #expect(!seen.isEmpty)
    #expect(seen.allSatisfy { $0 })
  }

  @Test func `A spill that can't be read fails the drain, and a later one brings its lines`() async throws {
    let fails = Locked(true)
    let files = FileOperations { operation, path in
      if operation == "read", fails.withLock({ $0 }) {
        throw KernelError.fileSystem(path: path, doing: "Reading", message: "made to fail")
      }
    }
    let spill = try LogSpill(path: folder.path("log.spill"), files: files)
    spill.append(line("kept"))
    await #expect(throws: KernelError.self) { try await LogDAO.drain(spill, into: device) }
    fails.withLock { $0 = false }
    #expect(try await LogDAO.drain(spill, into: device) == 1)
  }
}
