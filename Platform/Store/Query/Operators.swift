// Comparison and logic over expressions. Text compares by UTF-8 bytes, in SQL and in memory.

extension QueryExpression where Value: ColumnValue {
  /// Whether it is this value; nil is equal to nil.
  public static func == (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .equal(left.node, .literal(right.stored)))
  }
  /// What Swift means by it: a nil differs from every value.
  public static func != (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .not(.equal(left.node, .literal(right.stored))))
  }
  /// Whether both are the same value, or both nil.
  public static func == (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .equal(left.node, right.node))
  }
  /// Whether they differ; a nil differs from every value.
  public static func != (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .not(.equal(left.node, right.node)))
  }
}

// A column that may be nil beside one that may not: Swift's `==` takes the second for an optional, too.
extension QueryExpression where Value: ColumnValue {
  /// Whether both are the same value.
  public static func == (left: QueryExpression<R, Value?>, right: QueryExpression) -> QueryExpression<R, Bool>
  {
    QueryExpression<R, Bool>(node: .equal(left.node, right.node))
  }
  /// Whether they differ; a nil differs from every value.
  public static func != (left: QueryExpression<R, Value?>, right: QueryExpression) -> QueryExpression<R, Bool>
  {
    QueryExpression<R, Bool>(node: .not(.equal(left.node, right.node)))
  }
  /// Whether both are the same value.
  public static func == (left: QueryExpression, right: QueryExpression<R, Value?>) -> QueryExpression<R, Bool>
  {
    QueryExpression<R, Bool>(node: .equal(left.node, right.node))
  }
  /// Whether they differ; a nil differs from every value.
  public static func != (left: QueryExpression, right: QueryExpression<R, Value?>) -> QueryExpression<R, Bool>
  {
    QueryExpression<R, Bool>(node: .not(.equal(left.node, right.node)))
  }
}

// As in Swift, what may be nil has no `<`: `??` says what nil stands for.
extension QueryExpression where Value: ColumnValue & Comparable {
  /// Whether it is less than this value.
  public static func < (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(left.node, .literal(right.stored), orEqual: false))
  }
  /// Whether it is at most this value.
  public static func <= (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(left.node, .literal(right.stored), orEqual: true))
  }
  /// Whether it is more than this value.
  public static func > (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(.literal(right.stored), left.node, orEqual: false))
  }
  /// Whether it is at least this value.
  public static func >= (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(.literal(right.stored), left.node, orEqual: true))
  }
  /// Whether it is less than the other.
  public static func < (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(left.node, right.node, orEqual: false))
  }
  /// Whether it is at most the other.
  public static func <= (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(left.node, right.node, orEqual: true))
  }
  /// Whether it is more than the other.
  public static func > (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(right.node, left.node, orEqual: false))
  }
  /// Whether it is at least the other.
  public static func >= (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(right.node, left.node, orEqual: true))
  }
}

extension QueryExpression where Value == Bool {
  /// Whether both conditions hold.
  public static func && (left: QueryExpression, right: QueryExpression) -> QueryExpression {
    QueryExpression(node: left.node.and(right.node))
  }
  /// Whether either condition holds.
  public static func || (left: QueryExpression, right: QueryExpression) -> QueryExpression {
    QueryExpression(node: left.node.or(right.node))
  }
  /// Whether the condition doesn't hold.
  public static prefix func ! (operand: QueryExpression) -> QueryExpression {
    QueryExpression(node: .not(operand.node))
  }
}

extension QueryExpression where Value: ColumnValue {
  /// The column's value, or another where it is nil.
  ///
  ///     Item.where { ($0.score ?? 0) > 0.5 }
  public static func ?? (left: QueryExpression<R, Value?>, right: Value) -> QueryExpression {
    QueryExpression(node: .coalesce(left.node, .literal(right.stored)))
  }
  /// The column's value, or another column's where it is nil.
  public static func ?? (left: QueryExpression<R, Value?>, right: QueryExpression) -> QueryExpression {
    QueryExpression(node: .coalesce(left.node, right.node))
  }
}

extension Collection where Element: ColumnValue {
  /// Whether the column's value is one of these.
  public func contains<R: Record>(_ expression: QueryExpression<R, Element>) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .isIn(expression.node, map(\.stored)))
  }
}

extension ClosedRange where Bound: ColumnValue {
  /// Whether the column's value is in the range.
  public func contains<R: Record>(_ expression: QueryExpression<R, Bound>) -> QueryExpression<R, Bool> {
    expression >= lowerBound && expression <= upperBound
  }
}

extension Range where Bound: ColumnValue {
  /// Whether the column's value is in the range.
  public func contains<R: Record>(_ expression: QueryExpression<R, Bound>) -> QueryExpression<R, Bool> {
    expression >= lowerBound && expression < upperBound
  }
}
