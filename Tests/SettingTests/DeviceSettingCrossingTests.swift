import FerryKernel
import FerryStore
import SettingDomain
import TestKit
import Testing

/// alice's and bob's files both have `theme`, which differs, and `empty` and `lastSyncToken`, which don't.
@Suite struct `Settings of the device in two legacy files` {
  private static let domain = Domain.setting(
    declared: ["theme", "empty", "lastSyncToken"].map {
      SettingDefinition<String?, DeviceScope>.device($0, default: nil).declared
    })

  @Test func `are one: the file that is named first is right, and the other's value is set aside`()
    async throws
  {
    let crossed = try await GoldenCrossing([Self.domain])
    let theme = try Golden("alice").rows(of: "Setting").first { try $0.text("key") == "theme" }
    let settings = try await SettingDAO.list(crossed.store.device)
    #expect(settings.map(\.key.rawValue) == ["empty", "lastSyncToken", "theme"])
    #expect(settings.map(\.value) == ["", nil, try theme?.text("value")])
    let aside = try await crossed.store.device.read { try $0.fetch(QuarantinedRow.all) }
    #expect(aside.map(\.account) == ["bob@home"])
    #expect(aside.first?.reason.contains("theme") == true)
    let other = try Golden("bob").rows(of: "Setting").first { try $0.text("key") == "theme" }
    #expect(try aside.first?.content.contains(#require(try other?.text("value"))) == true)
  }

  @Test func `have one outcome each, and accounts keep the others`() async throws {
    let crossed = try await GoldenCrossing([Self.domain])
    let alice = try crossed.tally("setting", of: "alice")
    #expect((alice.read, alice.written, alice.merged, alice.quarantined) == (6, 6, 0, 0))
    let bob = try crossed.tally("setting", of: "bob")
    #expect((bob.read, bob.written, bob.merged, bob.quarantined) == (6, 3, 2, 1))
    for user in Golden.users {
      let own = try await SettingDAO.list(crossed.account(user)).map(\.key.rawValue)
      #expect(own == ["account", "launchCount", "언어"])
    }
  }

  @Test func `that are declared local only stay here, whatever the file says`() async throws {
    let launches = SettingDefinition.account("launchCount", default: "", isSynced: false)
    let crossed = try await GoldenCrossing([.setting(declared: [launches.declared])])
    let account = try crossed.account("alice")
    let key = try #require(SettingKey("launchCount"))
    #expect(try await SettingDAO.find(account, key)?.isLocalOnly == true)
    try await SettingDAO.set(account, key, to: "edited")
    #expect(try await account.read { try $0.outboxCount() } == 0)
  }
}
