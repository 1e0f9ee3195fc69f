/// An expression over the columns of a record's table, and of the tables that it is related to.
///
/// It is made with operators on key-path columns and has two readings, which agree: SQL, and evaluation in
/// memory. What has no SQL form has no operator here, and so doesn't compile. `R` is the record that the whole
/// query is about, whichever table a column is of.
public struct QueryExpression<R: Record, Value>: Sendable {
  let node: Node
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
