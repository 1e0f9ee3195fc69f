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
  private let account: Int64?
  /// From the query inwards: what each SELECT goes through.
  private var scopes: [Scope] = []
  private var aliasCount = 0

  private struct Scope {
    let table: TableDeclaration
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
  private mutating func go(
    through table: TableDeclaration, as name: String, _ joins: [(join: Join, name: String)] = [],
    _ rest: (inout Renderer) throws(StoreError) -> Void
  ) throws(StoreError) {
    sql += " FROM \"\(table.name)\""
    if name.first == "_" { sql += " AS \(name)" }
    scopes.append(Scope(table: table, name: name, joins: joins, end: sql.utf8.count))
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

  private mutating func appendCondition(_ condition: Node?, isFirst: Bool) throws(StoreError) {
    guard let condition else { return }
    sql += isFirst ? " WHERE " : " AND "
    try append(condition)
  }

  private mutating func appendAccount(_ table: TableDeclaration, _ name: String) throws(StoreError) {
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

  mutating func append(_ node: Node) throws(StoreError) {
    switch node {
    case .column(let source, let index):
      let (table, name) = try row(source)
      sql += name
      sql += ".\""
      sql += table.columns[index].name
      sql += "\""
    case .fault(let error): throw error
    case .literal(let value): append(value)
    case .equal(let left, let right): try append(left, " IS ", right)
    case .less(let left, let right, let orEqual): try append(left, orEqual ? " <= " : " < ", right)
    case .and(let left, let right): try append(left, " AND ", right)
    case .or(let left, let right): try append(left, " OR ", right)
    case .not(let operand):
      sql += "(NOT "
      try append(operand)
      sql += ")"
    case .isIn(let operand, let values): try append(operand, isIn: values)
    case .coalesce(let left, let right):
      sql += "coalesce("
      try append(left)
      sql += ", "
      try append(right)
      sql += ")"
    case .folded(let operand):
      sql += CaseFolding.function
      sql += "("
      try append(operand)
      sql += ")"
    case .contains(let operand, let text):
      // Over blobs, since SQLite's text functions stop at a NUL and count characters.
      sql += "(instr(CAST("
      try append(operand)
      sql += " AS BLOB), "
      append(.blob(Array(text.utf8)))
      sql += ") > 0)"
    case .starts(let operand, let text):
      // substr of an empty blob is NULL.
      sql += "(coalesce(substr(CAST("
      try append(operand)
      sql += " AS BLOB), 1, "
      append(.integer(Int64(text.utf8.count)))
      sql += "), x'') = "
      append(.blob(Array(text.utf8)))
      sql += ")"
    case .exists(let select): try append(select)
    case .beside(let source, let select): try append(source, select)
    case .refers(let left, let right): try append(left, " = ", right)
    }
  }

  private mutating func append(_ left: Node, _ symbol: String, _ right: Node) throws(StoreError) {
    sql += "("
    try append(left)
    sql += symbol
    try append(right)
    sql += ")"
  }

  private mutating func append(_ select: SubSelect) throws(StoreError) {
    let table = select.rows.table
    guard select.rows.level == scopes.count else { throw .outOfScope(table: table.name) }
    mention(table)
    sql += "EXISTS (SELECT 1"
    try go(through: table, as: makeAlias()) { renderer throws(StoreError) in
      try renderer.appendCondition(select.condition, isFirst: !table.hasAccount)
    }
    sql += ")"
  }

  /// The row's key among those that its side table gives: so an index finds them, where EXISTS would try each row.
  private mutating func append(_ source: Source, _ select: BesideSelect) throws(StoreError) {
    let (table, name) = try row(source)
    // The key of a row that isn't there is NULL.
    let isJoined = if case .joined = source { true } else { false }
    sql += "\(isJoined ? "(coalesce(" : "(")\(name).\"\(table.key.name)\" IN ("
    try select.append(to: &self, table)
    sql += isJoined ? "), 0))" : "))"
  }

  /// What comes from beside a table's rows: its SQL, parameters and account are added here, too.
  mutating func appendBeside(_ table: TableDeclaration, _ pieces: BesideSelect.Piece...) throws(StoreError) {
    for piece in pieces {
      switch piece {
      case .sql(let text): sql += text
      case .value(let value): append(value)
      case .account(let name):
        guard table.hasAccount else { continue }
        sql += " AND "
        try appendAccount(table, name)
      case .terms(let terms): append(.text(terms.expression(table.hasAccount ? account : nil)))
      }
    }
  }

  /// By which name the SQL knows a row.
  private mutating func row(_ source: Source) throws(StoreError) -> (TableDeclaration, String) {
    switch source {
    case .root: return (table, scopes[0].name)
    case .related(let rows):
      // Only where the sub-select's own condition stands.
      guard rows.level < scopes.count, scopes[rows.level].table.name == rows.table.name else {
        throw .outOfScope(table: rows.table.name)
      }
      return (rows.table, scopes[rows.level].name)
    case .joined(let join):
      if let fault = join.fault { throw fault }
      let level = join.from.level
      guard level < scopes.count else { throw .outOfScope(table: join.table.name) }
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
  }

  private mutating func makeAlias() -> String {
    aliasCount += 1
    return "_\(aliasCount)"
  }

  private mutating func mention(_ other: TableDeclaration) {
    if !otherTables.contains(where: { $0.name == other.name }) { otherTables.append(other) }
  }

  /// IN, but with nil as a value like any other, and in a form that an index can serve.
  private mutating func append(_ operand: Node, isIn values: [StoredValue]) throws(StoreError) {
    let present = values.filter { $0 != .null }
    let hasNil = present.count < values.count
    sql += "("
    // Without it a nil operand would make the answer NULL.
    if !hasNil, mayBeNull(operand) {
      try append(operand)
      sql += " IS NOT NULL AND "
    }
    try append(operand)
    sql += " IN ("
    for (index, value) in present.enumerated() {
      if index > 0 { sql += ", " }
      append(value)
    }
    // Lists of every length share a few statements: a list is as long as the next power of two, its last
    // member again and again; but no longer than a stock SQLite allows, if it isn't anyway.
    if let last = present.last {
      var length = 1
      while length < present.count { length *= 2 }
      length = min(length, max(present.count, Renderer.longestPadding))
      for _ in present.count..<length {
        sql += ", "
        append(last)
      }
    }
    sql += ")"
    if hasNil {
      sql += " OR "
      try append(operand)
      sql += " IS NULL"
    }
    sql += ")"
  }

  /// A stock SQLite takes 32,766 parameters in all.
  private static let longestPadding = 16_384

  func mayBeNull(_ node: Node) -> Bool {
    switch node {
    case .column(.root, let index): table.columns[index].shape.isOptional
    case .column(.related(let rows), let index): rows.table.columns[index].shape.isOptional
    case .column(.joined, _): true
    case .literal(let value): value == .null
    case .coalesce(let left, let right): mayBeNull(left) && mayBeNull(right)
    case .folded(let operand): mayBeNull(operand)
    default: false
    }
  }
}
