import Composition
import FerryConsole
import FerryKernel
import RealmFile

/// `app-cli realm info`: what kind of file it is, and how much is in it.
enum RealmInfoCommand {
  static let command = Command(
    "info", "Show format, size, schema version, classes and rows of a file.", arguments: [RealmCommand.file]
  ) { call in
    let info = try call.reading { file in try RealmInfo(file, call) }
    if call.wantsJSON { try call.document(info.json) } else { try info.print(call) }
    return .ok
  }
}

/// What `info` shows.
private struct RealmInfo {
  let path: String
  let format: Int
  let isEncrypted: Bool
  let schemaVersion: Int64?
  let tables: [(name: String, isClass: Bool, kind: RealmTable.Kind, rows: Int, columns: Int)]
  let backups: [BackupSibling]

  init(_ file: RealmFile, _ call: Invocation) throws {
    path = call.argument("FILE")
    format = file.formatVersion
    isEncrypted = call.value("key-file") != nil || call.value("key-env") != nil
    schemaVersion = file.schemaVersion
    tables = file.tables.map { ($0.publicName, $0.className != nil, $0.kind, $0.rowCount, $0.columns.count) }
    backups = BackupSibling.all(of: path)
  }

  var json: JSONObject {
    [
      "file": .string(path), "format": .integer(Int64(format)), "encrypted": .bool(isEncrypted),
      "schemaVersion": schemaVersion.map { .integer($0) } ?? .null,
      "rows": .integer(Int64(tables.map(\.rows).reduce(0, +))),
      "tables": .array(
        tables.map { table in
          .object([
            "name": .string(table.name), "class": .bool(table.isClass), "kind": .string(table.kind.rawValue),
            "properties": .integer(Int64(table.columns)), "rows": .integer(Int64(table.rows)),
          ])
        }),
      "backups": .array(
        backups.map { .object(["path": .string($0.path), "format": .integer(Int64($0.format))]) }),
    ]
  }

  func print(_ call: Invocation) throws {
    var facts = TextTable(["File", .left(path)])
    facts.add("Format", "\(format)")
    facts.add("Encrypted", isEncrypted ? "yes" : "no")
    facts.add("Schema version", schemaVersion.map { $0 < 0 ? "none" : "\($0)" } ?? "none")
    for backup in backups { facts.add("Backup", "\(backup.path), of format \(backup.format)") }
    try call.print(facts)
    try call.print("")
    var list = TextTable(["Table", "Kind", .right("Properties"), .right("Rows")])
    for table in tables {
      list.add(
        table.name, table.isClass ? table.kind.word : "internal", grouped(table.columns), grouped(table.rows))
    }
    list.add(total: "all", "", "", grouped(tables.map(\.rows).reduce(0, +)))
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
