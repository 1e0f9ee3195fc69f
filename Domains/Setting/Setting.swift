import FerryKernel
import FerryStore

/// A setting of an account, as text under a key. Keys that nobody declared are kept.
public struct Setting: SettingRow, Equatable {
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

/// A setting of the device, whoever uses it. It never leaves it.
public struct DeviceSetting: SettingRow, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = SettingKey
  public let key: SettingKey
  /// nil: set to nothing, which isn't the same as empty.
  public var value: String?

  public init(key: SettingKey, value: String?) { (self.key, self.value) = (key, value) }

  public init(key: SettingKey, value: String?, isLocalOnly: Bool) { self.init(key: key, value: value) }

  public static let table = Table<DeviceSetting>(
    "device_setting", key: \.key, columns: Column("key", \.key), Column("value", \.value),
    make: DeviceSetting.init(key:value:))
}

/// A row of either table of settings: what `SettingDAO` needs of it.
public protocol SettingRow: Record where Key == SettingKey {
  var key: SettingKey { get }
  var value: String? { get set }
  /// - Parameter isLocalOnly: a row of the device is that, whatever is said.
  init(key: SettingKey, value: String?, isLocalOnly: Bool)
}

/// Whose settings: each scope has a table of its own.
public protocol SettingScope: StoreScope {
  associatedtype Row: SettingRow where Row.Scope == Self
}

extension AccountScope: SettingScope { public typealias Row = Setting }
extension DeviceScope: SettingScope { public typealias Row = DeviceSetting }
