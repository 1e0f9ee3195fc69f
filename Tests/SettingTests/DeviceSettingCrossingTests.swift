import Dispatch
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

/// Enough of them for several pages, with keys that come twice in a file, and that two files disagree on.
@Suite struct `Many settings of the device in two legacy files` {
  private static let keys = 600

  private func rig() throws -> LibraryRig {
    func rows(_ name: String) -> [[LegacyValue]] {
      (0..<1300).map { row in
        let key = row % Self.keys
        // Every third key has the same value in both files, whatever the row.
        let value = key.isMultiple(of: 3) ? "same" : "\(name) \(row / Self.keys)"
        return [.text(row == 1299 ? "own" : "key \(key)"), .text(value), .flag(row.isMultiple(of: 2))]
      }
    }
    let source = MemoryLegacySource(
      [(LibraryRows.alice, "alice"), (LibraryRows.bob, "bob")].map { account, name in
        (account, [.init("SettingRow", ["k", "v", "l"], rows(name)), .init("LineRow", ["id", "text"], [])])
      })
    var rig = try LibraryRig(source)
    let declared = (0..<Self.keys).map { SettingDefinition.device("key \($0)", default: "").declared }
    rig.domains = [.setting(declared: declared), Library.diary(queue: DispatchQueue(label: "diary"))]
    rig.roadmap = """
      version: 1
      domains:
        - domain: setting
          strategy: copy
          legacy:
            setting: {class: SettingRow, fields: {key: k, value: v, local-only: l}}
        - domain: diary
          strategy: copy
          legacy:
            line: {class: LineRow, fields: {id: id, text: text}}
      """
    return rig
  }

  @Test func `keep the first of each key, and account for all the others`() async throws {
    let rig = try rig()
    let tallies = try await rig.cross().tallies.filter { $0.entity == "setting" }
    #expect(tallies.map(\.read) == [1300, 1300])
    // Of a file's 1,299 rows 433 have the value that is the same everywhere.
    #expect(tallies.map(\.written) == [601, 1])
    #expect(tallies.map(\.merged) == [233, 433])
    #expect(tallies.map(\.quarantined) == [466, 866])
    let store = try rig.open()
    let values = try await SettingDAO.list(store.device).map(\.value)
    #expect(values.count == Self.keys)
    #expect(Set(values) == ["same", "alice 0"])
    await store.close()
  }

  @Test(
    arguments: [
      (LibraryRows.alice, 500), (LibraryRows.alice, 1000), (LibraryRows.bob, 500),
    ] as [(AccountID, Int64)])
  func `come to the same end where a run is ended between two pages`(
    account: AccountID, done: Int64
  ) async throws {
    let whole = try rig()
    try await whole.cross()
    let rig = try rig()
    let task = Locked<Task<CrossingReport, any Error>?>(nil)
    let (isSet, set) = AsyncStream<Void>.makeStream()
    let run = Task {
      for await _ in isSet { break }
      return try await rig.cross { progress in
        guard progress.entity == "setting", progress.account == account, progress.phase == .restored,
          progress.done == done
        else { return }
        task.withLock { $0?.cancel() }
      }
    }
    task.withLock { $0 = run }
    set.yield()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try await rig.cross().isOver)
    #expect(StoreDump.differences(try whole.dump(), try rig.dump()).prefix(5) == [])
  }
}
