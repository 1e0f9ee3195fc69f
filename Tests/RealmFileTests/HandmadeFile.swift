/// Builds small database files node by node, among them such as no library would write.
///
/// Nodes of integers and refs are always 64 bits wide.
struct HandmadeFile {
  /// What a column of a handmade table is; type codes and attributes as in the format specification, section 7.
  struct Column {
    var name: String
    var type: Int64
    var attributes: Int64 = 0
    var target: Int64?
    /// Spec slot 4: the root of the strings of an interned column.
    var enumerated: Int64 = 0
  }

  /// Nodes start here.
  let base: Int
  var format: UInt8 = 24
  private(set) var nodes: [UInt8] = []
  private var tables: [(name: String, ref: Int64)] = []

  init(base: Int = 24) {
    self.base = base
  }

  static func tagged(_ value: Int64) -> Int64 { value << 1 | 1 }

  /// A node with these flags; returns its ref.
  mutating func node(flags: UInt8, size: Int, payload: [UInt8]) -> Int64 {
    let ref = base + nodes.count
    nodes +=
      Array("AAAA".utf8) + [flags, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)] + payload
    while nodes.count % 8 != 0 { nodes.append(0) }
    return Int64(ref)
  }

  mutating func integers(_ values: [Int64], flags: UInt8 = 0) -> Int64 {
    node(flags: 0x07 | flags, size: values.count, payload: values.flatMap(Self.bytes))
  }

  mutating func refs(_ values: [Int64], flags: UInt8 = 0) -> Int64 {
    integers(values, flags: 0x40 | flags)
  }

  mutating func inner(_ values: [Int64]) -> Int64 {
    integers(values, flags: 0xC0)
  }

  mutating func blob(_ bytes: [UInt8]) -> Int64 {
    node(flags: 0x10, size: bytes.count, payload: bytes)
  }

  /// Strings of at most 63 bytes; nil is null.
  mutating func strings(_ values: [[UInt8]?]) -> Int64 {
    let payload = values.flatMap { value in
      guard let value else { return [UInt8](repeating: 0, count: 63) + [64] }
      return value + [UInt8](repeating: 0, count: 63 - value.count) + [UInt8(63 - value.count)]
    }
    return node(flags: 0x0F, size: values.count, payload: payload)
  }

  mutating func strings(_ values: [String]) -> Int64 {
    strings(values.map { Array($0.utf8) })
  }

  /// A cluster in compact form.
  mutating func cluster(rows: Int, leaves: [Int64]) -> Int64 {
    refs([Self.tagged(Int64(rows))] + leaves)
  }

  /// A table whose rows are in the tree at `root`; column i has leaf index i.
  ///
  /// `reuse` is the tag in the table's key that tells it from former tables of the same slot.
  mutating func table(_ name: String, _ columns: [Column], root: Int64, reuse: Int64 = 0) {
    let keys = columns.enumerated().map { Int64($0) | $1.type << 16 | $1.attributes << 22 }
    let types = integers(columns.map(\.type))
    let names = strings(columns.map(\.name))
    let attributes = integers(columns.map(\.attributes))
    let isEnumerated = columns.contains { $0.enumerated != 0 }
    let enumerated = isEnumerated ? refs(columns.map(\.enumerated)) : 0
    let spec = refs([types, names, attributes, 0, enumerated, integers(keys)])
    let opposite = integers(columns.map { $0.target ?? 0x7FFF_FFFF })
    let key = Self.tagged(Int64(tables.count) | reuse << 16)
    tables.append((name, refs([spec, 0, root, key, 0, 1, 1, opposite, 0, 1, 0, 0, 1, 0])))
  }

  /// A table with the node at this ref.
  mutating func add(_ name: String, _ ref: Int64) {
    tables.append((name, ref))
  }

  /// A slot that a removed table has left.
  mutating func vacancy() {
    tables.append(("", Self.tagged(7)))
  }

  /// The table before this one once more, in another slot.
  mutating func sameTableAgain() {
    if let last = tables.last { tables.append(last) }
  }

  /// The whole file with the top ref in slot 1, or in a footer.
  mutating func finish(isStreaming: Bool = false) -> [UInt8] {
    let (header, body) = parts(isStreaming: isStreaming)
    return header + [UInt8](repeating: 0, count: base - 24) + body
  }

  /// The header, and what begins at `base`.
  mutating func parts(isStreaming: Bool = false) -> (header: [UInt8], body: [UInt8]) {
    let names = strings(tables.map(\.name))
    let list = refs(tables.map(\.ref))
    let logicalSize = Int64(base + nodes.count + 32)
    let top = refs([names, list, Self.tagged(logicalSize)])
    let first = isStreaming ? -1 : 0
    var header = Self.bytes(Int64(first)) + Self.bytes(isStreaming ? 0 : top) + Array("T-DB".utf8)
    header += isStreaming ? [format, 0, 0, 0] : [0, format, 0, 1]
    var body = nodes
    if isStreaming { body += Self.bytes(top) + Self.bytes(0x3034_1252_37E5_26C8) }
    return (header, body)
  }

  static func bytes(_ value: Int64) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
  }
}
