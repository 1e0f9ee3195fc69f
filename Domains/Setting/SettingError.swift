import FerryStore

/// What settings refuse.
public enum SettingError: FerryError, Equatable {
  /// A setting's text is none of its type. nil: it is set to nothing.
  case wrongType(key: String, value: String?, expected: String)
  /// A setting of the device was to be one of an account, or the other way round.
  case elsewhere(key: String, isOfDevice: Bool)
  /// A text that can't be a key.
  case noKey(String)

  public var code: String {
    switch self {
    case .wrongType: "setting.wrongType"
    case .elsewhere: "setting.elsewhere"
    case .noKey: "setting.noKey"
    }
  }

  public var sentence: String {
    switch self {
    case .wrongType(let key, let value?, let expected):
      "The setting \"\(key)\" can't be \"\(value)\": it is \(expected)."
    case .wrongType(let key, nil, let expected): "The setting \"\(key)\" can't be nothing: it is \(expected)."
    case .elsewhere(let key, let isOfDevice):
      "\"\(key)\" is a setting of \(isOfDevice ? "the device" : "an account")."
    case .noKey(let name): "\"\(name)\" is no key of a setting."
    }
  }

  public var remedy: String {
    switch self {
    case .wrongType(_, _, let expected): "Set it to \(expected), or reset it."
    case .elsewhere(_, let isOfDevice): "Set it for \(isOfDevice ? "the device" : "an account")."
    case .noKey: "Name the setting."
    }
  }
}
