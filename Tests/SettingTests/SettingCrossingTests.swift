import FerryKernel
import FerryStore
import SettingDomain
import TestKit
import Testing

@Suite struct SettingCrossingTests {
  private func legacy(_ user: String) throws -> [Setting] {
    try Golden(user).rows(of: "Setting").map { row in
      Setting(
        key: try key(row.text("key")), value: try row.ifAny("value", row.text),
        isLocalOnly: try row.flag("localOnly"))
    }
  }

  private func key(_ name: String) throws -> SettingKey { try #require(SettingKey(name)) }

  @Test(arguments: Golden.users)
  func `Settings are those of the legacy file, byte for byte`(user: String) async throws {
    let crossed = try await GoldenCrossing([.setting])
    let expected = try legacy(user).sorted {
      $0.key.rawValue.utf8.lexicographicallyPrecedes($1.key.rawValue.utf8)
    }
    #expect(expected.count == 6)
    #expect(differences(try crossed.all(Setting.self, of: user), expected) == [])
  }

  @Test(arguments: Golden.users)
  func `Set to nothing and set to an empty text stay two things`(user: String) async throws {
    let crossed = try await GoldenCrossing([.setting])
    let account = try crossed.account(user)
    let unset = try #require(try await SettingDAO.find(account, key("lastSyncToken")))
    let empty = try #require(try await SettingDAO.find(account, key("empty")))
    #expect(unset.value == nil)
    #expect(empty.value == "")
  }

  @Test(arguments: Golden.users)
  func `Every legacy row is written, and the crossing sends none of them`(user: String) async throws {
    let crossed = try await GoldenCrossing([.setting])
    let tally = try crossed.tally("setting", of: user)
    #expect((tally.read, tally.written, tally.quarantined, tally.left) == (6, 6, 0, 0))
    #expect(try crossed.account(user).blockingRead { try $0.outboxCount() } == 0)
  }

  @Test(arguments: Golden.users)
  func `Of what is edited afterwards, only what isn't local is sent`(user: String) async throws {
    let crossed = try await GoldenCrossing([.setting])
    let account = try crossed.account(user)
    let settings = try legacy(user)
    for setting in settings { try await SettingDAO.set(account, setting.key, to: "edited") }
    let sent = try await account.read { try $0.outbox() }.map(\.key)
    #expect(sent.sorted() == settings.filter { !$0.isLocalOnly }.map(\.key.rawValue).sorted())
    #expect(sent.sorted() == ["account", "launchCount", "언어"].sorted())
  }

  @Test func `A key in any script is itself, as code asks for it`() async throws {
    let crossed = try await GoldenCrossing([.setting])
    let key = try key("언어")
    #expect(try await SettingDAO.find(crossed.account("alice"), key)?.value == "groceries re: invoice")
  }

  @Test func `What alice and bob set under one key stays theirs`() async throws {
    let crossed = try await GoldenCrossing([.setting])
    let key = try key("account")
    #expect(try await SettingDAO.find(crossed.account("alice"), key)?.value == "alice")
    #expect(try await SettingDAO.find(crossed.account("bob"), key)?.value == "bob")
  }
}
