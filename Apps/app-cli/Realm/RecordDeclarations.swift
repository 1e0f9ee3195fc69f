import RealmFile

/// Records for Ferry's store in Swift, from the classes of a file: a start for a domain, which compiles and says in
/// comments what is left to decide.
struct RecordDeclarations {
  private let schema: RealmSchema
  /// The Swift name of the record of each class.
  private let names: [String]

  init(_ schema: RealmSchema) {
    self.schema = schema
    var taken = SwiftNames(reserved: SwiftNames.types)
    names = schema.classes.map { taken.claim(SwiftNames.type($0.name)) }
  }

  /// The whole file.
  var text: String {
    let records = schema.classes.indices.map { record($0) }
    return (["import FerryStore\nimport Foundation"] + records).joined(separator: "\n\n")
  }

  private struct Property {
    let name: String
    let column: String
    let type: String
    let target: String?
    let comment: String?
  }

  private func record(_ index: Int) -> String {
    let entry = schema.classes[index]
    let (name, properties) = (names[index], properties(of: entry, named: names[index]))
    var lines = ["/// `\(SwiftNames.comment(entry.name))`, \(entry.rows) rows. \(note(on: entry))"]
    lines += ["public struct \(name): Record, Equatable {", "  public typealias Key = \(name)ID"]
    for property in properties {
      if let comment = property.comment { lines.append("  /// \(comment)") }
      lines.append("  public \(property.name == "id" ? "let" : "var") \(property.name): \(property.type)")
    }
    lines += ["", "  public init("]
    lines += Self.wrapped(properties.map { "\($0.name): \($0.type)" }, separator: ", ", indent: 4)
    lines += ["  ) {"]
    lines += properties.map { "    self.\($0.name) = \($0.name)" }
    lines += ["  }", "", "  public static let table = Table<\(name)>("]
    lines += ["    \"\(SwiftNames.snakeCase(name))\", key: \\.id,"]
    let columns = properties.map { property in
      let target = property.target.map { ", to: \($0).self" } ?? ""
      // A list is kept for whoever asks for its members.
      let form = property.type.hasPrefix("[") ? "members: " : ""
      return "Column(\"\(property.column)\", \(form)\\.\(property.name)\(target)),"
    }
    lines += Self.wrapped(["columns:"] + columns, separator: " ", indent: 4)
    lines += ["    make: \(name).init("]
    lines += Self.wrapped(properties.map { "\($0.name):" }, separator: "", indent: 6)
    lines += ["    ))", "}", "", "public typealias \(name)ID = Identifier<\(name)>"]
    return lines.joined(separator: "\n")
  }

  /// The parts in lines of about a hundred characters.
  private static func wrapped(_ parts: [String], separator: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for (place, part) in parts.enumerated() {
      let piece = place < parts.count - 1 ? part + separator : part
      if !line.isEmpty, line.count + piece.count > 100 {
        lines.append(line)
        line = ""
      }
      line += piece
    }
    return (lines + [line]).map { text in
      String(repeating: " ", count: indent) + (text.hasSuffix(" ") ? String(text.dropLast()) : text)
    }
  }

  private func note(on entry: RealmSchema.Class) -> String {
    switch entry.kind {
    case .embedded: return "Embedded: its owner may keep it better, as properties or JSON."
    case .asymmetric: return "Upload only: its rows were never meant to stay."
    case .topLevel:
      guard let key = entry.primaryKey else {
        return "It has no primary key: `id` has to be made from natural fields."
      }
      return "`id` is its primary key `\(SwiftNames.comment(entry.properties[key].name))`, as text."
    }
  }

  private func properties(of entry: RealmSchema.Class, named record: String) -> [Property] {
    var taken = SwiftNames(reserved: ["id", "table", "Key", "Scope"])
    var columns = SwiftNames(reserved: ["id"])
    var properties = [Property(name: "id", column: "id", type: "\(record)ID", target: nil, comment: nil)]
    for (index, column) in entry.properties.enumerated() where index != entry.primaryKey {
      let name = taken.claim(SwiftNames.property(column.name))
      let (type, target, comment) = form(of: column)
      properties.append(
        Property(
          name: SwiftNames.escaped(name), column: columns.claim(SwiftNames.snakeCase(name)), type: type,
          target: target,
          comment: comment))
    }
    return properties
  }

  /// The Swift type of a property, the record that it leads to, and what a person should know.
  private func form(of column: RealmColumn) -> (type: String, target: String?, comment: String?) {
    if column.collection == .list, column.type == .string, !column.isNullable {
      return ("[String]", nil, nil)
    }
    guard column.collection == .none else {
      return ("String", nil, "A \(column.collection.rawValue) of \(column.type.rawValue), as JSON.")
    }
    let optional = column.isNullable ? "?" : ""
    switch column.type {
    case .int: return ("Int64" + optional, nil, nil)
    case .bool: return ("Bool" + optional, nil, nil)
    case .string: return ("String" + optional, nil, nil)
    case .binary: return ("Data" + optional, nil, nil)
    case .timestamp: return ("Timestamp" + optional, nil, nil)
    case .double: return ("Double" + optional, nil, nil)
    case .float: return ("Double" + optional, nil, "Was a 32-bit number.")
    case .uuid: return ("UUID" + optional, nil, nil)
    case .objectId: return ("String" + optional, nil, "An object identifier, as 24 hexadecimal digits.")
    case .decimal128: return ("String" + optional, nil, "A decimal, as its exact text.")
    case .mixed: return ("String?", nil, "A value of any type, as JSON.")
    case .link, .typedLink:
      guard
        let position = schema.classes.firstIndex(where: {
          $0.table.utf8.elementsEqual((column.target ?? "").utf8)
        })
      else { return ("String?", nil, "A link whose class is not in the file.") }
      let target = names[position]
      let isEmbedded = schema.classes[position].kind == .embedded
      return ("\(target)ID?", target, isEmbedded ? "Embedded: perhaps better as properties or JSON." : nil)
    }
  }
}
