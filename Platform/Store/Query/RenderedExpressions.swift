// An expression as SQL. A condition is 1 or 0 there and never NULL, but for a reference that meets a key (`refers`).

extension Renderer {
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
    case .all(let terms): try append(terms[...], " AND ")
    case .any(let terms): try append(terms[...], " OR ")
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

  /// As a tree that is as flat as can be: of parentheses within one another SQLite's parser takes a hundred.
  private mutating func append(_ terms: ArraySlice<Node>, _ symbol: String) throws(StoreError) {
    guard terms.count > 1 else { return try append(terms[terms.startIndex]) }
    let middle = terms.startIndex + (terms.count + 1) / 2
    sql += "("
    try append(terms[..<middle], symbol)
    sql += symbol
    try append(terms[middle...], symbol)
    sql += ")"
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
    mention(table)
    sql += "EXISTS (SELECT 1"
    try go(through: table, rows: select.rows, as: makeAlias()) { renderer throws(StoreError) in
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
