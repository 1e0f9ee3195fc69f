/// An expression over the columns of a record's table.
///
/// It is made with operators on key-path columns and has two readings, which agree: SQL, and evaluation in
/// memory. What has no SQL form has no operator here, and so doesn't compile.
public struct QueryExpression<R: Record, Value>: Sendable {
  let node: Node
}

/// The tree behind an expression.
indirect enum Node: Sendable {
  case column(Int)
  /// A key path that is no column; an error once the query is used.
  case notAColumn(String)
  case literal(StoredValue)
  /// Swift's `==`, also for nil: SQL's IS.
  case equal(Node, Node)
  case less(Node, Node, orEqual: Bool)
  case and(Node, Node)
  case or(Node, Node)
  case not(Node)
  case isIn(Node, [StoredValue])
  case contains(Node, String)
  case starts(Node, String)
}

/// The columns of a record's table, each under the name of its property.
@dynamicMemberLookup
public struct Columns<R: Record>: Sendable {
  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<R, Value> & Sendable)
    -> QueryExpression<
      R, Value
    >
  {
    if let index = R.table.indexOf[ColumnPath(path: path)] { return QueryExpression(node: .column(index)) }
    return QueryExpression(node: .notAColumn("\(path)"))
  }
}

extension QueryExpression where Value: ColumnValue {
  /// Smallest first; nil before every value.
  public var ascending: Order<R> { Order(node: node, isDescending: false) }
  /// Largest first; nil after every value.
  public var descending: Order<R> { Order(node: node, isDescending: true) }
}

/// By what a query's rows are ordered.
public struct Order<R: Record>: Sendable {
  let node: Node
  let isDescending: Bool
}
