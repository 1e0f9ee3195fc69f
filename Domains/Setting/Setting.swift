import FerryKernel
import FerryStore

/// A setting of an account, as text under a key. Keys that this build has no name for are kept.
public struct Setting: Record, Equatable {
  public typealias Key = SettingKey
  public let key: SettingKey
  /// nil: set to nothing, which isn't the same as empty.
  public var value: String?
  /// Whether it stays on this device.
  public var isLocalOnly: Bool

  public init(key: SettingKey, value: String?, isLocalOnly: Bool) {
    (self.key, self.value, self.isLocalOnly) = (key, value, isLocalOnly)
  }

  public static let table = Table<Setting>(
    "setting", key: \.key, tracking: .rows { !$0.isLocalOnly },
    columns: Column("key", \.key), Column("value", \.value), Column("is_local_only", \.isLocalOnly),
    make: Setting.init(key:value:isLocalOnly:))
}

public typealias SettingKey = Identifier<Setting>
