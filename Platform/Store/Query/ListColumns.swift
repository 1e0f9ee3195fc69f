// Columns whose values aren't compared: lists, of which a query asks for members, and values as JSON, of which
// it asks whether they are there.

/// A list's column.
public struct ListExpression<R: Record, Element: ColumnValue>: Sendable {
  let source: Source
  /// The column, or what is wrong with it.
  let column: Node
  /// nil only where there is something wrong with the column.
  let members: MemberTable?

  /// Whether the value is a member; of a list that is nil, none is. An index answers it.
  public func contains(_ value: Element) -> QueryExpression<R, Bool> {
    guard let members else { return QueryExpression(node: column) }
    return QueryExpression(node: .beside(source, BesideSelect(kind: .member(value.stored, members))))
  }

  /// Whether it has no member; one that is nil isn't empty.
  public var isEmpty: QueryExpression<R, Bool> {
    QueryExpression(node: .equal(column, .literal(.text(MemberShape.json(of: [])))))
  }
}

/// A list's column that may hold nil.
public struct OptionalListExpression<R: Record, Element: ColumnValue>: Sendable {
  let list: ListExpression<R, Element>

  /// Whether the value is a member; of a list that is nil, none is. An index answers it.
  public func contains(_ value: Element) -> QueryExpression<R, Bool> { list.contains(value) }
  /// Whether it has no member; one that is nil isn't empty.
  public var isEmpty: QueryExpression<R, Bool> { list.isEmpty }

  /// Whether the list is nil.
  public static func == (left: Self, right: _OptionalNilComparisonType) -> QueryExpression<R, Bool> {
    QueryExpression(node: left.list.column.isNil)
  }
  /// Whether there is a list, be it an empty one.
  public static func != (left: Self, right: _OptionalNilComparisonType) -> QueryExpression<R, Bool> {
    QueryExpression(node: .not(left.list.column.isNil))
  }
}

/// A column of which a query can ask only whether it holds nil.
public struct PresenceExpression<R: Record>: Sendable {
  let column: Node

  /// Whether the value is nil.
  public static func == (left: Self, right: _OptionalNilComparisonType) -> QueryExpression<R, Bool> {
    QueryExpression(node: left.column.isNil)
  }
  /// Whether there is a value.
  public static func != (left: Self, right: _OptionalNilComparisonType) -> QueryExpression<R, Bool> {
    QueryExpression(node: .not(left.column.isNil))
  }
}

extension Node {
  fileprivate var isNil: Node { .equal(self, .literal(.null)) }
}

extension Columns {
  /// The column of a list of members.
  public subscript<Element: ColumnValue>(dynamicMember path: any KeyPath<R, [Element]> & Sendable)
    -> ListExpression<R, Element>
  { R.table.list(path, of: .root) }

  /// The column of a list of members that may be nil.
  public subscript<Element: ColumnValue>(dynamicMember path: any KeyPath<R, [Element]?> & Sendable)
    -> OptionalListExpression<R, Element>
  { OptionalListExpression(list: R.table.list(path, of: .root)) }

  /// The column of a value as JSON that may be nil.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember path: any KeyPath<R, Value?> & Sendable) -> PresenceExpression<R> {
    PresenceExpression(column: R.table.column(path, of: .root))
  }
}

extension JoinedColumns {
  /// The column of a list of members; nil where there is no row.
  public subscript<Element: ColumnValue>(dynamicMember path: any KeyPath<Target, [Element]> & Sendable)
    -> OptionalListExpression<R, Element>
  { OptionalListExpression(list: Target.table.list(path, of: row.source)) }

  /// The column of a list of members; nil also where there is no row.
  public subscript<Element: ColumnValue>(dynamicMember path: any KeyPath<Target, [Element]?> & Sendable)
    -> OptionalListExpression<R, Element>
  { OptionalListExpression(list: Target.table.list(path, of: row.source)) }
}

extension RelatedColumns {
  /// The column of a list of members.
  public subscript<Element: ColumnValue>(dynamicMember path: any KeyPath<Related, [Element]> & Sendable)
    -> ListExpression<R, Element>
  { Related.table.list(path, of: row.source) }

  /// The column of a list of members that may be nil.
  public subscript<Element: ColumnValue>(dynamicMember path: any KeyPath<Related, [Element]?> & Sendable)
    -> OptionalListExpression<R, Element>
  { OptionalListExpression(list: Related.table.list(path, of: row.source)) }
}

extension Table {
  fileprivate func list<Root: Record, Element>(_ path: any PartialKeyPath<R> & Sendable, of source: Source)
    -> ListExpression<Root, Element>
  {
    var column = column(path, of: source)
    var members: MemberTable?
    if case .column(_, let index) = column {
      members = declaration.sides.members.first { $0.index == index }
      if members == nil { column = .fault(.notAColumn(table: name, path: "\(path), as a list of members,")) }
    }
    return ListExpression(source: source, column: column, members: members)
  }
}
