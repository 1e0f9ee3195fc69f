// What a query's records come to, without fetching them. Order, page and limit don't count.

extension Reading where Self: ~Copyable {
  /// How many records a query finds; its order, page and limit don't count.
  public func count<R: Record>(_ query: Query<R>) throws -> Int where R.Scope == Scope {
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select([.sql("count(*)")], query.condition)
    }
    return Int(try integer(select) ?? 0)
  }

  /// Whether a query finds anything; its order, page and limit don't count.
  public func exists<R: Record>(_ query: Query<R>) throws -> Bool where R.Scope == Scope {
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.selectExists(query.condition)
    }
    return try integer(select) == 1
  }

  /// How many records a query finds by the value of a column, and of these how many meet each of some further
  /// conditions: all of it in one statement.
  ///
  ///     let counts = try snapshot.count(Item.all, by: { $0.folder }, of: { !$0.isRead }, { $0.isStarred == true })
  ///     counts[inbox].all, counts[inbox].of[0]
  public func count<R: Record, Key: ColumnValue>(
    _ query: Query<R>, by key: (Columns<R>) -> QueryExpression<R, Key>,
    of conditions: (Columns<R>) -> QueryExpression<R, Bool>...
  ) throws -> Counts<Key> where R.Scope == Scope {
    var pieces: [Renderer.Piece] = [.node(key(Columns()).node), .sql(", count(*)")]
    for condition in conditions {
      pieces += [.sql(", count(*) FILTER (WHERE "), .node(condition(Columns()).node), .sql(")")]
    }
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select(pieces, query.condition) { $0.sql += " GROUP BY 1 ORDER BY 1" }
    }
    var counts = Counts<Key>(conditionCount: conditions.count)
    try run(select) { row in
      var numbers: [Int] = []
      for index in 0...conditions.count { numbers.append(Int(try row.integer(Int32(index + 1)))) }
      counts.append(try Key.read(row, 0), .init(all: numbers[0], of: Array(numbers.dropFirst())))
    }
    return counts
  }

  /// The values that a column has in a query's records, each once, the smallest first.
  public func distinct<R: Record, Value: ColumnValue>(
    _ query: Query<R>, _ value: (Columns<R>) -> QueryExpression<R, Value>
  ) throws -> [Value] where R.Scope == Scope {
    let node = value(Columns()).node
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select([.sql("DISTINCT "), .node(node)], query.condition) { $0.sql += " ORDER BY 1" }
    }
    var values: [Value] = []
    try run(select) { values.append(try Value.read($0, 0)) }
    return values
  }

  /// The smallest value of a column in a query's records; nil where there is none.
  public func min<R: Record, Value: ColumnValue & Comparable>(
    _ query: Query<R>, _ value: (Columns<R>) -> QueryExpression<R, Value>
  ) throws -> Value? where R.Scope == Scope { try self.value(of: query, by: "min(", value(Columns()).node) }

  /// The smallest that isn't nil.
  public func min<R: Record, Value: ColumnValue & Comparable>(
    _ query: Query<R>, _ value: (Columns<R>) -> QueryExpression<R, Value?>
  ) throws -> Value? where R.Scope == Scope { try self.value(of: query, by: "min(", value(Columns()).node) }

  /// The largest value of a column in a query's records; nil where there is none.
  public func max<R: Record, Value: ColumnValue & Comparable>(
    _ query: Query<R>, _ value: (Columns<R>) -> QueryExpression<R, Value>
  ) throws -> Value? where R.Scope == Scope { try self.value(of: query, by: "max(", value(Columns()).node) }

  /// The largest that isn't nil.
  public func max<R: Record, Value: ColumnValue & Comparable>(
    _ query: Query<R>, _ value: (Columns<R>) -> QueryExpression<R, Value?>
  ) throws -> Value? where R.Scope == Scope { try self.value(of: query, by: "max(", value(Columns()).node) }

  private func value<R: Record, Value: ColumnValue>(of query: Query<R>, by function: String, _ node: Node)
    throws -> Value? where R.Scope == Scope
  {
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select([.sql(function), .node(node), .sql(")")], query.condition)
    }
    var found: Value?
    try run(select) { found = try Value?.read($0, 0) }
    return found
  }

  func integer(_ select: Renderer) throws -> Int64? {
    try access.session.connection.integer(select.sql) { try $0.bind(all: select.parameters) }
  }
}

/// How many records there are by the value of a column. Values are told apart by their stored bytes.
public struct Counts<Key: ColumnValue>: Sendable, Equatable {
  /// How many records there are.
  public struct Count: Sendable, Equatable {
    /// All of them.
    public let all: Int
    /// Those that meet each of the further conditions, in their order.
    public let of: [Int]
  }

  /// The values that occur, the smallest first.
  public private(set) var keys: [Key] = []
  private var counts: [StoredValue: Count] = [:]
  private let none: Count

  init(conditionCount: Int) { none = Count(all: 0, of: Array(repeating: 0, count: conditionCount)) }

  mutating func append(_ key: Key, _ count: Count) {
    keys.append(key)
    counts[key.stored] = count
  }

  /// The counts for a value; all of them 0 where it doesn't occur.
  public subscript(key: Key) -> Count { counts[key.stored] ?? none }

  /// Whether the same values occur as often.
  public static func == (left: Counts, right: Counts) -> Bool { left.counts == right.counts }
}
