import FerryKernel
import FerryStore

extension Domain {
  /// Settings of an account. Those that are local only never enter the outbox.
  public static let setting = Domain(
    "setting", "Settings of an account",
    tables: [Setting.table.declaration],
    crossings: [
      Crossing(
        "setting", Setting.self,
        fields: LegacyField<String>("key"), LegacyField<String?>("value"), LegacyField<Bool>("local-only")
      ) { key, value, isLocalOnly in
        // The key is its own name, in whatever script: code asks for it by that name.
        guard let key = SettingKey(key) else { throw RowRefusal("key: \"\(key)\" is a placeholder") }
        return Setting(key: key, value: value, isLocalOnly: isLocalOnly)
      }
    ])
}
