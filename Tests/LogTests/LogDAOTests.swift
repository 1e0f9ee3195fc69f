import FerryKernel
import FerryStore
import LogDomain
import TestKit
import Testing

@Suite struct LogDAOTests {
  private let accounts: GoldenAccounts
  private var device: DeviceStore { accounts.store.device }

  init() throws { accounts = try GoldenAccounts([.log]) }

  private func entry(_ index: Int, level: LogLevel = .info, account: AccountID?) throws -> LogEntry {
    LogEntry(
      id: try #require(LogEntryID("s/\(index)")), at: Timestamp(nanoseconds: Int64(index)), level: level,
      category: "test", message: "\(index)", account: account)
  }

  @Test func `recent gives the newest lines first, no more than asked for`() async throws {
    let entries = try (0..<120).map { try entry($0, account: nil) }
    try await device.write { try $0.insert(entries) }
    #expect(try await LogDAO.recent(device).count == 100)
    #expect(try await LogDAO.recent(device, limit: 2).map(\.message) == ["119", "118"])
  }

  @Test func `recent of an account has the lines of that account, not of its namesake elsewhere`()
    async throws
  {
    let (home, work) = (accounts.home.id, accounts.work.id)
    let entries = [try entry(1, account: home), try entry(2, account: work), try entry(3, account: nil)]
    try await device.write { try $0.insert(entries) }
    #expect(try await LogDAO.recent(device, account: home).map(\.message) == ["1"])
    #expect(try await LogDAO.recent(device, account: work).map(\.message) == ["2"])
    #expect(try await LogDAO.recent(device).map(\.message) == ["3", "2", "1"])
  }

  @Test(arguments: [-1, 0, 4, 5, .min, .max] as [Int64])
  func `A level lives on as it is, whether this build knows it or not`(raw: Int64) async throws {
    let entry = try entry(1, level: LogLevel(rawValue: raw), account: nil)
    try await device.write { try $0.insert(entry) }
    let level = try #require(try await LogDAO.recent(device).first?.level)
    #expect(level.rawValue == raw)
    #expect(level == LogLevel(rawValue: raw))
    if case .unknown = level { #expect(!(0...4).contains(raw)) } else { #expect((0...4).contains(raw)) }
  }
}
