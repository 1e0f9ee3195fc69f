import FerryKernel
import FerryStore
import Foundation
import SettingDomain
import TestKit
import Testing

@Suite struct `A store from before the device had settings` {
  @Test func `opens with those of its accounts, and has room for the device's`() async throws {
    let folder = try GoldenFolder()
    let url = folder.url.appendingPathComponent("ferry.sqlite")
    let alice = try AccountID(server: "home", user: "alice")
    let key = try #require(SettingKey("theme"))
    let before = try Store.open(
      at: url, schemas: [Schema(owner: "setting", tables: [Setting.table.declaration])])
    try await SettingDAO.set(before.addAccount(alice), key, to: "dark")
    await before.close()
    let store = try Store.open(at: url, schemas: [Domain.setting.schema])
    #expect(try await SettingDAO.list(store.account(alice)).map(\.value) == ["dark"])
    #expect(try await SettingDAO.list(store.device).isEmpty)
    try await SettingDAO.set(store.device, key, to: "light")
    #expect(try await SettingDAO.find(store.device, key)?.value == "light")
    await store.close()
  }
}
