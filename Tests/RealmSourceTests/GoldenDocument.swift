import FerryKernel
import Foundation
import TestKit

/// A golden document as legacy rows: what `RealmSource` must give, read with no help from it.
struct GoldenDocument {
  struct Table {
    let name: String
    let properties: [String]
    let rows: [LegacyRow]
  }

  let classes: [Table]
  let schemaVersion: Int64?

  init(_ path: String) throws {
    let url = Golden.repository.appendingPathComponent("Tests/Fixtures/realm/\(path).json")
    let document = try JSONValue.parse(Data(contentsOf: url))
    let tables = document["tables"]?.arrayValue ?? []
    let keys = try GoldenDocument.primaryKeys(tables)
    schemaVersion = document["schema_version"]?.integerValue
    classes = try tables.compactMap { table in
      guard let name = table["name"]?.stringValue, name.hasPrefix("class_") else { return nil }
      let columns = table["columns"]?.arrayValue ?? []
      let rows = try (table["rows"]?.arrayValue ?? []).map { row in
        let values = try columns.map { column in
          let value = row["values"]?[column["name"]?.stringValue ?? ""] ?? .null
          return try GoldenDocument.value(value, column["type"]?.stringValue ?? "", keys)
        }
        return LegacyRow(position: row["key"]?.integerValue ?? -1, values: values)
      }
      return Table(
        name: String(name.dropFirst("class_".count)),
        properties: columns.compactMap { $0["name"]?.stringValue },
        rows: rows)
    }
  }

  private typealias Keys = [String: [Int64: LegacyKey]]

  private static func primaryKeys(_ tables: [JSONValue]) throws -> Keys {
    var keys: Keys = [:]
    for table in tables {
      guard let name = table["name"]?.stringValue else { continue }
      let column = table["primary_key"]?.stringValue
      let type = table["columns"]?.arrayValue?.first { $0["name"]?.stringValue == column }?["type"]?
        .stringValue
      for row in table["rows"]?.arrayValue ?? [] {
        guard let position = row["key"]?.integerValue else { continue }
        let value = try column.map { try self.value(row["values"]?[$0] ?? .null, type ?? "", [:]) }
        keys[name, default: [:]][position] = value.flatMap { LegacyKey($0) } ?? .position(position)
      }
    }
    return keys
  }

  private static func value(_ json: JSONValue, _ type: String, _ keys: Keys) throws -> LegacyValue {
    switch json {
    case .null: return .null
    case .bool(let flag): return .flag(flag)
    case .integer(let integer): return type == "int" ? .integer(integer) : .number(Double(integer))
    case .wide(let digits): return .number(Double(digits) ?? .nan)
    case .number(let number): return .number(type == "float" ? Double(Float(number)) : number)
    case .string(let text) where type == "float" || type == "double":
      return .number(text == "NaN" ? .nan : text == "Infinity" ? .infinity : -.infinity)
    case .string(let text): return .text(text)
    case .array(let members): return .list(try members.map { try value($0, type, keys) })
    case .object(let object):
      guard let first = object.members.first, first.name.hasPrefix("$") else {
        return .dictionary(
          try object.members.map { .init(name: $0.name, value: try value($0.value, type, keys)) })
      }
      return try tagged(first.name, first.value, object, keys)
    }
  }

  private static func tagged(_ tag: String, _ content: JSONValue, _ object: JSONObject, _ keys: Keys) throws
    -> LegacyValue
  {
    let text = content.stringValue ?? ""
    switch tag {
    case "$binary", "$invalidUTF8": return .bytes(Array(Data(base64Encoded: text) ?? Data()))
    case "$timestamp":
      let parts = content.arrayValue?.compactMap(\.integerValue) ?? []
      return .time(seconds: parts[0], nanoseconds: Int32(parts[1]))
    case "$oid":
      guard case .objectID(let bytes)? = LegacyKey(identifier: "o" + text) else { break }
      return .objectID(bytes)
    case "$uuid":
      guard let uuid = UUID(uuidString: text) else { break }
      return .uuid(uuid)
    case "$decimal": return .decimal(text)
    case "$link":
      guard let table = content.arrayValue?.first?.stringValue,
        let key = content.arrayValue?.last?.integerValue,
        let found = keys[table]?[key]
      else { return .null }
      return .link(found)
    case "$mixed": return try value(object["value"] ?? .null, text, keys)
    default: break
    }
    throw GoldenFault("\(tag) \(content) is no value")
  }
}
