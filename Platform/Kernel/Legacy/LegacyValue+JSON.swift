import Foundation

// Legacy values as JSON: what backups and the quarantine hold. Every value reads back as it was.

extension LegacyValue {
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .flag(let value): .bool(value)
    case .number(let value):
      value.isFinite ? .number(value) : LegacyValue.tagged("number", .string("\(value)"))
    case .text(let text): .string(text)
    case .bytes(let bytes): LegacyValue.tagged("bytes", .string(Data(bytes).base64EncodedString()))
    case .time(let seconds, let nanoseconds):
      LegacyValue.tagged("time", .array([.integer(seconds), .integer(Int64(nanoseconds))]))
    case .uuid(let value): LegacyValue.tagged("uuid", .string(value.uuidString.lowercased()))
    case .objectID(let bytes): LegacyValue.tagged("objectId", .string(LegacyKey.objectID(bytes).plainText))
    case .link(let key): LegacyValue.tagged("link", .string(key.identifier))
    case .list(let values): .array(values.map(\.json))
    case .dictionary(let entries):
      LegacyValue.tagged("dictionary", .array(entries.map { .array([.string($0.name), $0.value.json]) }))
    case .decimal(let text): LegacyValue.tagged("decimal", .string(text))
    }
  }

  /// Reads what `json` wrote; nil for anything else.
  init?(json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .flag(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .wide: return nil
    case .string(let text): self = .text(text)
    case .array(let values):
      let members = values.compactMap(LegacyValue.init(json:))
      guard members.count == values.count else { return nil }
      self = .list(members)
    case .object(let object):
      guard let member = object.members.first, object.count == 1 else { return nil }
      self.init(tag: member.name, member.value)
    }
  }

  private init?(tag: String, _ value: JSONValue) {
    let text = value.stringValue
    switch tag {
    case "$number":
      guard let number = text.flatMap(Double.init) else { return nil }
      self = .number(number)
    case "$bytes":
      guard let data = text.flatMap({ Data(base64Encoded: $0) }) else { return nil }
      self = .bytes(Array(data))
    case "$uuid":
      guard let uuid = text.flatMap(UUID.init(uuidString:)) else { return nil }
      self = .uuid(uuid)
    case "$objectId":
      guard case .objectID(let bytes)? = text.flatMap({ LegacyKey(identifier: "o" + $0) }) else { return nil }
      self = .objectID(bytes)
    case "$link":
      guard let key = text.flatMap(LegacyKey.init(identifier:)) else { return nil }
      self = .link(key)
    case "$time":
      guard let parts = value.arrayValue, parts.count == 2, let seconds = parts[0].integerValue,
        let nanoseconds = parts[1].integerValue.flatMap(Int32.init(exactly:))
      else { return nil }
      self = .time(seconds: seconds, nanoseconds: nanoseconds)
    case "$decimal":
      guard let text else { return nil }
      self = .decimal(text)
    case "$dictionary":
      guard let entries = value.arrayValue?.map(Entry.init(json:)), !entries.contains(nil) else { return nil }
      self = .dictionary(entries.compactMap(\.self))
    default: return nil
    }
  }

  private static func tagged(_ tag: String, _ value: JSONValue) -> JSONValue {
    .object(["$\(tag)": value] as JSONObject)
  }
}

extension LegacyValue.Entry {
  fileprivate init?(json: JSONValue) {
    guard let parts = json.arrayValue, parts.count == 2, let name = parts[0].stringValue,
      let value = LegacyValue(json: parts[1])
    else { return nil }
    self.init(name: name, value: value)
  }
}
