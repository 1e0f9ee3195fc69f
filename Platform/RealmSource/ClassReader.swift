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

  /// - Parameter properties: which ones, in which order; nil for all.
  init(_ className: String, of file: RealmFile, properties: [String]?) throws {
    guard let table = file.table(className: className) else {
      throw KernelError.malformed(path: className, why: "the file has no such class")
    }
    self.table = table
    self.file = file
    columns = try properties?.map { name in
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
  private func link(_ table: String, _ key: Int64) throws -> LegacyValue {
    if keys[table] == nil { keys[table] = try primaryKeys(of: table) }
    return keys[table]?[key].map { .link($0) } ?? .null
  }

  private func primaryKeys(of name: String) throws -> [Int64: LegacyKey] {
    guard let target = file.table(named: name) else { return [:] }
    var keys: [Int64: LegacyKey] = [:]
    let rows = target.rows()
    while let row = try rows.next() {
      let key = try target.primaryKey.flatMap { LegacyKey(try legacy(row.value(at: $0))) }
      keys[row.key] = key ?? .position(row.key)
    }
    return keys
  }
}
