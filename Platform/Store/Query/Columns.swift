/// A row whose columns an expression can name.
public protocol RowColumns<Root, Subject>: Sendable {
  /// What the whole query is about.
  associatedtype Root: Record
  /// What the row is.
  associatedtype Subject: Record
  /// Which row's columns they are.
  var row: RowReference { get }
}

/// Which row of a query it is. It has no public part.
public struct RowReference: Sendable {
  let source: Source
}

/// The columns of the record that a query is about, each under the name of its property.
@dynamicMemberLookup
public struct Columns<R: Record>: RowColumns {
  public typealias Root = R
  public typealias Subject = R
  /// The query's own row.
  public var row: RowReference { RowReference(source: .root) }

  /// The column that holds a property. A property that has none is the query's error, once that is used.
  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<R, Value> & Sendable)
    -> QueryExpression<R, Value>
  { QueryExpression(node: R.table.column(path, of: .root)) }
}

/// The columns of a row that a reference leads to. All of them are optional: there may be no such row.
@dynamicMemberLookup
public struct JoinedColumns<R: Record, Target: Record>: RowColumns {
  public typealias Root = R
  public typealias Subject = Target
  /// The row that the reference leads to, or none.
  public let row: RowReference

  /// The column that holds a property; nil where there is no row.
  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<Target, Value> & Sendable)
    -> QueryExpression<R, Value?>
  { QueryExpression(node: Target.table.column(path, of: row.source)) }

  /// The column that holds a property; nil also where there is no row.
  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<Target, Value?> & Sendable)
    -> QueryExpression<R, Value?>
  { QueryExpression(node: Target.table.column(path, of: row.source)) }
}

/// The columns of a row that refers to another one.
@dynamicMemberLookup
public struct RelatedColumns<R: Record, Related: Record>: RowColumns {
  public typealias Root = R
  public typealias Subject = Related
  /// One of the rows that refer.
  public let row: RowReference

  /// The column that holds a property of the row that refers.
  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<Related, Value> & Sendable)
    -> QueryExpression<R, Value>
  { QueryExpression(node: Related.table.column(path, of: row.source)) }
}

extension Table {
  func column(_ path: any PartialKeyPath<R> & Sendable, of source: Source) -> Node {
    if let index = indexOf[ColumnPath(path: path)] { return .column(source, index) }
    return .fault(.notAColumn(table: name, path: "\(path)"))
  }
}
