import FerryStore
import SettingDomain

/// The settings that the apps know. Whatever else a legacy file or a server has is kept, and reached by its key.
public enum DeclaredSettings {
  /// How the app looks; each device for itself.
  public static let theme = SettingDefinition.account("theme", default: "system", isSynced: false)
  /// How many lines the log keeps.
  public static let logLines = SettingDefinition.device("log-lines", default: Amount(100_000))
  /// After how many days a line of the log goes; nothing: never.
  public static let logDays = SettingDefinition<Amount?, DeviceScope>.device("log-days", default: nil)

  public static let all: [DeclaredSetting] = [theme.declared, logLines.declared, logDays.declared]

  /// The declaration of a key; nil where nobody declared it.
  public static func declaration(of key: SettingKey) -> DeclaredSetting? {
    all.first { $0.name.utf8.elementsEqual(key.rawValue.utf8) }
  }
}

/// How many of something: none or more. What bounds the log mustn't empty it because a sign slipped in.
public struct Amount: RawRepresentable, SettingValue {
  public let rawValue: Int

  public init?(rawValue: Int) {
    guard rawValue >= 0 else { return nil }
    self.rawValue = rawValue
  }

  init(_ count: UInt32) { rawValue = Int(count) }

  public static var settingKind: String { "a whole number of 0 or more" }
}
