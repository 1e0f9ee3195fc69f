/// A row whose columns an expression can name.
public protocol RowColumns<Root, Subject>: Sendable {
  /// What the whole query is about.
  associatedtype Root: Record
  /// What the row is.
  associatedtype Subject: Record
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
  public var row: RowReference { RowReference(source: .root) }

  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<R, Value> & Sendable)
    -> QueryExpression<R, Value>
  { QueryExpression(node: R.table.column(path, of: .root)) }
}

/// The columns of a row that a reference leads to. All of them are optional: there may be no such row.
@dynamicMemberLookup
public struct JoinedColumns<R: Record, Target: Record>: RowColumns {
  public typealias Root = R
  public typealias Subject = Target
  public let row: RowReference

  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<Target, Value> & Sendable)
    -> QueryExpression<R, Value?>
  { QueryExpression(node: Target.table.column(path, of: row.source)) }

  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<Target, Value?> & Sendable)
    -> QueryExpression<R, Value?>
  { QueryExpression(node: Target.table.column(path, of: row.source)) }
}

/// The columns of a row that refers to another one.
@dynamicMemberLookup
public struct RelatedColumns<R: Record, Related: Record>: RowColumns {
  public typealias Root = R
  public typealias Subject = Related
  public let row: RowReference

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
