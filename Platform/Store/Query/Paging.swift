// What comes after a row in an order, as a condition: no row before it is looked at where an index serves the
// order, and none is counted as OFFSET would.

/// The row after which a page begins, as it is stored.
struct PageStart: Sendable {
  /// An error where the record has no stored form; it is the query's, once that is used.
  private let place: Result<Place, StoreError>

  private struct Place {
    let row: [StoredValue]
    /// The row that a reference of it leads to, where that was fetched with it.
    var target: (join: Join, row: [StoredValue]?)?
  }

  init<R: Record>(_ record: R) {
    let stored: (R) throws(StoreError) -> [StoredValue] = R.table.storedValues
    place = Result { () throws(StoreError) in Place(row: try stored(record)) }
  }

  init<R: Record, Target: Record>(_ record: R, _ target: Target?, _ join: Join) {
    let stored: (R) throws(StoreError) -> [StoredValue] = R.table.storedValues
    let storedTarget: (Target) throws(StoreError) -> [StoredValue] = Target.table.storedValues
    place = Result { () throws(StoreError) in
      let other: [StoredValue]? = if let target { try storedTarget(target) } else { nil }
      return Place(row: try stored(record), target: (join, other))
    }
  }

  /// Where the row stands in an order.
  func value(of term: Node, in table: TableDeclaration) throws(StoreError) -> StoredValue {
    let place = try place.get()
    do {
      return try term.evaluate(RowsInMemory(root: place.row, table: table.name, known: place.target))
    } catch {
      // Nothing but the row itself is at hand.
      if case .unknownTable(let other) = error { throw .unknownPlace(table: table.name, by: other) }
      throw error
    }
  }
}

extension Renderer {
  /// Whether a row comes after `start`. It is a term of the outermost AND, where NULL is as good as false.
  mutating func append(_ start: PageStart, _ orders: [(node: Node, isDescending: Bool)]) throws(StoreError) {
    var terms: [Term] = []
    for order in orders {
      terms.append(
        Term(
          node: order.node, value: try start.value(of: order.node, in: table),
          isDescending: order.isDescending, mayBeNull: mayBeNull(order.node)))
    }
    // As many terms as can be compared as one row value: an index can begin there.
    let leading = terms.prefix { $0.isDescending == terms[0].isDescending && $0.isComparable }
    if leading.count == terms.count { return try appendRowValue(leading, orEqual: false) }
    if !leading.isEmpty {
      try appendRowValue(leading, orEqual: true)
      sql += " AND "
    }
    try appendAfter(terms[...])
  }

  private struct Term {
    let node: Node
    let value: StoredValue
    let isDescending: Bool
    let mayBeNull: Bool

    /// Whether what comes after compares as greater, or less, in SQL. In a descending order nil does, too, and
    /// doesn't compare; in an ascending one it doesn't come after a value.
    var isComparable: Bool {
      guard case .column(.root, _) = node else { return false }
      return !mayBeNull || (!isDescending && value != .null)
    }
  }

  /// `(a, b) > (?, ?)`
  private mutating func appendRowValue(_ terms: ArraySlice<Term>, orEqual: Bool) throws(StoreError) {
    sql += "("
    for (index, term) in terms.enumerated() {
      if index > 0 { sql += ", " }
      try append(term.node)
    }
    sql += terms.first?.isDescending == true ? ") <" : ") >"
    sql += orEqual ? "= (" : " ("
    for (index, term) in terms.enumerated() {
      if index > 0 { sql += ", " }
      append(term.value)
    }
    sql += ")"
  }

  /// `(a > ? OR (a = ? AND …))`, with nil before every value.
  private mutating func appendAfter(_ terms: ArraySlice<Term>) throws(StoreError) {
    guard let term = terms.first else {
      sql += "0"
      return
    }
    sql += "("
    switch (term.isDescending, term.value) {
    case (false, .null):
      try append(term.node)
      sql += " IS NOT NULL"
    case (true, .null): sql += "0"
    case (false, let value):
      try append(term.node)
      sql += " > "
      append(value)
    case (true, let value):
      try append(term.node)
      sql += " < "
      append(value)
      if term.mayBeNull {
        sql += " OR "
        try append(term.node)
        sql += " IS NULL"
      }
    }
    sql += " OR ("
    try append(term.node)
    sql += " IS "
    append(term.value)
    sql += " AND "
    try appendAfter(terms.dropFirst())
    sql += "))"
  }
}
