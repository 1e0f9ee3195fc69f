/// Every state that an owner's tables have had, and how each came from the one before.
struct SchemaHistory: Sendable {
  struct Version: Sendable {
    let objects: [SchemaObject]
    /// Changes whenever this version or one before it is edited.
    let checksum: String
    /// What leads here from the version before.
    let steps: [SchemaStep]
  }

  let owner: String
  /// The first one first.
  let versions: [Version]

  var last: Int { versions.count }
  subscript(number: Int) -> Version { versions[number - 1] }
  /// What the file is to have.
  var objects: [SchemaObject] { versions.last?.objects ?? [] }

  /// The history of tables that the store itself has; each version only adds some.
  ///
  /// - Parameter fills: what a version writes into its tables where there was a version before it.
  init(owner: String, adding added: [[SchemaObject]], filling fills: [Int: String] = [:]) {
    self.owner = owner
    var objects: [SchemaObject] = []
    var versions: [Version] = []
    for (index, new) in added.enumerated() {
      let fill = fills[index + 1].map { [$0] } ?? []
      objects += new
      versions.append(
        Version(
          objects: objects,
          checksum: SchemaHistory.checksum(objects, after: versions.last?.checksum, by: fill),
          steps: (new.map(\.sql) + fill).map { .run($0) }))
    }
    self.versions = versions
  }

  /// - Throws: `StoreError.badDeclaration` where the changes don't lead to the declared tables.
  init(_ schema: Schema) throws(StoreError) {
    owner = schema.owner
    // From the declarations back to the first version.
    var states = [schema.tables.map(\.frozen)]
    for change in schema.changes.reversed() {
      states.append(try change.undone(from: states[states.count - 1]))
    }
    states.reverse()
    var versions: [Version] = []
    for (index, state) in states.enumerated() {
      let objects = state.flatMap(\.schema)
      let change = index == 0 ? nil : schema.changes[index - 1]
      versions.append(
        Version(
          objects: objects,
          checksum: SchemaHistory.checksum(
            objects, after: versions.last?.checksum, by: change?.fingerprint ?? []),
          steps: try change?.steps(from: states[index - 1], to: state) ?? objects.map { .run($0.sql) }))
    }
    self.versions = versions
  }

  private static func checksum(_ objects: [SchemaObject], after: String?, by change: [String] = []) -> String
  {
    var hash = StableHash()
    if let after { hash.combine(after) }
    for field in change { hash.combine(field) }
    // In whatever order they are declared.
    for sql in objects.map(\.sql).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      hash.combine(sql)
    }
    return hash.finish()
  }
}

/// A step from one version to the next.
enum SchemaStep: Sendable, Equatable {
  enum Fill: Sendable, Equatable {
    case all, search
    case members(String)
  }
  case run(String, [StoredValue] = [])
  /// Fills what the store keeps beside a table's rows.
  case fill(FrozenTable, Fill)
  /// Stops where a local change of the table's rows hasn't been pushed.
  case refuseUnsent(table: String)
}

extension SchemaChange {
  /// The tables as they were before this change.
  func undone(from state: [FrozenTable]) throws(StoreError) -> [FrozenTable] {
    switch kind {
    case .createTable(let name):
      _ = try table(name, in: state)
      return state.filter { $0.name != name }
    case .dropTable(let was):
      if state.contains(where: { $0.name == was.name }) { throw fault(was.name, "it is declared still") }
      return state + [try sound(was)]
    case .addColumn(let column, let name, let fill):
      let table = try table(name, in: state)
      guard let added = table.column(column), column != table.key else {
        throw fault(name, "change adds \(column), which is no column of it, or its key")
      }
      guard added.accepts(fill) else { throw fault(name, "\(column) can't be filled with \(fill)") }
      var before = table
      before.columns.removeAll { $0.name == column }
      before.indexes.removeAll { $0.contains(column) }
      before.search.removeAll { $0 == column }
      return replacing(before, in: state)
    case .createIndex(let name, let columns):
      var table = try table(name, in: state)
      guard table.indexes.contains(columns) else { throw fault(name, "it has no index on \(columns)") }
      table.indexes.removeAll { $0 == columns }
      return replacing(table, in: state)
    case .dropIndex(let name, let columns):
      var table = try table(name, in: state)
      if table.indexes.contains(columns) { throw fault(name, "it still has the index on \(columns)") }
      table.indexes.append(columns)
      return replacing(try sound(table), in: state)
    case .createMembers(let name, let column):
      var table = try table(name, in: state)
      guard let index = table.columns.firstIndex(where: { $0.name == column && $0.shape.member != nil })
      else {
        throw fault(name, "it has no list \(column)")
      }
      table.columns[index].shape.member = nil
      return replacing(table, in: state)
    case .createSearch(let name):
      var table = try table(name, in: state)
      guard !table.search.isEmpty else { throw fault(name, "it has no search index") }
      table.search = []
      return replacing(table, in: state)
    case .dropSearch(let name, let columns):
      var table = try table(name, in: state)
      guard table.search.isEmpty, !columns.isEmpty else { throw fault(name, "it still has a search index") }
      table.search = columns
      return replacing(try sound(table), in: state)
    case .rebuild(let was, let sources):
      let table = try table(was.name, in: state)
      guard table.hasAccount == was.hasAccount, table.column(table.key) == was.column(was.key) else {
        throw fault(was.name, "a rebuild keeps the key; a table whose key changes is emptied")
      }
      for column in table.columns { try check(sources[column.name], for: column, of: was) }
      if let unknown = sources.keys.first(where: { table.column($0) == nil }) {
        throw fault(was.name, "it has no column \(unknown)")
      }
      return replacing(try sound(was), in: state)
    case .empty(let was):
      _ = try table(was.name, in: state)
      return replacing(try sound(was), in: state)
    }
  }

  private func check(_ source: ColumnSource?, for column: FrozenColumn, of was: FrozenTable)
    throws(StoreError)
  {
    let name: String
    var isFilled = false
    switch source ?? .column(column.name) {
    case .value(let value):
      guard column.accepts(value) else { throw fault(was.name, "\(column.name) can't be \(value)") }
      return
    case .column(let from): name = from
    case .columnOr(let from, let value):
      guard column.accepts(value), value != .null else {
        throw fault(was.name, "\(column.name) can't be \(value)")
      }
      name = from
      isFilled = true
    }
    guard let from = was.column(name) else { throw fault(was.name, "it had no column \(name)") }
    guard from.shape.storage == column.shape.storage else {
      throw fault(was.name, "\(column.name) is stored otherwise than \(name) was")
    }
    guard column.shape.isOptional || isFilled || !from.shape.isOptional else {
      throw fault(was.name, "\(column.name) needs a value where \(name) was absent")
    }
  }

  private func table(_ name: String, in state: [FrozenTable]) throws(StoreError) -> FrozenTable {
    guard let table = state.first(where: { $0.name == name }) else {
      throw fault(name, "a change names it, and there is no such table after that change")
    }
    return table
  }

  private func sound(_ table: FrozenTable) throws(StoreError) -> FrozenTable {
    if let why = table.fault { throw fault(table.name, why) }
    return table
  }

  private func replacing(_ table: FrozenTable, in state: [FrozenTable]) -> [FrozenTable] {
    state.map { $0.name == table.name ? table : $0 }
  }

  private func fault(_ table: String, _ why: String) -> StoreError { .badDeclaration(table: table, why: why) }
}
