import RealmFile

extension RealmExport {
  /// Writes the canonical JSON document: of the whole file as `RealmFile.writeJSON` gives it, or, where classes were
  /// chosen, the same document with only those tables.
  public func writeJSON(to write: @escaping Write) throws -> ExportOutcome {
    guard isSelection else { return try writeWholeFile(to: write) }
    var buffer = OutputBuffer(write)
    let version = file.schemaVersion.map { String($0) } ?? "null"
    buffer.append("{\"file_format\":\(file.formatVersion),\"schema_version\":\(version),\"tables\":[")
    var exported: [ExportedClass] = []
    for (index, entry) in classes.enumerated() {
      buffer.append(index == 0 ? "\n" : ",\n")
      buffer.append(DeclarationJSON.opening(of: entry.table))
      var separator = "\n"
      let count = try forEachRow(ofClass: index) { row in
        buffer.append(separator)
        separator = ",\n"
        try row.appendJSON(to: &buffer.bytes)
        try buffer.drain()
      }
      buffer.append("]}")
      exported.append(ExportedClass(name: entry.name, rows: count, place: nil))
    }
    buffer.append("]}\n")
    try buffer.flush()
    return ExportOutcome(classes: exported)
  }

  private func writeWholeFile(to write: Write) throws -> ExportOutcome {
    // Text has no line breaks within strings: there is one before each table and each row, and one at the end.
    let entries = file.tables.map(ExportClass.init)
    let total = entries.map(\.table.rowCount).reduce(0, +)
    var lines = 0
    try progress(ExportProgress(done: 0, of: total))
    try file.writeJSON { bytes in
      try write(bytes)
      for byte in bytes where byte == UInt8(ascii: "\n") { lines += 1 }
      try progress(ExportProgress(done: min(total, max(0, lines - entries.count)), of: total))
    }
    return ExportOutcome(
      classes: entries.map { ExportedClass(name: $0.name, rows: $0.table.rowCount, place: nil) })
  }

  /// Writes one row a line, each with its class: `{"class":"Note","key":3,"values":{…}}`.
  public func writeNDJSON(to write: @escaping Write) throws -> ExportOutcome {
    var buffer = OutputBuffer(write)
    var exported: [ExportedClass] = []
    for (index, entry) in classes.enumerated() {
      let opening = "{\"class\":\(DeclarationJSON.quoted(entry.name)),"
      let count = try forEachRow(ofClass: index) { row in
        // The row's own text begins with the brace that `opening` has already.
        var text: [UInt8] = []
        try row.appendJSON(to: &text)
        buffer.append(opening)
        buffer.bytes.append(contentsOf: text.dropFirst())
        buffer.bytes.append(UInt8(ascii: "\n"))
        try buffer.drain()
      }
      exported.append(ExportedClass(name: entry.name, rows: count, place: nil))
    }
    try buffer.flush()
    return ExportOutcome(classes: exported)
  }
}

/// A table's declaration as the canonical document has it.
enum DeclarationJSON {
  /// Everything before the first row.
  static func opening(of table: RealmTable) -> String {
    let primaryKey = table.primaryKey.map { quoted(table.columns[$0].name) } ?? "null"
    let columns = table.columns.map { column in
      "{\"name\":\(quoted(column.name)),\"type\":\"\(column.type.rawValue)\",\"nullable\":\(column.isNullable),"
        + "\"collection\":\"\(column.collection.rawValue)\",\"target\":\(column.target.map(quoted) ?? "null")}"
    }
    return
      "{\"name\":\(quoted(table.name)),\"primary_key\":\(primaryKey),\"embedded\":\(table.kind == .embedded),"
      + (table.kind == .asymmetric ? "\"asymmetric\":true," : "")
      + "\"columns\":[\(columns.joined(separator: ","))],\"rows\":["
  }

  /// A JSON string in the spelling of the canonical document.
  static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    result.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result.append(contentsOf: ["\\", scalar])
      case "\u{8}": result.append(contentsOf: "\\b".unicodeScalars)
      case "\u{C}": result.append(contentsOf: "\\f".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        result.append(
          contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
      default: result.append(scalar)
      }
    }
    result.append("\"")
    return String(result)
  }
}
