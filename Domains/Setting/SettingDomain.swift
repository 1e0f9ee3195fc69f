import FerryKernel
import FerryStore

extension Domain {
  /// Settings, of which no key is declared.
  public static let setting = Domain.setting(declared: [])

  /// Settings of accounts, and those of the device. Those that are local only never enter the outbox.
  ///
  /// Each legacy file has the settings that the device had when its account was used last, so that two files may
  /// disagree on one that is declared as the device's. The file that ferry.yaml names first is right; of the others
  /// a row with the same value is merged, and one with another value is quarantined.
  ///
  /// - Parameter declared: the settings that this build knows. What is the device's or local only by declaration
  ///   stays on the device, whatever a legacy file or a server says.
  public static func setting(declared: [DeclaredSetting]) -> Domain {
    let ofDevice = Set(declared.filter(\.isOfDevice).compactMap { SettingKey($0.name) })
    let localOnly = Set(declared.filter { !$0.isSynced }.compactMap { SettingKey($0.name) })
    return Domain(
      "setting", "Settings of an account",
      tables: [Setting.table.declaration, DeviceSetting.table.declaration],
      changes: [.createTable("device_setting")],
      crossings: [
        Crossing(
          "setting", Setting.self,
          fields: LegacyField<String>("key"), LegacyField<String?>("value"), LegacyField<Bool>("local-only")
        ) { key, value, isLocalOnly in
          // The key is its own name, in whatever script: code asks for it by that name.
          guard let key = SettingKey(key) else { throw RowRefusal("key: \"\(key)\" is a placeholder") }
          return Setting(key: key, value: value, isLocalOnly: isLocalOnly || localOnly.contains(key))
        } ofDevice: { setting in
          ofDevice.contains(setting.key) ? DeviceSetting(key: setting.key, value: setting.value) : nil
        }
      ],
      feeds: [
        Feed("settings", of: Setting.self) { setting in
          ["value": setting.value.map { .string($0) } ?? .null]
        } decode: { key, record in
          if localOnly.contains(key) { throw RowRefusal("\"\(key)\" stays on the device that it is set on") }
          let value = try record.member("value")
          return Setting(key: key, value: value.value.isNull ? nil : try value.text(), isLocalOnly: false)
        }
      ])
  }
}
