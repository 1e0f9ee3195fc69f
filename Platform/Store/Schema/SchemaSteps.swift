// The one place that turns a schema change into SQL.

extension SchemaChange {
  /// What leads from one state to the next.
  func steps(from before: [FrozenTable], to after: [FrozenTable]) throws(StoreError) -> [SchemaStep] {
    func old(_ name: String) throws(StoreError) -> FrozenTable { try Self.find(name, before) }
    func new(_ name: String) throws(StoreError) -> FrozenTable { try Self.find(name, after) }
    switch kind {
    case .createTable(let name): return try new(name).schema.map { .run($0.sql) }
    case .dropTable(let was):
      return Self.forget(was) + [
        .run("DELETE FROM store_refill WHERE table_name = ?", [.text(was.name)]),
        .run("DROP TABLE \(quoted(was.name))"),
      ] + was.sides.drops
    case .addColumn(let column, let name, let fill):
      return Self.rebuild(from: try old(name), to: try new(name), [column: .value(fill)])
    case .createIndex(let name, let columns):
      return [.run(try new(name).indexObject(columns).sql)]
    case .dropIndex(let name, let columns):
      return [.run("DROP INDEX \(quoted(try old(name).indexObject(columns).name))")]
    case .createMembers(let name, let column):
      let table = try new(name)
      return table.sides.only(membersOf: column).schema.map { .run($0.sql) } + [
        .fill(table, .members(column))
      ]
    case .createSearch(let name):
      let table = try new(name)
      return table.sides.onlySearch.schema.map { .run($0.sql) } + [.fill(table, .search)]
    case .dropSearch(let name, _): return try old(name).sides.onlySearch.drops
    case .rebuild(let was, let sources):
      return Self.rebuild(from: was, to: try new(was.name), sources)
    case .empty(let was):
      let table = try new(was.name)
      return Self.forget(was) + was.sides.drops + [.run("DROP TABLE \(quoted(was.name))")]
        + table.schema.map { .run($0.sql) } + (table.hasAccount ? [Refill.mark(table.name)] : [])
    }
  }

  private static func find(_ name: String, _ state: [FrozenTable]) throws(StoreError) -> FrozenTable {
    guard let table = state.first(where: { $0.name == name }) else {
      throw .badDeclaration(table: name, why: "a change names it, and there is no such table")
    }
    return table
  }

  /// What the store keeps of a table's rows beside them.
  private static func forget(_ table: FrozenTable) -> [SchemaStep] {
    guard table.hasAccount else { return [] }
    return [
      .refuseUnsent(table: table.name),
      .run("DELETE FROM store_sidecar WHERE table_name = ?", [.text(table.name)]),
    ]
  }

  /// Every change of columns is this one: a new table in the old one's place. So `sqlite_schema` is in the end
  /// what the declaration says, letter by letter.
  private static func rebuild(from old: FrozenTable, to new: FrozenTable, _ sources: [String: ColumnSource])
    -> [SchemaStep]
  {
    let interim = "store_rebuilt"
    var values = new.prefix.map(quoted)
    var parameters: [StoredValue] = []
    for column in new.columns {
      switch sources[column.name] ?? .column(column.name) {
      case .column(let name): values.append(quoted(name))
      case .columnOr(let name, let value):
        values.append("coalesce(\(quoted(name)), ?)")
        parameters.append(value)
      case .value(let value):
        values.append("?")
        parameters.append(value)
      }
    }
    let names = (new.prefix + new.columns.map(\.name)).map(quoted).joined(separator: ", ")
    let list = values.joined(separator: ", ")
    return [
      .run(new.create(as: interim)),
      .run("INSERT INTO \(quoted(interim)) (\(names)) SELECT \(list) FROM \(quoted(old.name))", parameters),
      .run("DROP TABLE \(quoted(old.name))"),
      .run("ALTER TABLE \(quoted(interim)) RENAME TO \(quoted(new.name))"),
    ] + new.indexObjects.map { .run($0.sql) } + old.sides.drops + new.sides.schema.map { .run($0.sql) }
      + (new.sides.isEmpty ? [] : [.fill(new, .all)])
  }

  /// What of the change the states before and after it don't show.
  var fingerprint: [String] {
    switch kind {
    case .createTable(let name): ["create table", name]
    case .dropTable(let was): ["drop table", was.name]
    case .addColumn(let column, let table, let fill): ["add column", table, column, fill.fingerprint]
    case .createIndex(let table, let columns): ["create index", table] + columns
    case .dropIndex(let table, let columns): ["drop index", table] + columns
    case .createMembers(let table, let column): ["create members", table, column]
    case .createSearch(let table): ["create search", table]
    case .dropSearch(let table, let columns): ["drop search", table] + columns
    case .rebuild(let was, let sources):
      ["rebuild", was.name]
        + sources.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap { column, source in
          switch source {
          case .column(let from): [column, "column", from]
          case .columnOr(let from, let value): [column, "column or", from, value.fingerprint]
          case .value(let value): [column, "value", value.fingerprint]
          }
        }
    case .empty(let was): ["empty", was.name]
    }
  }
}

extension StoredValue {
  fileprivate var fingerprint: String {
    switch self {
    case .null: "null"
    case .integer: "integer \(keyText)"
    case .real(let value): "real \(value.bitPattern)"
    case .text: "text \(keyText)"
    case .blob: "blob \(keyText)"
    }
  }
}
