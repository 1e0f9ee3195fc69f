import FerryKernel
import FerryStore
import SettingDomain
import TestKit
import Testing

@Suite struct `The feed of settings` {
  private let accounts: GoldenAccounts
  private let feed: Feed

  init() throws {
    let domain = Domain.setting(declared: [
      Known.token.declared, Known.keepDays.declared, Known.theme.declared,
    ])
    accounts = try GoldenAccounts([domain])
    feed = try #require(domain.feeds.first)
  }

  private func setting(_ key: String, _ value: String?) throws -> Setting {
    Setting(key: try #require(SettingKey(key)), value: value, isLocalOnly: false)
  }

  @Test func `brings any key and any text to the server and back`() throws {
    #expect(feed.name == "settings")
    var random = SplitMix64(seed: 6)
    var settings = [try setting("theme", "dark"), try setting("nobody knows it", nil), try setting("언어", "")]
    for index in 0..<50 {
      settings.append(try setting("\(index)" + random.text(), random.perhaps { $0.text() }))
    }
    #expect(differences(try accounts.roundTrip(settings, through: feed), settings) == [])
  }

  @Test func `keeps what nobody declared`() async throws {
    #expect(try accounts.apply(#"{"value":"x"}"#, id: "from-the-future", to: feed) == .written)
    #expect(try await SettingDAO.list(accounts.home).map(\.key.rawValue) == ["from-the-future"])
    #expect(try await SettingDAO.list(accounts.work).isEmpty)
  }

  @Test(arguments: [#"{}"#, #"{"value":3}"#, #"{"value":["a"]}"#])
  func `refuses a record without a text`(json: String) throws {
    guard case .refused = try accounts.apply(json, to: feed) else {
      Issue.record("\(json) was taken")
      return
    }
  }

  @Test(arguments: ["token", "keep-days"])
  func `takes nothing that is declared to stay on the device`(key: String) async throws {
    guard case .refused(let reason) = try accounts.apply(#"{"value":"x"}"#, id: key, to: feed) else {
      Issue.record("\(key) was taken")
      return
    }
    #expect(reason.contains(key))
    #expect(try await SettingDAO.list(accounts.home).isEmpty)
  }

  @Test func `leaves a local setting and the server's as they are, where they differ`() async throws {
    let key = try #require(SettingKey("mine"))
    try await SettingDAO.set(accounts.home, key, to: "here", isLocalOnly: true)
    #expect(try accounts.apply(#"{"value":"there"}"#, id: "mine", to: feed) == .unchanged)
    #expect(try await SettingDAO.find(accounts.home, key)?.value == "here")
  }
}
