/// Tables of formats up to 9, in which each column has a tree of its own.
extension HandmadeFile {
  /// A column of such a table.
  struct TreeColumn {
    var name: String
    var type: Int64
    var attributes: Int64 = 0
    var root: Int64
    /// Entries of the column in the spec's third slot, such as a tagged table slot or the spec of a sub-table.
    var subspec: [Int64] = []
    /// The root of the strings of an interned column.
    var strings: Int64?
  }

  /// A spec of 3 to 5 slots, as short as its columns allow.
  mutating func treeSpec(_ columns: [TreeColumn]) -> Int64 {
    var slots = [
      integers(columns.map(\.type)), strings(columns.filter { $0.type != 14 }.map(\.name)),
      integers(columns.map(\.attributes)),
    ]
    let subspecs = columns.flatMap(\.subspec)
    let interned = columns.compactMap(\.strings)
    if !subspecs.isEmpty || !interned.isEmpty { slots.append(subspecs.isEmpty ? 0 : refs(subspecs)) }
    if !interned.isEmpty { slots.append(refs(interned)) }
    return refs(slots)
  }

  /// A table whose indexed columns are each followed by a search index, here a node that nobody may read.
  mutating func table(_ name: String, trees columns: [TreeColumn]) {
    let unreadable = node(flags: 0x1F, size: 0xFF_FFFF, payload: [])
    let roots = columns.flatMap { $0.attributes & 1 == 1 ? [$0.root, unreadable] : [$0.root] }
    let table = [treeSpec(columns), refs(roots)]
    add(name, refs(table))
  }

  /// Seconds and nanoseconds in two trees, the seconds with a null of their own.
  mutating func timestamps(_ seconds: Int64, _ nanoseconds: Int64) -> Int64 {
    refs([seconds, nanoseconds])
  }

  /// A leaf of strings in one blob, with marks where the column may be null.
  mutating func mediumStrings(_ values: [String?], marks: [Int64]?) -> Int64 {
    var blob: [UInt8] = []
    var ends: [Int64] = []
    for value in values {
      if let value { blob += Array(value.utf8) + [0] } else { blob += [0] }
      ends.append(Int64(blob.count))
    }
    let parts = [integers(ends), self.blob(blob)]
    return refs(marks.map { parts + [integers($0)] } ?? parts)
  }
}
