import FerryDigest
import FerryStore
import Foundation

/// What an entity's rows were when they crossed: a changed file is told by it from one in which only classes of
/// domains changed that haven't crossed yet. It is written in the transaction that ends the reading of the rows.
public struct ClassDigest: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = String
  /// `domain/account/entity`.
  public let id: String
  public let domain: String
  public let account: String
  public let className: String
  public let rows: Int64
  /// SHA-256 over the values of every property that the mapping reads, row by row.
  public let digest: String

  public static let table = Table<ClassDigest>(
    "kernel_class_digest", key: \.id,
    columns: Column("id", \.id), Column("domain", \.domain), Column("account", \.account),
    Column("class_name", \.className), Column("rows", \.rows), Column("digest", \.digest),
    indexes: [Index(\.domain)], make: ClassDigest.init)
}

/// Takes in rows one by one and makes their digest. Used by one thread.
final class RowDigest {
  private let digest = SHA256Digest()
  private var buffer: [UInt8] = []
  private let order: [Int]
  private(set) var rows: Int64 = 0

  private static let flushSize = 1 << 16

  /// - Parameter properties: those that the rows have values of. Their order doesn't matter: a later build may
  ///   ask for them in another one.
  init(_ properties: [String]) {
    order = properties.indices.sorted {
      properties[$0].utf8.lexicographicallyPrecedes(properties[$1].utf8)
    }
    buffer.reserveCapacity(2 * RowDigest.flushSize)
    for index in order { LegacyValue.text(properties[index]).appendDigestForm(to: &buffer) }
  }

  func add(_ row: LegacyRow) {
    rows += 1
    for index in order { row.values[index].appendDigestForm(to: &buffer) }
    // Whose it is counts as well: a row may have gone to another account and be refused for it.
    LegacyValue.flag(row.refusal != nil).appendDigestForm(to: &buffer)
    if buffer.count >= RowDigest.flushSize { flush() }
  }

  /// Ends the use of this value.
  func finish() -> String {
    flush()
    return digest.finish()
  }

  private func flush() {
    buffer.withUnsafeBytes { digest.update($0) }
    buffer.removeAll(keepingCapacity: true)
  }
}

extension LegacyValue {
  /// A form that no other value has: a letter for the kind, and lengths before whatever has any.
  fileprivate func appendDigestForm(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(UInt8(ascii: "0"))
    case .integer(let value):
      bytes.append(UInt8(ascii: "i"))
      LegacyValue.append(UInt64(bitPattern: value), to: &bytes)
    case .flag(let value): bytes.append(value ? UInt8(ascii: "T") : UInt8(ascii: "F"))
    case .number(let value):
      bytes.append(UInt8(ascii: "n"))
      LegacyValue.append(value.bitPattern, to: &bytes)
    case .text(let text): LegacyValue.append(UInt8(ascii: "s"), text.utf8, to: &bytes)
    case .bytes(let value): LegacyValue.append(UInt8(ascii: "b"), value, to: &bytes)
    case .time(let seconds, let nanoseconds):
      bytes.append(UInt8(ascii: "t"))
      LegacyValue.append(UInt64(bitPattern: seconds), to: &bytes)
      LegacyValue.append(UInt64(bitPattern: Int64(nanoseconds)), to: &bytes)
    case .uuid(let value): LegacyValue.append(UInt8(ascii: "u"), value.uuidString.utf8, to: &bytes)
    case .objectID(let value): LegacyValue.append(UInt8(ascii: "o"), value, to: &bytes)
    case .link(let key): LegacyValue.append(UInt8(ascii: "k"), key.identifier.utf8, to: &bytes)
    case .decimal(let text): LegacyValue.append(UInt8(ascii: "d"), text.utf8, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "l"))
      LegacyValue.append(UInt64(values.count), to: &bytes)
      for value in values { value.appendDigestForm(to: &bytes) }
    case .dictionary(let entries):
      bytes.append(UInt8(ascii: "m"))
      LegacyValue.append(UInt64(entries.count), to: &bytes)
      for entry in entries {
        LegacyValue.append(UInt8(ascii: "s"), entry.name.utf8, to: &bytes)
        entry.value.appendDigestForm(to: &bytes)
      }
    }
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func append(_ kind: UInt8, _ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(kind)
    append(UInt64(content.count), to: &bytes)
    bytes.append(contentsOf: content)
  }
}
