extension RealmFile {
  /// Writes schema and every row as canonical JSON: one row a line, no other spaces, keys in a fixed order.
  ///
  /// Two files with the same content give the same bytes, so the text serves for comparing, hashing and
  /// exporting. It reaches `write` piece by piece as UTF-8. Throws what reading throws, and what `write` throws.
  public func writeJSON(to write: (UnsafeRawBufferPointer) throws -> Void) throws {
    var text = JSONText()
    func flush() throws {
      try text.bytes.withUnsafeBytes(write)
      text.bytes.removeAll(keepingCapacity: true)
    }
    let version = schemaVersion.map { String($0) } ?? "null"
    text.raw("{\"file_format\":\(formatVersion),\"schema_version\":\(version),\"tables\":[")
    for (position, table) in tables.enumerated() {
      text.raw(position == 0 ? "\n" : ",\n")
      text.declaration(of: table)
      text.raw(",\"rows\":[")
      var isFirst = true
      let rows = table.rows()
      while let row = try rows.next() {
        text.raw(isFirst ? "\n" : ",\n")
        isFirst = false
        try text.row(row)
        if text.bytes.count >= 1 << 16 { try flush() }
      }
      text.raw("]}")
    }
    text.raw("]}\n")
    try flush()
  }
}

extension RealmRow {
  /// Appends the row as canonical JSON, as it stands in the document that `RealmFile.writeJSON` writes.
  public func appendJSON(to utf8: inout [UInt8]) throws(RealmFileError) {
    var text = JSONText()
    swap(&text.bytes, &utf8)
    defer { swap(&text.bytes, &utf8) }
    try text.row(self)
  }
}

extension JSONText {
  /// A table without its rows, its brace still open.
  fileprivate mutating func declaration(of table: RealmTable) {
    raw("{\"name\":")
    string(table.name)
    raw(",\"primary_key\":")
    optional(table.primaryKey.map { table.columns[$0].name })
    raw(",\"embedded\":\(table.kind == .embedded)")
    if table.kind == .asymmetric { raw(",\"asymmetric\":true") }
    raw(",\"columns\":")
    list(table.columns) { text, column in
      text.raw("{\"name\":")
      text.string(column.name)
      text.raw(",\"type\":\"\(column.type.rawValue)\",\"nullable\":\(column.isNullable)")
      text.raw(",\"collection\":\"\(column.collection.rawValue)\",\"target\":")
      text.optional(column.target)
      text.raw("}")
    }
  }

  private mutating func optional(_ text: String?) {
    if let text { string(text) } else { raw("null") }
  }

  fileprivate mutating func row(_ row: RealmRow) throws(RealmFileError) {
    raw("{\"key\":")
    integer(row.key)
    raw(",\"values\":{")
    let cluster = row.cluster
    let layout = cluster.layout
    let names = layout.quotedNames
    for index in 0..<names.count {
      raw(names[index])
      do throws(RealmFileError) {
        let cell = try cluster.cell(column: index, row: row.index)
        if case .composite = cell {
          self.cell(try cluster.composite(column: index, row: row.index), of: layout.publicColumns[index])
        } else {
          single(cell, layout.columns[index], cluster.snapshot)
        }
      } catch {
        try cluster.overlook(error)
        raw("null")
      }
    }
    raw("}}")
  }

  /// A cell that is not composite, without making a value of it first.
  private mutating func single(_ cell: RawCell, _ layout: ColumnLayout, _ snapshot: Snapshot) {
    switch cell {
    case .null, .composite: raw("null")
    case .int(let number): integer(number)
    case .bool(let flag): flag ? raw("true") : raw("false")
    case .text(let utf8): text(utf8)
    case .binary(let data):
      raw("{\"$binary\":")
      base64(data)
      raw("}")
    case .timestamp(let seconds, let nanoseconds): timestamp(seconds, nanoseconds)
    case .link(let key):
      guard let link = layout.quotedLink else { return raw("null") }
      raw(link)
      integer(key)
      raw("]}")
    default: plain(RealmValue(cell, target: nil, snapshot: snapshot))
    }
  }

  private mutating func timestamp(_ seconds: Int64, _ nanoseconds: Int32) {
    raw("{\"$timestamp\":[")
    integer(seconds)
    raw(",")
    integer(Int64(nanoseconds))
    raw("]}")
  }

  private mutating func cell(_ value: RealmValue, of column: RealmColumn) {
    let isMixed = column.type == .mixed
    switch value {
    case .list(let elements) where column.collection != .none, .set(let elements):
      list(elements) { $0.element($1, isMixed: isMixed) }
    case .dictionary(let dictionary) where column.collection != .none: entries(dictionary, isMixed: isMixed)
    default: element(value, isMixed: isMixed)
    }
  }

  private mutating func entries(_ dictionary: RealmDictionary, isMixed: Bool) {
    let sorted = dictionary.entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    list(sorted, open: "{", close: "}") { text, entry in
      text.string(entry.key)
      text.raw(":")
      text.element(entry.value, isMixed: isMixed)
    }
  }

  /// One value; a mixed one names its type.
  private mutating func element(_ value: RealmValue, isMixed: Bool) {
    guard isMixed, let type = value.mixedTypeName else { return plain(value) }
    raw("{\"$mixed\":\"\(type)\",\"value\":")
    plain(value)
    raw("}")
  }

  private mutating func plain(_ value: RealmValue) {
    switch value {
    case .null: raw("null")
    case .int(let number): integer(number)
    case .bool(let flag): flag ? raw("true") : raw("false")
    case .float(let number): raw(PythonNumbers.text(number))
    case .double(let number): raw(PythonNumbers.text(number))
    case .string(let text): string(text)
    case .invalidUTF8(let bytes): wrapped("$invalidUTF8") { $0.base64(bytes) }
    case .binary(let bytes): wrapped("$binary") { $0.base64(bytes) }
    case .timestamp(let seconds, let nanoseconds): timestamp(seconds, nanoseconds)
    case .objectId(let identifier): wrapped("$oid") { $0.string(identifier.description) }
    case .uuid(let identifier): wrapped("$uuid") { $0.string(identifier.description) }
    case .decimal128(let number): wrapped("$decimal") { $0.string(number.description) }
    case .link(let table, let key):
      wrapped("$link") { text in
        text.raw("[")
        text.string(table)
        text.raw(",")
        text.integer(key)
        text.raw("]")
      }
    case .list(let elements), .set(let elements): list(elements) { $0.element($1, isMixed: true) }
    case .dictionary(let dictionary): entries(dictionary, isMixed: true)
    }
  }

  private mutating func wrapped(_ name: StaticString, _ write: (inout JSONText) -> Void) {
    raw("{\"")
    raw(name)
    raw("\":")
    write(&self)
    raw("}")
  }
}

extension RealmValue {
  /// What a mixed value calls its type; nil for null.
  fileprivate var mixedTypeName: String? {
    switch self {
    case .null: nil
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string, .invalidUTF8: "string"
    case .binary: "binary"
    case .timestamp: "timestamp"
    case .objectId: "objectId"
    case .uuid: "uuid"
    case .decimal128: "decimal128"
    case .link: "link"
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}
