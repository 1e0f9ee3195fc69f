/// Makes the SQL of a query: the one place that does, and the one that adds the account condition.
///
/// Every literal becomes a parameter, so that a query's shape is its SQL and is prepared once.
struct Renderer {
  let table: TableDeclaration
  private(set) var sql = ""
  private(set) var parameters: [StoredValue] = []

  init(_ table: TableDeclaration) { self.table = table }

  /// `SELECT <columns> FROM … WHERE … ORDER BY … LIMIT …`.
  mutating func select<R>(_ columns: String, _ query: Query<R>, account: Int64?) throws(StoreError) {
    assert(table.hasAccount == (account != nil), "\(table.name) is queried without its account")
    sql = "SELECT \(columns) FROM \(quoted(table.name))"
    var isFirst = true
    if let account {
      sql += " WHERE \(quoted(TableDeclaration.accountColumn)) = ?"
      parameters.append(.integer(account))
      isFirst = false
    }
    if let condition = query.condition {
      sql += isFirst ? " WHERE " : " AND "
      try append(condition)
    }
    guard columns != Renderer.count else { return }
    sql += " ORDER BY "
    for order in query.orders {
      try append(order.node)
      sql += order.isDescending ? " DESC, " : ", "
    }
    sql += "\(quoted(table.name)).\(quoted(table.key.name))"
    if let limit = query.limit {
      sql += " LIMIT ?"
      parameters.append(.integer(Int64(limit)))
    }
  }

  static let count = "count(*)"

  private mutating func append(_ node: Node) throws(StoreError) {
    switch node {
    case .column(let index): sql += quoted(table.columns[index].name)
    case .notAColumn(let path): throw .notAColumn(table: table.name, path: path)
    case .literal(let value):
      sql += "?"
      parameters.append(value)
    case .equal(let left, let right): try append(left, " IS ", right)
    case .less(let left, let right, let orEqual): try append(left, orEqual ? " <= " : " < ", right)
    case .and(let left, let right): try append(left, " AND ", right)
    case .or(let left, let right): try append(left, " OR ", right)
    case .not(let operand):
      sql += "(NOT "
      try append(operand)
      sql += ")"
    case .isIn(let operand, let values): try append(operand, isIn: values)
    case .contains(let operand, let text):
      // Over blobs, since SQLite's text functions stop at a NUL and count characters.
      sql += "(instr(CAST("
      try append(operand)
      sql += " AS BLOB), ?) > 0)"
      parameters.append(.blob(Array(text.utf8)))
    case .starts(let operand, let text):
      // substr of an empty blob is NULL.
      sql += "(coalesce(substr(CAST("
      try append(operand)
      sql += " AS BLOB), 1, ?), x'') = ?)"
      parameters += [.integer(Int64(text.utf8.count)), .blob(Array(text.utf8))]
    }
  }

  private mutating func append(_ left: Node, _ symbol: String, _ right: Node) throws(StoreError) {
    sql += "("
    try append(left)
    sql += symbol
    try append(right)
    sql += ")"
  }

  /// IN, but with nil as a value like any other. The plain form, which an index can serve, is right for a
  /// column that is never NULL.
  private mutating func append(_ operand: Node, isIn values: [StoredValue]) throws(StoreError) {
    let present = values.filter { $0 != .null }
    let mayBeNull =
      if case .column(let index) = operand { table.columns[index].shape.isOptional } else { true }
    sql += mayBeNull ? "(coalesce(" : "("
    try append(operand)
    sql += " IN (\(Array(repeating: "?", count: present.count).joined(separator: ", ")))"
    parameters += present
    if mayBeNull { sql += ", 0)" }
    if present.count < values.count {
      sql += " OR "
      try append(operand)
      sql += " IS NULL"
    }
    sql += ")"
  }
}
