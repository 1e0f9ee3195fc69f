import FerryStore

/// The way in to an account's settings.
public enum SettingDAO {
  /// Every setting, by key.
  public static func list(_ account: AccountStore) async throws -> [Setting] {
    try await account.read { try $0.fetch(Setting.all) }
  }

  /// The setting under this key; nil where it was never set.
  public static func find(_ account: AccountStore, _ key: SettingKey) async throws -> Setting? {
    try await account.read { try $0.find(Setting.self, key) }
  }

  /// Sets a value. A new setting is local only where `isLocalOnly` says so; one that exists stays what it is.
  public static func set(
    _ account: AccountStore, _ key: SettingKey, to value: String?, isLocalOnly: Bool = false
  ) async throws {
    try await account.write { transaction in
      let known = try transaction.find(Setting.self, key)
      try transaction.upsert(Setting(key: key, value: value, isLocalOnly: known?.isLocalOnly ?? isLocalOnly))
    }
  }
}
