import FerryKernel
import Foundation
import RealmFile

/// Turns rows of one class into legacy rows. Used by one thread.
final class ClassReader {
  let table: RealmTable
  private let file: RealmFile
  private let columns: [Int]
  /// For each class that links lead to: the primary keys of its rows by object key.
  private var keys: [String: [Int64: LegacyKey]] = [:]

  /// Whether links are followed one by one: for all rows of a class it pays to read the keys they lead to first.
  private let readsOne: Bool

  /// - Parameters:
  ///   - properties: which ones, in which order; nil for all.
  ///   - readsOne: whether it is for a single row.
  init(_ className: String, of file: RealmFile, properties: [String]?, readsOne: Bool = false) throws {
    guard let table = file.table(className: className) else {
      throw KernelError.malformed(path: className, why: "the file has no such class")
    }
    self.table = table
    self.file = file
    self.readsOne = readsOne
    columns =
      try properties?.map { name in
        guard let index = table.columnIndex(named: name) else {
          throw KernelError.malformed(path: className, why: "it has no property \(name)")
        }
        return index
      } ?? Array(table.columns.indices)
  }

  func legacy(_ row: RealmRow) throws -> LegacyRow {
    LegacyRow(position: row.key, values: try columns.map { try legacy(row.value(at: $0)) })
  }

  private func legacy(_ value: RealmValue) throws -> LegacyValue {
    switch value {
    case .null: .null
    case .int(let value): .integer(value)
    case .bool(let value): .flag(value)
    case .float(let value): .number(Double(value))
    case .double(let value): .number(value)
    case .string(let text): .text(text)
    case .invalidUTF8(let bytes): .bytes(bytes)
    case .binary(let bytes): .bytes(bytes)
    case .timestamp(let seconds, let nanoseconds): .time(seconds: seconds, nanoseconds: nanoseconds)
    case .objectId(let id): .objectID(id.bytes)
    case .uuid(let id): UUID(uuidString: id.description).map { .uuid($0) } ?? .bytes(id.bytes)
    case .decimal128(let decimal): .decimal(decimal.description)
    case .link(let table, let key): try link(table, key)
    case .list(let values), .set(let values): .list(try values.map { try legacy($0) })
    case .dictionary(let dictionary):
      .dictionary(try dictionary.entries.map { .init(name: $0.key, value: try legacy($0.value)) })
    }
  }

  /// A link to a row that isn't there can't be followed; it is null, as the Realm library shows it.
  private func link(_ name: String, _ key: Int64) throws -> LegacyValue {
    guard let target = file.table(named: name) else { return .null }
    if readsOne { return try target.row(key: key).map { .link(try self.key(of: $0, in: target)) } ?? .null }
    if keys[name] == nil { keys[name] = try allKeys(of: target) }
    return keys[name]?[key].map { .link($0) } ?? .null
  }

  private func allKeys(of table: RealmTable) throws -> [Int64: LegacyKey] {
    var keys: [Int64: LegacyKey] = [:]
    let rows = table.rows()
    while let row = try rows.next() { keys[row.key] = try key(of: row, in: table) }
    return keys
  }

  /// The primary key; the place where the class has none.
  private func key(of row: RealmRow, in table: RealmTable) throws -> LegacyKey {
    try table.primaryKey.flatMap { LegacyKey(try legacy(row.value(at: $0))) } ?? .position(row.key)
  }
}
