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
  /// In a file that is being salvaged, null stands for what can't be read too; `isLost(at:)` tells them apart.
  ///
  /// Decoded anew with each call. Throws `damaged` where the bytes contradict the format, `changedWhileReading`
  /// where another process explains that, and `noSuchColumn`.
  public func value(at columnIndex: Int) throws(RealmFileError) -> RealmValue {
    do throws(RealmFileError) {
      return try cluster.value(column: columnIndex, row: index)
    } catch {
      try cluster.overlook(error)
      return .null
    }
  }

  /// The same value where it lies: faster than `value(at:)` where not every text is needed as a string.
  ///
  /// A link whose column has no target is null, as with `value(at:)`.
  public func cell(at columnIndex: Int) throws(RealmFileError) -> RealmCell {
    do throws(RealmFileError) {
      let cell = try cluster.cell(column: columnIndex, row: index)
      switch cell {
      case .composite: return .value(try cluster.composite(column: columnIndex, row: index))
      case .link where cluster.layout.columns[columnIndex].column.target == nil: return .null
      default: return RealmCell(cell, snapshot: cluster.snapshot)
      }
    } catch {
      try cluster.overlook(error)
      return .null
    }
  }

  /// Whether the bytes of the value in the column at this position contradict the format.
  public func isLost(at columnIndex: Int) throws(RealmFileError) -> Bool {
    try cluster.loss(column: columnIndex, row: index) != nil
  }
}
