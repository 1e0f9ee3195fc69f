import FerryStore

/// A line of the log.
public struct LogLine: Sendable, Equatable {
  public let at: Timestamp
  public let level: LogLevel
  /// The room or domain that logs.
  public let category: String
  public let message: String
  /// Whom it is about; nil for the device.
  public let account: AccountID?
  /// What a script asks for rather than reads.
  public let fields: LogFields

  /// - Parameter message: for a person. What mustn't be in it is `Redacted`.
  public init(
    at: Timestamp, level: LogLevel, category: String, message: String, account: AccountID? = nil,
    fields: LogFields = [:]
  ) {
    (self.at, self.level, self.category, self.message) = (at, level, category, message)
    (self.account, self.fields) = (account, fields)
  }
}

extension LogLine {
  /// As a line of the spill.
  var json: JSONValue {
    var members: JSONObject = [
      "at": .integer(at.nanoseconds), "level": .integer(level.rawValue), "category": .string(category),
      "message": .string(message),
    ]
    members["account"] = account.map { .string($0.description) }
    if !fields.json.isEmpty { members["fields"] = .object(fields.json) }
    return .object(members)
  }

  init?(json: JSONValue) {
    guard let at = json["at"]?.integerValue, let level = json["level"]?.integerValue,
      let category = json["category"]?.stringValue, let message = json["message"]?.stringValue
    else { return nil }
    self.init(
      at: Timestamp(nanoseconds: at), level: LogLevel(rawValue: level), category: category, message: message,
      account: json["account"]?.stringValue.flatMap { try? AccountID($0) },  // why: a bad name is no account
      fields: LogFields(json["fields"]?.objectValue ?? [:]))
  }
}
