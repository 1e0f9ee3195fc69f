import RealmFile

/// CSV by RFC 4180: UTF-8, commas, CRLF, one header line. What it says beyond that:
///
/// - The first column is the object key, which links name: `_key`, or with more underscores where a property is
///   called so.
/// - Nothing between the commas is null; an empty text is `""`.
/// - A link is the key of its target. A collection and a mixed value are canonical JSON.
/// - Times are ISO 8601 in UTC with nanoseconds, bytes base64, truth values `true` and `false`.
/// - Text that begins with `=`, `+`, `-` or `@` stands as it is: the file holds data, and a spreadsheet that runs it
///   as a formula has to be told to import text.
extension RealmExport {
  /// Writes a file a class into a folder.
  public func writeCSV(to folder: AtomicFolder) throws -> ExportOutcome {
    var names = UniqueNames()
    var outcome = ExportOutcome()
    for (index, entry) in classes.enumerated() {
      let name = names.claim(SafeName.file(entry.name), suffix: ".csv")
      let rows = try folder.add(name) { write in try writeCSV(ofClass: index, to: write) }
      outcome.classes.append(ExportedClass(name: entry.name, rows: rows, place: name))
    }
    return outcome
  }

  /// Writes the rows of the class at this position of `classes`.
  public func writeCSV(ofClass position: Int, to write: @escaping Write) throws -> Int {
    let columns = classes[position].table.columns
    var buffer = OutputBuffer(write)
    buffer.append(Self.header(columns))
    let count = try forEachRow(ofClass: position) { row in
      var pieces = RowPieces(row)
      buffer.append(String(row.key))
      for index in columns.indices {
        buffer.bytes.append(UInt8(ascii: ","))
        try Self.append(row, index, columns[index], &pieces, to: &buffer.bytes)
      }
      buffer.append("\r\n")
      try buffer.drain()
    }
    try buffer.flush()
    return count
  }

  private static func header(_ columns: [RealmColumn]) -> String {
    var names = UniqueNames()
    for column in columns { _ = names.claim(column.name) }
    var line: [UInt8] = []
    appendField(Array(names.claimOwn("_key").utf8), to: &line)
    for column in columns {
      line.append(UInt8(ascii: ","))
      appendField(Array(column.name.utf8), to: &line)
    }
    return String(decoding: line, as: UTF8.self) + "\r\n"
  }

  private static func append(
    _ row: RealmRow, _ index: Int, _ column: RealmColumn, _ pieces: inout RowPieces, to line: inout [UInt8]
  ) throws {
    let value = try row.value(at: index)
    if column.collection != .none || column.type == .mixed {
      if !value.isNull { appendField(try pieces.cell(index), to: &line) }
      return
    }
    switch value {
    case .null: break
    case .int(let number): line.append(contentsOf: String(number).utf8)
    case .bool(let flag): line.append(contentsOf: (flag ? "true" : "false").utf8)
    case .float(let number): line.append(contentsOf: PlainText.number(number).utf8)
    case .double(let number): line.append(contentsOf: PlainText.number(number).utf8)
    case .string(let text): appendField(Array(text.utf8), to: &line)
    case .binary(let bytes): appendField(Array(PlainText.base64(bytes).utf8), to: &line)
    case .timestamp(let seconds, let nanoseconds):
      line.append(contentsOf: PlainText.time(seconds: seconds, nanoseconds: nanoseconds).utf8)
    case .objectId(let identifier): line.append(contentsOf: identifier.description.utf8)
    case .uuid(let identifier): line.append(contentsOf: identifier.description.utf8)
    case .decimal128(let number): line.append(contentsOf: number.description.utf8)
    case .link(_, let key): line.append(contentsOf: String(key).utf8)
    // CSV is UTF-8; bytes that aren't stand as the JSON that names them.
    case .invalidUTF8, .list, .set, .dictionary: appendField(try pieces.cell(index), to: &line)
    }
  }

  /// A field in quotes where it needs them, and where it is empty: nothing at all is null.
  private static func appendField(_ field: [UInt8], to line: inout [UInt8]) {
    let needsQuotes =
      field.isEmpty || field.contains { $0 <= 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
    guard needsQuotes else { return line.append(contentsOf: field) }
    line.append(UInt8(ascii: "\""))
    for byte in field {
      if byte == UInt8(ascii: "\"") { line.append(byte) }
      line.append(byte)
    }
    line.append(UInt8(ascii: "\""))
  }
}
