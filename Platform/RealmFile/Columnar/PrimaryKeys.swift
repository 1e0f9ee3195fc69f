/// The table in which formats up to 9 name the primary keys (the format specification, section 16.5).
struct PrimaryKeys {
  static let tableName = "pk"
  private static let classPrefix = "class_"

  private enum Property {
    case name(String)
    case position(Int64)
  }

  private var properties: [String: Property] = [:]

  init() {}

  init(_ table: RealmTable) throws(RealmFileError) {
    guard let owner = table.columnIndex(named: "pk_table"),
      let property = table.columnIndex(named: "pk_property")
    else { return }
    let rows = table.rows()
    while let row = try rows.next() {
      guard case .string(let name) = try row.value(at: owner) else { continue }
      switch try row.value(at: property) {
      case .string(let text): properties[name] = .name(text)
      case .int(let position): properties[name] = .position(position)
      default: break
      }
    }
  }

  /// The position in `columns` of the primary key of the table with this name.
  func column(of table: String, in columns: ColumnarTable) -> Int? {
    guard table.hasPrefix(Self.classPrefix) else { return nil }
    // The earliest Android files have the full name.
    switch properties[String(table.dropFirst(Self.classPrefix.count))] ?? properties[table] {
    case .name(let name): return columns.columns.firstIndex { $0.column.name.utf8.elementsEqual(name.utf8) }
    case .position(let position): return columns.specIndexes.firstIndex { Int64($0) == position }
    case nil: return nil
    }
  }
}
