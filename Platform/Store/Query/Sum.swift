/// What a query can add up: `Int`, `Int64`, `Double`, and optionals of them, whose nils don't count.
public protocol Summable: ColumnValue {
  /// What the sum is.
  associatedtype Sum: Sendable
  /// The sum as a value of its type; nil where the type doesn't hold it.
  static func sum(_ stored: StoredValue) -> Sum?
}

extension Int: Summable {
  public static func sum(_ stored: StoredValue) -> Int? { Int64.sum(stored).flatMap(Int.init(exactly:)) }
}

extension Int64: Summable {
  public static func sum(_ stored: StoredValue) -> Int64? {
    if case .integer(let sum) = stored { sum } else { nil }
  }
}

extension Double: Summable {
  public static func sum(_ stored: StoredValue) -> Double? {
    if case .real(let sum) = stored { sum } else { nil }
  }
}

extension Optional: Summable where Wrapped: Summable {
  public static func sum(_ stored: StoredValue) -> Wrapped.Sum? { Wrapped.sum(stored) }
}

extension Reading where Self: ~Copyable {
  /// The sum of a column in a query's records; nil where there is none. Order, page and limit don't count.
  ///
  /// - Throws: `StoreError.sumOutOfRange` where it is more than the type holds, or no number (∞ − ∞). Of whole
  ///   numbers only the sum itself counts, not what it is on the way.
  public func sum<R: Record, Value: Summable>(
    _ query: Query<R>, _ value: (Columns<R>) -> QueryExpression<R, Value>
  ) throws -> Value.Sum? where R.Scope == Scope {
    let node = value(Columns()).node
    // SQLite's sum of whole numbers fails at an overflow on the way, and so by the order of the rows; the sums
    // of their halves don't. Its sum that is no number is NULL, as that of no rows.
    let isWhole = Value.shape.storage == .integer
    let pieces: [Renderer.Piece] =
      isWhole
      ? [
        .sql("count("), .node(node), .sql("), sum("), .node(node), .sql(" >> 32), sum("), .node(node),
        .sql(" & 4294967295)"),
      ]
      : [.sql("count("), .node(node), .sql("), sum("), .node(node), .sql(")")]
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select(pieces, query.condition)
    }
    var sum: Value.Sum?
    try run(select) { row in
      guard try row.integer(0) > 0 else { return }
      let stored: StoredValue =
        if isWhole {
          Int64(high: try row.integer(1), low: try row.integer(2)).map { .integer($0) } ?? .null
        } else { try row.stored(1) }
      guard let total = Value.sum(stored) else { throw StoreError.sumOutOfRange(table: R.table.name) }
      sum = total
    }
    return sum
  }
}

extension Int64 {
  /// `high * 2^32 + low`; nil where that is more than 64 bits hold.
  fileprivate init?(high: Int64, low: Int64) {
    let (carried, overflow) = high.addingReportingOverflow(low >> 32)
    guard !overflow, let top = Int32(exactly: carried) else { return nil }
    self = Int64(top) << 32 | low & 0xffff_ffff
  }
}
