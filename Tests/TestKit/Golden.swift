import FerryKernel
import FerryStore
import Foundation

/// What a Realm file of the fixtures holds, from the JSON document beside it, which the library that wrote the
/// file made: what a crossing is held against.
public struct Golden: Sendable {
  /// A row of a class.
  public struct Row: Sendable {
    /// The row's object key, which links name and which is its place in the class.
    public let key: Int64
    fileprivate let values: JSONObject
    fileprivate let place: String
    fileprivate let keys: [String: [Int64: LegacyKey]]
  }

  private let tables: [String: [Row]]

  /// The users whose files the fixtures have.
  public static let users = ["alice", "bob"]
  /// What the demo's server keeps of each.
  public static let feeds = ["folders", "items", "attachments", "settings"]
  /// The repository that this build comes from.
  public static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  /// Where the files are.
  public static let folder = Golden.repository.appendingPathComponent("Tests/Fixtures/realm/app")

  /// Reads the document of a user's file.
  public init(_ user: String) throws {
    let document = try JSONValue.parse(Data(contentsOf: Golden.folder.appendingPathComponent("\(user).json")))
    var rows: [String: [(Int64, JSONObject)]] = [:]
    var keys: [String: [Int64: LegacyKey]] = [:]
    for table in try Golden.member("tables", of: document).arrayValue ?? [] {
      let name = try Golden.member("name", of: table).stringValue ?? ""
      let primaryKey = table["primary_key"]?.stringValue
      rows[name] = []
      for row in try Golden.member("rows", of: table).arrayValue ?? [] {
        let values = try Golden.member("values", of: row).objectValue ?? [:]
        let key = try Golden.member("key", of: row).integerValue ?? 0
        rows[name]?.append((key, values))
        keys[name, default: [:]][key] = try primaryKey.map { try Golden.key(values[$0]) } ?? .position(key)
      }
    }
    var tables: [String: [Row]] = [:]
    for (name, list) in rows {
      tables[name] = list.map { Row(key: $0, values: $1, place: "\(user), \(name) \($0)", keys: keys) }
    }
    self.tables = tables
  }

  /// The rows of a class, by object key.
  public func rows(of className: String) throws -> [Row] {
    guard let rows = tables["class_\(className)"] else { throw GoldenFault("no class \(className)") }
    return rows
  }

  private static func member(_ name: String, of value: JSONValue) throws -> JSONValue {
    guard let member = value[name] else { throw GoldenFault("no member \(name)") }
    return member
  }

  fileprivate static func key(_ value: JSONValue?) throws -> LegacyKey {
    switch value {
    case .integer(let number)?: return .integer(number)
    case .string(let text)?: return .text(text)
    case .object(let object)?:
      if let uuid = object["$uuid"]?.stringValue.flatMap(UUID.init(uuidString:)) { return .uuid(uuid) }
      if let hex = object["$oid"]?.stringValue, let key = LegacyKey(identifier: "o" + hex) { return key }
      throw GoldenFault("no key: \(object)")
    default: throw GoldenFault("no key: \(String(describing: value))")
    }
  }
}

extension Golden.Row {
  /// A property as JSON; throws where the row doesn't have it.
  public func value(_ name: String) throws -> JSONValue {
    guard let value = values[name] else { throw GoldenFault("\(place) has no \(name)") }
    return value
  }

  public func text(_ name: String) throws -> String { try be("text", name, value(name).stringValue) }
  public func integer(_ name: String) throws -> Int64 { try be("an integer", name, value(name).integerValue) }
  public func number(_ name: String) throws -> Double { try be("a number", name, value(name).numberValue) }
  public func flag(_ name: String) throws -> Bool { try be("a truth value", name, value(name).boolValue) }

  /// A property that may be null.
  public func ifAny<Value>(_ name: String, _ read: (String) throws -> Value) throws -> Value? {
    try value(name).isNull ? nil : try read(name)
  }

  /// A time, with every nanosecond.
  public func time(_ name: String) throws -> Timestamp {
    let parts = try be("a time", name, value(name)["$timestamp"]?.arrayValue).compactMap(\.integerValue)
    guard parts.count == 2 else { throw GoldenFault("\(place): \(name) has not two parts") }
    return Timestamp(nanoseconds: parts[0] * 1_000_000_000 + parts[1])
  }

  public func bytes(_ name: String) throws -> Data {
    try be("bytes", name, value(name)["$binary"]?.stringValue.flatMap { Data(base64Encoded: $0) })
  }

  public func texts(_ name: String) throws -> [String] {
    let list = try be("a list", name, value(name).arrayValue)
    return try list.map { try be("text", name, $0.stringValue) }
  }

  /// A property that is a key, as an identifier of what it names.
  public func key<Kind>(_ name: String) throws -> Identifier<Kind> {
    try be("a key", name, Identifier(Golden.key(value(name)).identifier))
  }

  /// The row that a link leads to; nil where it is null.
  public func target<Kind>(_ name: String) throws -> Identifier<Kind>? {
    let link = try value(name)
    if link.isNull { return nil }
    let parts = try be("a link", name, link["$link"]?.arrayValue)
    guard parts.count == 2, let table = parts[0].stringValue, let key = parts[1].integerValue,
      let found = keys[table]?[key]
    else { throw GoldenFault("\(place): \(name) leads nowhere") }
    return try be("a link", name, Identifier(found.identifier))
  }

  private func be<Value>(_ what: String, _ name: String, _ value: Value?) throws -> Value {
    guard let value else { throw GoldenFault("\(place): \(name) is not \(what)") }
    return value
  }
}

/// A fixture that isn't what a test takes it for.
public struct GoldenFault: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// What keeps two lists of records from being the same in every stored byte, in words; empty where they are.
///
/// Swift's `==` on `String` takes the composed and the decomposed form of a letter as equal, so `==` on records
/// would let a store compose what it was given.
public func differences<R: Record>(_ found: [R], _ expected: [R]) -> [String] {
  var differences: [String] = []
  if found.count != expected.count {
    differences.append("\(found.count) \(R.table.name) rows, expected \(expected.count)")
  }
  for (index, (left, right)) in zip(found, expected).enumerated() where !R.table.areEqual(left, right) {
    differences.append("\(R.table.name) \(index): \(left) is not \(right)")
  }
  return differences
}
