// Operators that the store doesn't have, and for a reason: with literals on either side of everything, and a
// plain Bool in every condition, the expressions beside this file take the type-checker too long.
import FerryStore

extension QueryExpression where Value: ColumnValue {
  static func == (left: Value, right: QueryExpression) -> QueryExpression<R, Bool> { right == left }
  static func != (left: Value, right: QueryExpression) -> QueryExpression<R, Bool> { right != left }
  static func == <T: ExpressibleByIntegerLiteral>(left: QueryExpression, right: T) -> Bool { false }
  static func != <T: ExpressibleByIntegerLiteral>(left: QueryExpression, right: T) -> Bool { false }
  static func == (left: QueryExpression, right: Value) -> Bool { false }
  static func != (left: QueryExpression, right: Value) -> Bool { false }
}

extension QueryExpression where Value == Bool {
  static func && (left: QueryExpression, right: Bool) -> QueryExpression { left }
  static func && (left: Bool, right: QueryExpression) -> QueryExpression { right }
  static func || (left: QueryExpression, right: Bool) -> QueryExpression { left }
  static func || (left: Bool, right: QueryExpression) -> QueryExpression { right }
}
