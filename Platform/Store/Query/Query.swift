/// Which records of a table, in which order, from where on, how many at most.
public struct Query<R: Record>: Sendable {
  var condition: Node?
  var orders: [Order<R>] = []
  var start: PageStart?
  var limit: Int?

  /// Orders the records; a second call orders those that the first leaves equal. The key comes last, in the
  /// direction of the last order, so that the order is always the same.
  public func order(_ by: (Columns<R>) -> Order<R>) -> Query {
    var query = self
    query.orders.append(by(Columns()))
    return query
  }

  /// At most this many records.
  public func limit(_ count: Int) -> Query {
    var query = self
    query.limit = Swift.max(0, count)
    return query
  }

  /// Only what comes after a record in the query's order: the next page, from the last record of the one before.
  ///
  ///     let first = Item.where { $0.folder == inbox }.order { $0.updatedAt.descending }.limit(50)
  ///     let next = first.after(lastOfFirst)
  ///
  /// The record's own values say where it stands, so that it needn't be there any more, and rows that come or
  /// go before it shift nothing. An index that serves the order leads straight to it.
  public func after(_ record: R) -> Query {
    var query = self
    query.start = PageStart(record)
    return query
  }

  /// Narrows the query further.
  public func `where`(_ condition: (Columns<R>) -> QueryExpression<R, Bool>) -> Query {
    var query = self
    let added = condition(Columns()).node
    query.condition = query.condition.map { $0.and(added) } ?? added
    return query
  }

  /// What tells those apart that all other orders leave equal. It runs the way of the last one, so that an index
  /// can serve both.
  var keyOrder: Order<R> {
    Order(
      node: .column(.root, R.table.declaration.keyIndex), isDescending: orders.last?.isDescending ?? false)
  }
}

extension Record {
  /// Every record.
  public static var all: Query<Self> { Query() }

  /// The records for which the condition holds.
  ///
  ///     Item.where { $0.folder == inbox && !$0.isRead }.order { $0.updatedAt.descending }.limit(50)
  public static func `where`(_ condition: (Columns<Self>) -> QueryExpression<Self, Bool>) -> Query<Self> {
    Query().where(condition)
  }
}
