/// Which records of a table, in which order, how many at most.
public struct Query<R: Record>: Sendable {
  var condition: Node?
  var orders: [Order<R>] = []
  var limit: Int?

  /// Orders the records; a second call orders those that the first leaves equal. The key comes last, so
  /// that the order is always the same.
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

  /// Narrows the query further.
  public func `where`(_ condition: (Columns<R>) -> QueryExpression<R, Bool>) -> Query {
    var query = self
    let added = condition(Columns()).node
    query.condition = query.condition.map { .and($0, added) } ?? added
    return query
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
