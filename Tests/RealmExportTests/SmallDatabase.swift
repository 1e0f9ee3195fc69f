import Foundation
import RealmFile

/// A database of format 24 made node by node, with names such as no app would choose. Every column has as many
/// values as the table has rows; type codes and attributes are those of the format specification, section 7.
struct SmallDatabase {
  enum Values {
    case ints([Int64])
    case strings([[UInt8]])
    case doubles([Double])
    /// Object keys in the table of this number.
    case links([Int64?], table: Int)
    case linkLists([[Int64]], table: Int)
  }

  struct Column {
    let name: [UInt8]
    let values: Values

    init(_ name: String, _ values: Values) { (self.name, self.values) = (Array(name.utf8), values) }
  }

  private var nodes: [UInt8] = []
  private var tables: [(name: [UInt8], ref: Int64)] = []
  private let base = 24

  /// Adds a table whose primary key is the column at `primaryKey`.
  mutating func add(_ name: String, rows: Int, primaryKey: Int? = nil, _ columns: [Column]) {
    let leaves = columns.map { leaf($0.values) }
    let keys = columns.enumerated().map { Int64($0) | $1.values.type << 16 | $1.values.attributes << 22 }
    let spec = refs([
      integers(columns.map(\.values.type)), strings(columns.map(\.name)),
      integers(columns.map(\.values.attributes)),
      0, 0, integers(keys),
    ])
    let root = refs([tagged(Int64(rows))] + leaves)
    let opposite = integers(columns.map { $0.values.target ?? 0x7FFF_FFFF })
    let key = primaryKey.map { tagged(keys[$0]) } ?? 0
    let slots = [spec, 0, root, tagged(Int64(tables.count)), 0, 1, 1, opposite, 0, 1, 0, key, 1, 0]
    tables.append((Array(name.utf8), refs(slots)))
  }

  /// The file's bytes.
  mutating func finish() -> [UInt8] {
    let names = strings(tables.map(\.name))
    let list = refs(tables.map(\.ref))
    let top = refs([names, list, tagged(Int64(base + nodes.count + 32))])
    return bytes(0) + bytes(top) + Array("T-DB".utf8) + [0, 24, 0, 1] + nodes
  }

  private mutating func leaf(_ values: Values) -> Int64 {
    switch values {
    case .ints(let numbers): integers(numbers)
    case .strings(let texts): strings(texts)
    case .doubles(let numbers):
      node(flags: 0x0C, size: numbers.count, numbers.flatMap { bytes(Int64(bitPattern: $0.bitPattern)) })
    case .links(let keys, _): integers(keys.map { ($0 ?? -1) + 1 })
    case .linkLists(let lists, _): refs(lists.map { $0.isEmpty ? 0 : integers($0) })
    }
  }

  private mutating func node(flags: UInt8, size: Int, _ payload: [UInt8]) -> Int64 {
    let ref = base + nodes.count
    nodes +=
      Array("AAAA".utf8) + [flags, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)] + payload
    nodes += [UInt8](repeating: 0, count: (8 - nodes.count % 8) % 8)
    return Int64(ref)
  }

  private mutating func integers(_ values: [Int64], flags: UInt8 = 0) -> Int64 {
    node(flags: 0x07 | flags, size: values.count, values.flatMap(bytes))
  }

  private mutating func refs(_ values: [Int64]) -> Int64 { integers(values, flags: 0x40) }

  private mutating func strings(_ values: [[UInt8]]) -> Int64 {
    var payload: [UInt8] = []
    for value in values {
      let room = 63 - value.count
      payload += value
      payload += [UInt8](repeating: 0, count: room)
      payload.append(UInt8(room))
    }
    return node(flags: 0x0F, size: values.count, payload)
  }

  private func tagged(_ value: Int64) -> Int64 { value << 1 | 1 }
  private func bytes(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}

extension SmallDatabase.Values {
  fileprivate var type: Int64 {
    switch self {
    case .ints: 0
    case .strings: 2
    case .doubles: 10
    case .links, .linkLists: 12
    }
  }

  fileprivate var attributes: Int64 {
    switch self {
    case .ints, .strings, .doubles: 0
    case .links: 16
    case .linkLists: 32
    }
  }

  fileprivate var target: Int64? {
    switch self {
    case .links(_, let table), .linkLists(_, let table): Int64(table)
    default: nil
    }
  }
}

extension TemporaryFolder {
  /// Opens the database from a file in this folder.
  func open(_ database: SmallDatabase) throws -> RealmFile {
    var database = database
    try Data(database.finish()).write(to: url.appending(path: "small.realm"))
    return try RealmFile(path: path("small.realm"))
  }
}
