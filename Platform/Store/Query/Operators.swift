// Comparison and logic over expressions. Text compares by UTF-8 bytes, in SQL and in memory.

extension QueryExpression where Value: ColumnValue {
  public static func == (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .equal(left.node, .literal(right.stored)))
  }
  /// What Swift means by it: a nil differs from every value.
  public static func != (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .not(.equal(left.node, .literal(right.stored))))
  }
  public static func == (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .equal(left.node, right.node))
  }
  public static func != (left: QueryExpression, right: QueryExpression) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .not(.equal(left.node, right.node)))
  }
}

extension QueryExpression where Value: ColumnValue & Comparable {
  public static func < (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(left.node, .literal(right.stored), orEqual: false))
  }
  public static func <= (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(left.node, .literal(right.stored), orEqual: true))
  }
  public static func > (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(.literal(right.stored), left.node, orEqual: false))
  }
  public static func >= (left: QueryExpression, right: Value) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .less(.literal(right.stored), left.node, orEqual: true))
  }
}

extension QueryExpression where Value == Bool {
  public static func && (left: QueryExpression, right: QueryExpression) -> QueryExpression {
    QueryExpression(node: .and(left.node, right.node))
  }
  public static func || (left: QueryExpression, right: QueryExpression) -> QueryExpression {
    QueryExpression(node: .or(left.node, right.node))
  }
  public static prefix func ! (operand: QueryExpression) -> QueryExpression {
    QueryExpression(node: .not(operand.node))
  }
}

extension QueryExpression where Value == String {
  /// Whether the bytes of `text` occur in the column's.
  public func contains(_ text: String) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .contains(node, text))
  }
  /// Whether the column's bytes begin with those of `text`.
  public func starts(with text: String) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .starts(node, text))
  }
}

extension Sequence where Element: ColumnValue {
  /// Whether the column's value is one of these.
  public func contains<R: Record>(_ expression: QueryExpression<R, Element>) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .isIn(expression.node, map(\.stored)))
  }
}
