/// Makes the SQL of a query: the one place that does, and the one that adds the account condition, to every
/// scoped table that the query mentions.
///
/// Every literal becomes a parameter, so that a query's shape is its SQL and is prepared once. Parameters are
/// numbered in the order in which they are written; the account is the first.
struct Renderer {
  var sql = ""
  private(set) var parameters: [StoredValue] = []
  /// The tables of records that the query mentions besides its own.
  private(set) var otherTables: [TableDeclaration] = []
  let table: TableDeclaration
  let account: Int64?
  /// From the query inwards: what each SELECT goes through.
  private var scopes: [Scope] = []
  private var aliasCount = 0

  struct Scope {
    let table: TableDeclaration
    /// Those of a sub-select; nil of the query itself.
    var rows: RelatedRows?
    /// By which its rows are named in SQL, and those that references lead to. No table is called like an alias.
    let name: String
    var joins: [(join: Join, name: String)] = []
    /// Where in the SQL the joins belong.
    let end: Int
  }

  init(_ table: TableDeclaration, account: Int64?) {
    assert(table.hasAccount == (account != nil), "\(table.name) is queried without its account")
    self.table = table
    self.account = account
    if let account { parameters.append(.integer(account)) }
  }

  /// What a SELECT gives, and what comes after its condition.
  enum Piece {
    case sql(String)
    case node(Node)
    /// Every column of a row.
    case row(Source)
  }

  /// The records that a query finds, in its order.
  mutating func select<R>(_ columns: [Piece], _ query: Query<R>) throws(StoreError) {
    let terms = query.orders + [query.keyOrder]
    try select(columns, query.condition) { renderer throws(StoreError) in
      if let start = query.start {
        renderer.sql += renderer.account == nil && query.condition == nil ? " WHERE " : " AND "
        try renderer.append(start, terms.map { ($0.node, $0.isDescending) })
      }
      renderer.sql += " ORDER BY "
      for (index, order) in terms.enumerated() {
        if index > 0 { renderer.sql += ", " }
        // Where nothing but the key orders what a condition finds, the key's own index would spare the sorting, and
        // SQLite takes it for that: it goes through all that the account has. A plus keeps it from doing so.
        if query.orders.isEmpty, query.start == nil, query.condition != nil { renderer.sql += "+" }
        try renderer.append(order.node)
        if order.isDescending { renderer.sql += " DESC" }
      }
      if let limit = query.limit {
        renderer.sql += " LIMIT "
        renderer.append(.integer(Int64(limit)))
      }
    }
  }

  /// `SELECT EXISTS (SELECT 1 FROM … WHERE …)`.
  mutating func selectExists(_ condition: Node?) throws(StoreError) {
    sql += "SELECT EXISTS ("
    try select([.sql("1")], condition)
    sql += ")"
  }

  /// `SELECT … FROM … WHERE …`, and what `tail` adds.
  mutating func select(
    _ pieces: [Piece], _ condition: Node?,
    tail: (inout Renderer) throws(StoreError) -> Void = { _ throws(StoreError) in }
  ) throws(StoreError) {
    sql += "SELECT "
    // A scope can't be entered before its place in the SQL is known.
    let head = Scope(table: table, name: "\"\(table.name)\"", end: 0)
    scopes.append(head)
    for piece in pieces { try append(piece) }
    let joins = scopes.removeLast().joins
    try go(through: table, as: head.name, joins) { renderer throws(StoreError) in
      try renderer.appendCondition(condition, isFirst: renderer.account == nil)
      try tail(&renderer)
    }
  }

  /// `FROM … LEFT JOIN … WHERE <account>`, then what `rest` writes, then the joins that it turned out to need.
  mutating func go(
    through table: TableDeclaration, rows: RelatedRows? = nil, as name: String,
    _ joins: [(join: Join, name: String)] = [],
    _ rest: (inout Renderer) throws(StoreError) -> Void
  ) throws(StoreError) {
    sql += " FROM \"\(table.name)\""
    if name.first == "_" { sql += " AS \(name)" }
    scopes.append(Scope(table: table, rows: rows, name: name, joins: joins, end: sql.utf8.count))
    if table.hasAccount {
      sql += " WHERE "
      try appendAccount(table, name)
    }
    try rest(&self)
    let scope = scopes.removeLast()
    guard !scope.joins.isEmpty else { return }
    let tail = String(Substring(sql.utf8.dropFirst(scope.end)))
    sql = String(Substring(sql.utf8.prefix(scope.end)))
    scopes.append(scope)
    for (join, name) in scope.joins {
      sql += " LEFT JOIN \"\(join.table.name)\" AS \(name) ON "
      if join.table.hasAccount {
        try appendAccount(join.table, name)
        sql += " AND "
      }
      sql += "\(name).\"\(join.table.key.name)\" = "
      try append(.column(join.from, join.column))
    }
    scopes.removeLast()
    sql += tail
  }

  mutating func appendCondition(_ condition: Node?, isFirst: Bool) throws(StoreError) {
    guard let condition else { return }
    sql += isFirst ? " WHERE " : " AND "
    try append(condition)
  }

  mutating func appendAccount(_ table: TableDeclaration, _ name: String) throws(StoreError) {
    guard account != nil else { throw .unknownTable(table.name) }
    sql += "\(name).\"\(TableDeclaration.accountColumn)\" = ?1"
  }

  private mutating func append(_ piece: Piece) throws(StoreError) {
    switch piece {
    case .sql(let text): sql += text
    case .node(let node): try append(node)
    case .row(let source):
      let (table, name) = try row(source)
      sql += table.columns.map { "\(name).\"\($0.name)\"" }.joined(separator: ", ")
    }
  }

  /// A literal.
  mutating func append(_ value: StoredValue) {
    parameters.append(value)
    sql += "?\(parameters.count)"
  }

  /// By which name the SQL knows a row.
  mutating func row(_ source: Source) throws(StoreError) -> (TableDeclaration, String) {
    let level = try level(of: source)
    guard case .joined(let join) = source else { return (scopes[level].table, scopes[level].name) }
    if let fault = join.fault { throw fault }
    if let known = scopes[level].joins.first(where: { $0.join.isSame(as: join) }) {
      return (join.table, known.name)
    }
    // A reference of a row that is joined itself comes after it.
    _ = try row(join.from)
    mention(join.table)
    let name = makeAlias()
    scopes[level].joins.append((join, name))
    return (join.table, name)
  }

  /// In which of the SELECTs a row is, from the query inwards.
  private func level(of source: Source) throws(StoreError) -> Int {
    switch source {
    case .root: return 0
    case .joined(let join): return try level(of: join.from)
    case .related(let rows):
      // Only where the sub-select's own condition stands.
      guard let level = scopes.firstIndex(where: { $0.rows === rows }) else {
        throw .outOfScope(table: rows.table.name)
      }
      return level
    }
  }

  mutating func makeAlias() -> String {
    aliasCount += 1
    return "_\(aliasCount)"
  }

  mutating func mention(_ other: TableDeclaration) {
    if !otherTables.contains(where: { $0.name == other.name }) { otherTables.append(other) }
  }
}
