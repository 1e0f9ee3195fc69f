/// A Swift type that a setting's text can be: `Bool`, `Int`, `Double`, `String`, an enumeration over one of them,
/// or one of them or nothing.
public protocol SettingValue: Sendable, Equatable {
  /// What its texts are, for a person: "a whole number".
  static var settingKind: String { get }
  /// What a setting that is set to nothing means; nil: the default.
  static var settingNothing: Self? { get }
  /// The value of a text; nil where it is none of this type.
  init?(settingText: String)
  /// The value as text, which reads as the value again; nil: nothing.
  var settingText: String? { get }
}

extension SettingValue {
  public static var settingNothing: Self? { nil }
}

extension Bool: SettingValue {
  public static var settingKind: String { "true or false" }
  public init?(settingText: String) {
    switch settingText {
    case "true": self = true
    case "false": self = false
    default: return nil
    }
  }
  public var settingText: String? { self ? "true" : "false" }
}

extension Int: SettingValue {
  public static var settingKind: String { "a whole number" }
  public init?(settingText: String) { self.init(settingText) }
  public var settingText: String? { "\(self)" }
}

extension Double: SettingValue {
  public static var settingKind: String { "a number" }
  public init?(settingText: String) {
    guard let value = Double(settingText), value.isFinite else { return nil }
    self = value
  }
  public var settingText: String? { "\(self)" }
}

extension String: SettingValue {
  public static var settingKind: String { "text" }
  public init?(settingText: String) { self = settingText }
  public var settingText: String? { self }
}

extension Optional: SettingValue where Wrapped: SettingValue {
  public static var settingKind: String { "\(Wrapped.settingKind), or nothing" }
  public static var settingNothing: Wrapped?? { .some(nil) }
  public init?(settingText: String) {
    guard let value = Wrapped(settingText: settingText) else { return nil }
    self = value
  }
  public var settingText: String? { flatMap(\.settingText) }
}

/// An enumeration. One with a fixed set of cases says which there are.
extension SettingValue where Self: RawRepresentable, RawValue: SettingValue {
  public static var settingKind: String { RawValue.settingKind }
  public init?(settingText: String) {
    guard let value = RawValue(settingText: settingText).flatMap(Self.init(rawValue:)) else { return nil }
    self = value
  }
  public var settingText: String? { rawValue.settingText }
}

extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue: SettingValue {
  public static var settingKind: String {
    allCases.map { $0.settingText ?? "nothing" }.joined(separator: " or ")
  }
}
