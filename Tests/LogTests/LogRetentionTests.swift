import FerryKernel
import FerryStore
import LogDomain
import TestKit
import Testing

@Suite struct `What the log keeps` {
  private let accounts: GoldenAccounts
  private var device: DeviceStore { accounts.store.device }

  init() throws { accounts = try GoldenAccounts([.log]) }

  private func fill(_ count: Int) async throws {
    let entries = try (1...count).map { index in
      LogEntry(
        id: try #require(LogEntryID("s/\(index)")), at: Timestamp(nanoseconds: Int64(index)), level: .info,
        category: "test", message: "\(index)", account: nil)
    }
    try await device.write { try $0.insert(entries) }
  }

  private func messages() async throws -> [String] { try await LogDAO.recent(device).map(\.message) }

  @Test func `is so many lines, the newest`() async throws {
    try await fill(10)
    #expect(try await LogDAO.retain(device, atMost: 3, since: nil) == 7)
    #expect(try await messages() == ["10", "9", "8"])
    #expect(try await LogDAO.retain(device, atMost: 3, since: nil) == 0)
    #expect(try await LogDAO.retain(device, atMost: 0, since: nil) == 3)
  }

  @Test func `is no older than was said`() async throws {
    try await fill(10)
    #expect(try await LogDAO.retain(device, atMost: nil, since: Timestamp(nanoseconds: 9)) == 8)
    #expect(try await messages() == ["10", "9"])
  }

  @Test func `is everything where nobody says otherwise, and both where both are said`() async throws {
    try await fill(10)
    #expect(try await LogDAO.retain(device, atMost: nil, since: nil) == 0)
    #expect(try await LogDAO.retain(device, atMost: 5, since: Timestamp(nanoseconds: 3)) == 5)
    #expect(try await messages() == ["10", "9", "8", "7", "6"])
  }

  @Test func `can't be less than nothing`() async throws {
    try await fill(1)
    await #expect(throws: LogError.badBound(-1)) { try await LogDAO.retain(device, atMost: -1, since: nil) }
    #expect(try await messages() == ["1"])
  }

  @Test func `goes in one event, which is no person's edit`() async throws {
    try await fill(10)
    var changes = try await accounts.store.changes().makeAsyncIterator()
    try await LogDAO.retain(device, atMost: 8, since: nil)
    let set = try #require(try await changes.next())
    #expect(set.changes.map(\.kind) == [.deleted, .deleted])
    #expect(set.origin == .system)
  }
}
