// Comparison and logic over expressions. Text compares by UTF-8 bytes, in SQL and in memory.

extension Expression where Value: ColumnValue {
  public static func == (left: Expression, right: Value) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .equal(left.node, .literal(right.stored)))
  }
  /// What Swift means by it: a nil differs from every value.
  public static func != (left: Expression, right: Value) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .not(.equal(left.node, .literal(right.stored))))
  }
  public static func == (left: Expression, right: Expression) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .equal(left.node, right.node))
  }
  public static func != (left: Expression, right: Expression) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .not(.equal(left.node, right.node)))
  }
}

extension Expression where Value: ColumnValue & Comparable {
  public static func < (left: Expression, right: Value) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .less(left.node, .literal(right.stored), orEqual: false))
  }
  public static func <= (left: Expression, right: Value) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .less(left.node, .literal(right.stored), orEqual: true))
  }
  public static func > (left: Expression, right: Value) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .less(.literal(right.stored), left.node, orEqual: false))
  }
  public static func >= (left: Expression, right: Value) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .less(.literal(right.stored), left.node, orEqual: true))
  }
}

extension Expression where Value == Bool {
  public static func && (left: Expression, right: Expression) -> Expression {
    Expression(node: .and(left.node, right.node))
  }
  public static func || (left: Expression, right: Expression) -> Expression {
    Expression(node: .or(left.node, right.node))
  }
  public static prefix func ! (operand: Expression) -> Expression { Expression(node: .not(operand.node)) }
}

extension Expression where Value == String {
  /// Whether the bytes of `text` occur in the column's.
  public func contains(_ text: String) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .contains(node, text))
  }
  /// Whether the column's bytes begin with those of `text`.
  public func starts(with text: String) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .starts(node, text))
  }
}

extension Sequence where Element: ColumnValue {
  /// Whether the column's value is one of these.
  public func contains<R: Record>(_ expression: Expression<R, Element>) -> Expression<R, Bool> {
    Expression<R, Bool>(node: .isIn(expression.node, map(\.stored)))
  }
}
