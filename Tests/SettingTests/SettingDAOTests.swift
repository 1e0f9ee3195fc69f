import FerryKernel
import FerryStore
import SettingDomain
import TestKit
import Testing

/// What nobody declared, under its key.
@Suite struct `A setting by its key` {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore
  private let key: SettingKey

  init() throws {
    accounts = try GoldenAccounts([.setting])
    (home, work) = (accounts.home, accounts.work)
    key = try #require(SettingKey("theme"))
  }

  private func key(_ name: String) throws -> SettingKey { try #require(SettingKey(name)) }

  @Test func `list gives every setting of the account by key, and none of another`() async throws {
    for name in ["b", "a", "언어", "B"] { try await SettingDAO.set(home, key(name), to: name) }
    #expect(try await SettingDAO.list(home).map(\.key.rawValue) == ["B", "a", "b", "언어"])
    #expect(try await SettingDAO.list(work).isEmpty)
  }

  @Test func `find gives the setting, and nil where it was never set`() async throws {
    try await SettingDAO.set(home, key, to: "dark", isLocalOnly: true)
    #expect(try await SettingDAO.find(home, key) == Setting(key: key, value: "dark", isLocalOnly: true))
    #expect(try await SettingDAO.find(home, key("Theme")) == nil)
    #expect(try await SettingDAO.find(work, key) == nil)
  }

  @Test func `set sends a new setting unless it is local only`() async throws {
    try await SettingDAO.set(home, key, to: "dark")
    try await SettingDAO.set(home, key("token"), to: "secret", isLocalOnly: true)
    let outbox = try await home.read { try $0.outbox() }
    #expect(outbox.map(\.key) == ["theme"])
    #expect(outbox.first?.base == .absent)
  }

  @Test(arguments: [true, false])
  func `set leaves it as it was whether a setting is local only`(isLocalOnly: Bool) async throws {
    try await SettingDAO.set(home, key, to: "dark", isLocalOnly: isLocalOnly)
    try await SettingDAO.set(home, key, to: nil, isLocalOnly: !isLocalOnly)
    #expect(try await SettingDAO.find(home, key) == Setting(key: key, value: nil, isLocalOnly: isLocalOnly))
    #expect(try await home.read { try $0.outboxCount() } == (isLocalOnly ? 0 : 1))
  }

  @Test func `set for one account leaves the other's setting of the same key alone`() async throws {
    try await SettingDAO.set(home, key, to: "dark", isLocalOnly: true)
    try await SettingDAO.set(work, key, to: "light")
    #expect(try await SettingDAO.find(home, key)?.value == "dark")
    #expect(try await SettingDAO.find(work, key)?.isLocalOnly == false)
    #expect(try await home.read { try $0.outboxCount() } == 0)
  }

  @Test func `A composed and a decomposed key are two settings`() async throws {
    try await SettingDAO.set(home, key("á"), to: "one")
    try await SettingDAO.set(home, key("a\u{301}"), to: "two")
    #expect(try await SettingDAO.list(home).map(\.value) == ["two", "one"])
  }

  @Test(arguments: ["", "-1"])
  func `A placeholder is no key`(text: String) {
    #expect(SettingKey(text) == nil)
  }
}
