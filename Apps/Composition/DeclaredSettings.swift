import FerryStore
import SettingDomain

/// The settings that the apps know. Whatever else a legacy file or a server has is kept, and reached by its key.
public enum DeclaredSettings {
  /// How the app looks; each device for itself.
  public static let theme = SettingDefinition.account("theme", default: "system", isSynced: false)
  /// How many lines the log keeps.
  public static let logLines = SettingDefinition.device("log-lines", default: 100_000)
  /// After how many days a line of the log goes; nothing: never.
  public static let logDays = SettingDefinition<Int?, DeviceScope>.device("log-days", default: nil)

  public static let all: [DeclaredSetting] = [theme.declared, logLines.declared, logDays.declared]

  /// The declaration of a key; nil where nobody declared it.
  public static func declaration(of key: SettingKey) -> DeclaredSetting? {
    all.first { $0.name.utf8.elementsEqual(key.rawValue.utf8) }
  }
}
