import Composition
import FerryConsole
import FerryKernel
import RealmFile

/// `app-cli realm info`: what kind of file it is, and how much is in it.
enum RealmInfoCommand {
  static let command = Command(
    "info", "Show format, size, schema version, classes and rows of a file.", arguments: [RealmCommand.file]
  ) { call in
    let (info, losses) = try call.reading { file in try RealmInfo(file, call) }
    if call.wantsJSON {
      var document = info.json
      document["salvage"] = losses?.json
      try call.document(document)
    } else {
      try info.print(call)
    }
    return call.settle(losses)
  }
}

/// What `info` shows.
private struct RealmInfo {
  let path: String
  let format: Int
  let schemaVersion: Int64?
  /// Facts that a damaged file may not have.
  let facts: RealmFile.Info?
  let tables: [(name: String, isClass: Bool, kind: RealmTable.Kind, rows: Int, columns: Int)]
  let backups: [String]

  init(_ file: RealmFile, _ call: Invocation) throws {
    path = call.argument("FILE")
    format = file.formatVersion
    schemaVersion = file.schemaVersion
    do throws(RealmFileError) {
      facts = try file.info()
    } catch {
      guard call.flag("salvage"), case .damaged = error else { throw error }
      facts = nil
    }
    tables = file.tables.map { ($0.publicName, $0.className != nil, $0.kind, $0.rowCount, $0.columns.count) }
    backups = RealmFile.backups(beside: path)
  }

  var rows: Int { tables.map(\.rows).reduce(0, +) }

  var json: JSONObject {
    func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
    return [
      "file": .string(path), "format": number(format),
      "layout": facts.map { .string($0.layout.rawValue) } ?? .null, "size": number(facts?.size),
      "liveBytes": number(facts?.liveBytes), "freeBytes": number(facts?.freeBytes),
      "encrypted": facts.map { .bool($0.isEncrypted) } ?? .null,
      "schemaVersion": schemaVersion.map { .integer($0) } ?? .null,
      "history": facts.map { .string($0.history.description) } ?? .null, "rows": number(rows),
      "tables": .array(
        tables.map { table in
          .object([
            "name": .string(table.name), "class": .bool(table.isClass), "kind": .string(table.kind.rawValue),
            "properties": number(table.columns), "rows": number(table.rows),
          ])
        }),
      "backups": .array(backups.map { .string($0) }),
    ]
  }

  func print(_ call: Invocation) throws {
    var list = TextTable(["File", .left(path)])
    list.add("Format", "\(format)")
    if let facts {
      list.add("Layout", facts.layout == .streaming ? "streaming: a copy or compacted" : "plain")
      list.add("Size", "\(grouped(facts.size)) bytes")
      list.add("Live", "\(grouped(facts.liveBytes)) bytes")
      list.add("Free", "\(grouped(facts.freeBytes)) bytes")
      list.add("Encrypted", facts.isEncrypted ? "yes" : "no")
      list.add("History", facts.history.description)
    }
    list.add("Schema version", schemaVersion.map { $0 < 0 ? "none" : "\($0)" } ?? "none")
    for backup in backups { list.add("Backup", backup) }
    try call.print(list)
    try call.print("")
    list = TextTable(["Table", "Kind", .right("Properties"), .right("Rows")])
    for table in tables {
      list.add(
        table.name, table.isClass ? table.kind.word : "internal", grouped(table.columns), grouped(table.rows))
    }
    list.add(total: "all", "", "", grouped(rows))
    try call.print(list)
  }
}

extension RealmTable.Kind {
  /// The kind as a person reads it.
  var word: String {
    switch self {
    case .topLevel: "class"
    case .embedded: "embedded"
    case .asymmetric: "upload only"
    }
  }
}
