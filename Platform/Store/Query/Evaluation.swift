// The second reading of an expression: over a record in memory. Tests hold it against SQL.

extension QueryExpression where Value == Bool {
  /// Whether the condition holds for a record.
  ///
  /// - Throws: `StoreError.notAColumn` as the query would.
  public func evaluate(_ record: R) throws -> Bool {
    let values = try R.table.storedValues(record)
    return try node.evaluate(values, table: R.table.name) == .integer(1)
  }
}

extension Node {
  func evaluate(_ row: [StoredValue], table: String) throws(StoreError) -> StoredValue {
    func value(_ node: Node) throws(StoreError) -> StoredValue { try node.evaluate(row, table: table) }
    func truth(_ node: Node) throws(StoreError) -> Bool { try value(node) == .integer(1) }
    func bytes(_ node: Node) throws(StoreError) -> [UInt8] {
      if case .text(let text) = try value(node) { Array(text.utf8) } else { [] }
    }
    switch self {
    case .column(let index): return row[index]
    case .notAColumn(let path): throw .notAColumn(table: table, path: path)
    case .literal(let literal): return literal
    case .equal(let left, let right): return StoredValue(try value(left) == value(right))
    case .less(let left, let right, let orEqual):
      let (left, right) = (try value(left), try value(right))
      let isLess = left.isLess(than: right) ?? false
      return StoredValue(isLess || (orEqual && left == right))
    case .and(let left, let right):
      let (left, right) = (try truth(left), try truth(right))
      return StoredValue(left && right)
    case .or(let left, let right):
      let (left, right) = (try truth(left), try truth(right))
      return StoredValue(left || right)
    case .not(let operand): return StoredValue(try !truth(operand))
    case .isIn(let operand, let values): return StoredValue(values.contains(try value(operand)))
    case .contains(let operand, let text): return StoredValue(try bytes(operand).contains(Array(text.utf8)))
    case .starts(let operand, let text): return StoredValue(try bytes(operand).starts(with: text.utf8))
    }
  }
}

extension StoredValue {
  fileprivate init(_ truth: Bool) { self = .integer(truth ? 1 : 0) }
}
