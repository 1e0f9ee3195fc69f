import FerryStore

/// A setting that this build knows: its key, the type of its value, what it is where nobody set it, and whose.
///
///     static let theme = SettingDefinition.account("theme", default: "system", isSynced: false)
///     static let keepDays = SettingDefinition.device("keep-days", default: 30)
///
/// A device's setting can't be asked of an account, nor the other way round: that doesn't compile.
public struct SettingDefinition<Value: SettingValue, Scope: SettingScope>: Sendable {
  /// The key's text.
  public let name: String
  /// What it is where it was never set, or was reset.
  public let defaultValue: Value
  /// Whether a server hears of it, and its other devices by it.
  public let isSynced: Bool

  fileprivate init(name: String, defaultValue: Value, isSynced: Bool) {
    (self.name, self.defaultValue, self.isSynced) = (name, defaultValue, isSynced)
  }
}

extension SettingDefinition where Scope == DeviceScope {
  /// A setting of the device, which never leaves it.
  public static func device(_ name: String, default value: Value) -> SettingDefinition {
    SettingDefinition(name: name, defaultValue: value, isSynced: false)
  }
}

extension SettingDefinition where Scope == AccountScope {
  /// A setting of an account.
  public static func account(_ name: String, default value: Value, isSynced: Bool) -> SettingDefinition {
    SettingDefinition(name: name, defaultValue: value, isSynced: isSynced)
  }
}

extension SettingDefinition {
  /// - Throws: `SettingError.noKey` where the name is a placeholder.
  func key() throws(SettingError) -> SettingKey {
    guard let key = SettingKey(name) else { throw .noKey(name) }
    return key
  }

  /// What a row says. Set to nothing, it is the default, unless the type has a value for that.
  ///
  /// - Throws: `SettingError.wrongType`.
  func value(of row: Scope.Row?) throws(SettingError) -> Value {
    guard let row else { return defaultValue }
    guard let text = row.value else { return Value.settingNothing ?? defaultValue }
    guard let value = Value(settingText: text) else {
      throw .wrongType(key: name, value: text, expected: Value.settingKind)
    }
    return value
  }

  /// - Throws: `SettingError.wrongType` for a value that has no text, such as a number that is infinite.
  func row(of value: Value) throws(SettingError) -> Scope.Row {
    let row = Scope.Row(key: try key(), value: value.settingText, isLocalOnly: !isSynced)
    if value.settingText != nil { _ = try self.value(of: row) }
    return row
  }

  /// The same, whatever the type of its value: what a tool needs to know of it.
  public var declared: DeclaredSetting {
    DeclaredSetting(
      name: name, isOfDevice: !Scope.hasAccount, isSynced: isSynced, kind: Value.settingKind,
      defaultText: defaultValue.settingText
    ) { text throws(SettingError) in
      guard let text else {
        guard Value.settingNothing != nil else {
          throw .wrongType(key: name, value: nil, expected: Value.settingKind)
        }
        return
      }
      if Value(settingText: text) == nil {
        throw .wrongType(key: name, value: text, expected: Value.settingKind)
      }
    }
  }
}

/// A setting that this build knows, whatever the type of its value.
public struct DeclaredSetting: Sendable {
  public let name: String
  /// Whether it is the device's, and not an account's.
  public let isOfDevice: Bool
  /// Whether a server hears of it.
  public let isSynced: Bool
  /// What its values are, for a person.
  public let kind: String
  /// What it is where it was never set; nil: nothing.
  public let defaultText: String?
  /// Refuses a text that is none of its values.
  public let check: @Sendable (String?) throws(SettingError) -> Void
}
