import Composition
import FerryConsole
import FerryKernel
import RealmFile

/// `app-cli realm schema`: classes and properties, for a person, a script, or as a start for a domain.
enum RealmSchemaCommand {
  static let command = Command(
    "schema", "Show the classes and properties of a file.",
    discussion: """
      With --swift it prints record declarations for Ferry's store, a start for a domain: a struct a class with \
      its table. What a record can't hold as it is (lists but of text, sets, dictionaries, embedded objects, \
      mixed values) is a text property for its JSON, and a comment says so.
      """,
    options: [.flag("swift", "Print record declarations in Swift.")], arguments: [RealmCommand.file]
  ) { call in
    if call.flag("swift"), call.wantsJSON {
      throw UsageError("--swift and --json are two forms.", suggestion: "Say one of them.")
    }
    // Tables keep what they were read from; only their declarations leave the reading.
    let (schema, losses) = try call.reading { file in try RealmSchema(file) }
    if call.flag("swift") {
      try call.print(RecordDeclarations(schema).text)
    } else if call.wantsJSON {
      try call.document(schema.json)
    } else {
      try call.print(schema.table)
    }
    return call.settle(losses)
  }
}

/// The declarations of a file's classes.
struct RealmSchema {
  struct Class {
    let name: String
    /// The stored name, which columns name as their target.
    let table: String
    let kind: RealmTable.Kind
    let primaryKey: Int?
    let properties: [RealmColumn]
    let rows: Int
  }

  let format: Int
  let version: Int64?
  let classes: [Class]

  init(_ file: RealmFile) throws {
    format = file.formatVersion
    version = file.schemaVersion
    classes = file.publicTables.map {
      Class(
        name: $0.publicName, table: $0.name, kind: $0.kind, primaryKey: $0.primaryKey, properties: $0.columns,
        rows: $0.rowCount)
    }
  }

  /// The class that a property leads to, by the name that people know.
  func target(_ column: RealmColumn) -> Class? {
    column.target.flatMap { name in classes.first { $0.table.utf8.elementsEqual(name.utf8) } }
  }

  var table: TextTable {
    var table = TextTable(["Property", "Type", "Key"])
    for entry in classes {
      let kind = entry.kind == .topLevel ? "" : ", \(entry.kind.word)"
      table.add(group: "\(entry.name) (\(grouped(entry.rows)) rows\(kind))")
      for (index, column) in entry.properties.enumerated() {
        table.add(column.name, type(column), index == entry.primaryKey ? "primary" : "")
      }
    }
    return table
  }

  private func type(_ column: RealmColumn) -> String {
    let isLink = column.type == .link
    let name = isLink ? target(column)?.name ?? column.target ?? "?" : column.type.rawValue
    let element = name + (column.isNullable && !(isLink && column.collection == .none) ? "?" : "")
    return column.collection == .none ? element : "\(column.collection.rawValue)<\(element)>"
  }

  var json: JSONObject {
    [
      "format": .integer(Int64(format)), "schemaVersion": version.map { .integer($0) } ?? .null,
      "classes": .array(
        classes.map { entry in
          .object([
            "name": .string(entry.name), "table": .string(entry.table), "kind": .string(entry.kind.rawValue),
            "primaryKey": entry.primaryKey.map { .string(entry.properties[$0].name) } ?? .null,
            "rows": .integer(Int64(entry.rows)),
            "properties": .array(
              entry.properties.map { column in
                .object([
                  "name": .string(column.name), "type": .string(column.type.rawValue),
                  "nullable": .bool(column.isNullable), "collection": .string(column.collection.rawValue),
                  "target": (target(column)?.name ?? column.target).map { .string($0) } ?? .null,
                ])
              }),
          ])
        }),
    ]
  }
}
