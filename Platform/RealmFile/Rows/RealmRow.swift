/// One row. It stays readable for as long as it is kept, also after its file and cursor are let go.
public struct RealmRow {
  /// The object key: identifies the row within its table, and is what links name. Never negative.
  public let key: Int64
  let cluster: Cluster
  let index: Int

  /// The columns of the row's table; `value(at:)` takes their positions.
  public var columns: [RealmColumn] { cluster.layout.publicColumns }

  /// The value in the column at this position of `RealmTable.columns`.
  ///
  /// Decoded anew with each call. Throws `damaged` where the bytes contradict the format, `changedWhileReading`
  /// where another process explains that, and `noSuchColumn`.
  public func value(at columnIndex: Int) throws(RealmFileError) -> RealmValue {
    try cluster.diagnosedValue(column: columnIndex, row: index)
  }
}
