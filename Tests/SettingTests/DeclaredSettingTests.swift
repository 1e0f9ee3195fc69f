import FerryKernel
import FerryStore
import SettingDomain
import TestKit
import Testing

enum Theme: String, SettingValue, CaseIterable { case light, dark, system }

/// What the app of these tests declares.
enum Known {
  static let theme = SettingDefinition.account("theme", default: Theme.system, isSynced: true)
  static let badge = SettingDefinition.account("badge", default: true, isSynced: true)
  static let token = SettingDefinition<String?, AccountScope>.account("token", default: nil, isSynced: false)
  static let keepDays = SettingDefinition.device("keep-days", default: 30)
  static let scale = SettingDefinition.device("scale", default: 1.0)
}

@Suite struct `A declared setting` {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore
  private var device: DeviceStore { accounts.store.device }

  init() throws {
    accounts = try GoldenAccounts([.setting])
    (home, work) = (accounts.home, accounts.work)
  }

  private func key(_ name: String) throws -> SettingKey { try #require(SettingKey(name)) }

  @Test func `is its default until it is set, and again once it is reset`() async throws {
    #expect(try await SettingDAO.get(home, Known.theme) == .system)
    try await SettingDAO.set(home, Known.theme, to: .dark)
    #expect(try await SettingDAO.get(home, Known.theme) == .dark)
    #expect(try await SettingDAO.find(home, key("theme"))?.value == "dark")
    #expect(try await SettingDAO.reset(home, Known.theme))
    #expect(try await !SettingDAO.reset(home, Known.theme))
    #expect(try await SettingDAO.get(home, Known.theme) == .system)
    #expect(try await SettingDAO.list(home).isEmpty)
  }

  @Test func `keeps each kind of value`() async throws {
    try await SettingDAO.set(home, Known.badge, to: false)
    try await SettingDAO.set(home, Known.token, to: "a\u{0}\"한글\n")
    for number in [Int.min, -1, 0, .max] {
      try await SettingDAO.set(device, Known.keepDays, to: number)
      #expect(try await SettingDAO.get(device, Known.keepDays) == number)
    }
    for number in [0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e300] {
      try await SettingDAO.set(device, Known.scale, to: number)
      #expect(try await SettingDAO.get(device, Known.scale).bitPattern == number.bitPattern)
    }
    #expect(try await SettingDAO.get(home, Known.badge) == false)
    #expect(try await SettingDAO.get(home, Known.token) == "a\u{0}\"한글\n")
    try await SettingDAO.set(home, Known.token, to: nil)
    #expect(try await SettingDAO.get(home, Known.token) == nil)
    #expect(
      try await SettingDAO.find(home, key("token"))
        == Setting(key: key("token"), value: nil, isLocalOnly: true))
  }

  @Test func `that is set to nothing is its default, unless its type has nothing`() async throws {
    let named = SettingDefinition.account("name", default: "nobody", isSynced: true)
    let perhaps = SettingDefinition<Int?, AccountScope>.account("name", default: 3, isSynced: true)
    #expect(try await SettingDAO.get(home, perhaps) == 3)
    try await SettingDAO.set(home, key("name"), to: nil)
    #expect(try await SettingDAO.get(home, named) == "nobody")
    #expect(try await SettingDAO.get(home, perhaps) == nil)
  }

  @Test(arguments: ["True", "1", "", "yes", " true"])
  func `of another type is an error that names key, value and type`(text: String) async throws {
    try await SettingDAO.set(home, key("badge"), to: text)
    let error = SettingError.wrongType(key: "badge", value: text, expected: "true or false")
    await #expect(throws: error) { try await SettingDAO.get(home, Known.badge) }
    for word in ["badge", "\"\(text)\"", "true or false"] { #expect(error.sentence.contains(word)) }
    #expect(error.code == "setting.wrongType" && error.remedy.contains("reset"))
    // What is there stays there, is shown, and can be replaced.
    #expect(try await SettingDAO.list(home).map(\.value) == [text])
    try await SettingDAO.set(home, Known.badge, to: false)
    #expect(try await SettingDAO.get(home, Known.badge) == false)
  }

  @Test func `says what its values are`() async throws {
    let kinds = [Known.theme.declared.kind, Known.token.declared.kind, Known.keepDays.declared.kind]
    #expect(kinds == ["light or dark or system", "text, or nothing", "a whole number"])
    #expect(throws: SettingError.wrongType(key: "theme", value: "blue", expected: kinds[0])) {
      try Known.theme.declared.check("blue")
    }
    #expect(throws: SettingError.wrongType(key: "keep-days", value: nil, expected: kinds[2])) {
      try Known.keepDays.declared.check(nil)
    }
    try Known.token.declared.check(nil)
    try Known.theme.declared.check("dark")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `can't be a number that has no text`(number: Double) async throws {
    await #expect(throws: SettingError.self) { try await SettingDAO.set(device, Known.scale, to: number) }
    #expect(try await SettingDAO.list(device).isEmpty)
  }

  @Test func `under a placeholder is refused`() async throws {
    let nameless = SettingDefinition.device("", default: 1)
    await #expect(throws: SettingError.noKey("")) { try await SettingDAO.get(device, nameless) }
    await #expect(throws: SettingError.noKey("")) { try await SettingDAO.set(device, nameless, to: 2) }
  }

  // MARK: - Whose

  @Test func `of an account is that account's, and one of the device is everybody's`() async throws {
    try await SettingDAO.set(home, Known.theme, to: .dark)
    try await SettingDAO.set(work, Known.theme, to: .light)
    let ofDevice = SettingDefinition.device("theme", default: Theme.system)
    try await SettingDAO.set(device, ofDevice, to: .system)
    #expect(try await SettingDAO.get(home, Known.theme) == .dark)
    #expect(try await SettingDAO.get(work, Known.theme) == .light)
    #expect(try await SettingDAO.get(device, ofDevice) == .system)
    #expect(try await SettingDAO.count(home) == 1)
    #expect(try await SettingDAO.reset(home, Known.theme))
    #expect(try await SettingDAO.get(work, Known.theme) == .light)
    #expect(try await SettingDAO.count(device) == 1)
  }

  @Test func `travels if it is declared so, and never otherwise`() async throws {
    try await SettingDAO.set(home, Known.badge, to: false)
    try await SettingDAO.set(home, Known.token, to: "secret")
    try await SettingDAO.set(device, Known.keepDays, to: 1)
    #expect(try await home.read { try $0.outbox() }.map(\.key) == ["badge"])
    #expect(try await work.read { try $0.outboxCount() } == 0)
  }

  @Test func `that travelled and is declared local only goes from the server`() async throws {
    let key = try key("token")
    try await home.write(origin: .server) { transaction in
      try transaction.upsert(Setting(key: key, value: "old", isLocalOnly: false))
      try transaction.setRemoteState(RemoteState(revision: 1, json: "{}"), of: Setting.self, key)
    }
    try await SettingDAO.set(home, Known.token, to: "new")
    let outbox = try await home.read { try $0.outbox() }
    #expect(outbox.map(\.operation) == [.delete])
    #expect(try await SettingDAO.get(home, Known.token) == "new")
  }

  @Test func `that is reset is deleted on the server, too`() async throws {
    try await home.write(origin: .server) { transaction in
      let key = try #require(SettingKey("badge"))
      try transaction.upsert(Setting(key: key, value: "false", isLocalOnly: false))
      try transaction.setRemoteState(RemoteState(revision: 1, json: "{}"), of: Setting.self, key)
    }
    try await SettingDAO.reset(home, Known.badge)
    #expect(try await home.read { try $0.outbox() }.map(\.operation) == [.delete])
  }

  // MARK: - Observation and events

  @Test func `tells observers of its value once a change, and of nobody else's`() async throws {
    var theme = SettingDAO.observe(home, Known.theme).makeAsyncIterator()
    var days = SettingDAO.observe(device, Known.keepDays).makeAsyncIterator()
    var list = SettingDAO.observeList(home).makeAsyncIterator()
    var count = SettingDAO.observeCount(home).makeAsyncIterator()
    #expect(try await theme.next() == .system)
    #expect(try await days.next() == 30)
    #expect(try await list.next()?.isEmpty == true)
    #expect(try await count.next() == 0)
    try await SettingDAO.set(work, Known.theme, to: .light)
    try await SettingDAO.set(home, Known.theme, to: .dark)
    try await SettingDAO.set(device, Known.keepDays, to: 7)
    #expect(try await theme.next() == .dark)
    #expect(try await days.next() == 7)
    #expect(try await list.next()?.map(\.value) == ["dark"])
    #expect(try await count.next() == 1)
    try await SettingDAO.reset(home, Known.theme)
    #expect(try await theme.next() == .system)
  }

  @Test func `ends an observation with the error where it gets another type`() async throws {
    var badge = SettingDAO.observe(home, Known.badge).makeAsyncIterator()
    #expect(try await badge.next() == true)
    try await SettingDAO.set(home, key("badge"), to: "perhaps")
    await #expect(throws: SettingError.self) { try await badge.next() }
    #expect(try await badge.next() == nil)
  }

  @Test func `makes one event of each write, none of one that fails or changes nothing`() async throws {
    var changes = try await accounts.store.changes().makeAsyncIterator()
    await #expect(throws: SettingError.self) { try await SettingDAO.set(device, Known.scale, to: .nan) }
    try await SettingDAO.set(home, Known.theme, to: .dark)
    try await SettingDAO.set(home, Known.theme, to: .dark)
    #expect(try await !SettingDAO.reset(work, Known.theme))
    try await SettingDAO.set(device, Known.keepDays, to: 5)
    try await SettingDAO.reset(home, Known.theme)
    var seen: [String] = []
    for _ in 0..<3 {
      let set = try #require(try await changes.next())
      #expect(set.changes.count == 1)
      seen += set.changes.map { "\($0.table) \($0.kind)" }
    }
    #expect(seen == ["setting inserted", "device_setting inserted", "setting deleted"])
  }

  @Test func `can be read and written within a transaction of more`() async throws {
    try await home.write { transaction in
      try SettingDAO.set(transaction, Known.theme, to: .dark)
      #expect(try SettingDAO.get(transaction, Known.theme) == .dark)
      #expect(try SettingDAO.reset(transaction, Known.theme))
      try SettingDAO.set(transaction, Known.badge, to: false)
    }
    try await device.write { try SettingDAO.set($0, Known.keepDays, to: 2) }
    #expect(try await device.read { try SettingDAO.get($0, Known.keepDays) } == 2)
    #expect(try await SettingDAO.list(home).map(\.key.rawValue) == ["badge"])
  }
}
