// The second reading of an expression: over records in memory. Tests hold it against SQL.

/// Records of other tables, for conditions that speak of them.
public struct RecordsInMemory: Sendable {
  fileprivate var tables: [String: [[StoredValue]]] = [:]

  /// No records.
  public init() {}

  /// Adds every record of a table, or further ones.
  ///
  /// - Throws: `StoreError.notEncodable`
  public mutating func add<R: Record>(_ records: [R]) throws {
    tables[R.table.name, default: []] += try records.map { try R.table.storedValues($0) }
  }
}

extension QueryExpression where Value == Bool {
  /// Whether the condition holds for a record.
  ///
  /// - Parameter others: the records of the tables that the condition speaks of besides the record's own row.
  /// - Throws: what the query would: `StoreError.notAColumn`, `.notAReference`; `.unknownTable` for one of which
  ///   `others` doesn't have a record.
  public func evaluate(_ record: R, among others: RecordsInMemory = RecordsInMemory()) throws -> Bool {
    let rows = RowsInMemory(root: try R.table.storedValues(record), table: R.table.name, others: others)
    return try node.evaluate(rows) == .integer(1)
  }
}

/// The rows that an expression speaks of at one point of its evaluation.
struct RowsInMemory {
  /// The query's own row.
  private let root: [StoredValue]
  /// That of each sub-select around.
  private var related: [ObjectIdentifier: [StoredValue]] = [:]
  private let table: String
  private let others: RecordsInMemory
  /// The row that one reference of the query's own row leads to, where it is known beforehand.
  private let known: (join: Join, row: [StoredValue]?)?

  init(
    root: [StoredValue], table: String, others: RecordsInMemory = RecordsInMemory(),
    known: (join: Join, row: [StoredValue]?)? = nil
  ) {
    self.root = root
    (self.table, self.others, self.known) = (table, others, known)
  }

  /// nil where a reference leads nowhere.
  func row(_ source: Source) throws(StoreError) -> [StoredValue]? {
    switch source {
    case .root: return root
    case .related(let rows):
      guard let row = related[ObjectIdentifier(rows)] else { throw .outOfScope(table: rows.table.name) }
      return row
    case .joined(let join):
      if let fault = join.fault { throw fault }
      if let known, known.join.isSame(as: join) { return known.row }
      guard let reference = try row(join.from)?[join.column], reference != .null else { return nil }
      return try records(of: join.table).first { $0[join.table.keyIndex] == reference }
    }
  }

  private func records(of table: TableDeclaration) throws(StoreError) -> [[StoredValue]] {
    guard let records = others.tables[table.name] else { throw .unknownTable(table.name) }
    return records
  }

  func exists(_ select: SubSelect) throws(StoreError) -> Bool {
    for candidate in try records(of: select.rows.table) {
      var inner = self
      inner.related[ObjectIdentifier(select.rows)] = candidate
      if try select.condition.evaluate(inner) == .integer(1) { return true }
    }
    return false
  }
}

extension Node {
  func evaluate(_ rows: RowsInMemory) throws(StoreError) -> StoredValue {
    func value(_ node: Node) throws(StoreError) -> StoredValue { try node.evaluate(rows) }
    func truth(_ node: Node) throws(StoreError) -> Bool { try value(node) == .integer(1) }
    func bytes(_ node: Node) throws(StoreError) -> [UInt8] {
      if case .text(let text) = try value(node) { Array(text.utf8) } else { [] }
    }
    switch self {
    case .column(let source, let index): return try rows.row(source)?[index] ?? .null
    case .fault(let error): throw error
    case .literal(let literal): return literal
    case .equal(let left, let right): return StoredValue(try value(left) == value(right))
    case .less(let left, let right, let orEqual):
      let (left, right) = (try value(left), try value(right))
      let isLess = left.isLess(than: right) ?? false
      return StoredValue(isLess || (orEqual && left == right))
    // Each term is asked, since each may be an error.
    case .all(let terms):
      var holds = true
      for term in terms { holds = try truth(term) && holds }
      return StoredValue(holds)
    case .any(let terms):
      var holds = false
      for term in terms { holds = try truth(term) || holds }
      return StoredValue(holds)
    case .not(let operand): return StoredValue(try !truth(operand))
    case .isIn(let operand, let values): return StoredValue(values.contains(try value(operand)))
    case .coalesce(let left, let right):
      let left = try value(left)
      return left == .null ? try value(right) : left
    case .folded(let operand):
      guard case .text(let text) = try value(operand) else { return .null }
      return .text(CaseFolding.fold(text))
    case .contains(let operand, let text): return StoredValue(try bytes(operand).contains(Array(text.utf8)))
    case .starts(let operand, let text): return StoredValue(try bytes(operand).starts(with: text.utf8))
    case .exists(let select): return StoredValue(try rows.exists(select))
    case .beside(let source, let select):
      guard let row = try rows.row(source) else { return StoredValue(false) }
      return StoredValue(try select.holds(row))
    case .refers(let left, let right):
      let (left, right) = (try value(left), try value(right))
      return StoredValue(left != .null && left == right)
    }
  }
}

extension StoredValue {
  fileprivate init(_ truth: Bool) { self = .integer(truth ? 1 : 0) }
}

extension RecordsInMemory {
  /// Adds rows as they are stored.
  mutating func add(_ rows: [[StoredValue]], to table: TableDeclaration) {
    tables[table.name, default: []] += rows
  }
}
