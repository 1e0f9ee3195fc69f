/// Which records, each with the one that a reference leads to. Conditions and order are the query's own.
public struct JoinedQuery<R: Record, Target: Record>: Sendable {
  var query: Query<R>
  let join: Join

  /// Only what comes after a pair in the query's order.
  public func after(_ pair: Joined<R, Target>) -> JoinedQuery {
    var joined = self
    joined.query.start = PageStart(pair.record, pair.target, join)
    return joined
  }
}

/// A record and the one that a reference of it leads to.
public struct Joined<R: Record, Target: Record>: Sendable {
  /// The record that the query found.
  public let record: R
  /// nil where the reference is nil or leads to no record.
  public let target: Target?
}

extension Joined: Equatable where R: Equatable, Target: Equatable {}

extension Query {
  /// Each record together with the one that a reference leads to.
  ///
  ///     Item.all.order { $0.joined(Folder.self, by: \.folder).name.ascending }.with(Folder.self, by: \.folder)
  ///
  /// - Parameter reference: a column declared with `to: Target.self`.
  public func with<Target: Record>(
    _ target: Target.Type, by reference: any KeyPath<R, Target.Key> & Sendable
  ) -> JoinedQuery<R, Target> where Target.Scope == R.Scope {
    JoinedQuery(query: self, join: Join(.root, R.self, reference, target))
  }

  /// The same along a reference that may be absent.
  public func with<Target: Record>(
    _ target: Target.Type, by reference: any KeyPath<R, Target.Key?> & Sendable
  ) -> JoinedQuery<R, Target> where Target.Scope == R.Scope {
    JoinedQuery(query: self, join: Join(.root, R.self, reference, target))
  }
}

extension Reading where Self: ~Copyable {
  /// The records a query finds, in its order, each with the one that a reference leads to.
  public func fetch<R: Record, Target: Record>(_ joined: JoinedQuery<R, Target>) throws -> [Joined<R, Target>]
  where R.Scope == Scope {
    var pairs: [Joined<R, Target>] = []
    try forEach(joined) { pairs.append($0) }
    return pairs
  }

  /// Hands each of them to `body`, holding one at a time.
  public func forEach<R: Record, Target: Record>(
    _ joined: JoinedQuery<R, Target>, _ body: (Joined<R, Target>) throws -> Void
  ) throws where R.Scope == Scope {
    let (table, target) = (R.table, Target.table)
    let own = Int32(table.declaration.columns.count)
    let key = own + Int32(target.declaration.keyIndex)
    let select = try render(R.self) { renderer throws(StoreError) in
      let columns: [Renderer.Piece] = [.sql(table.sql.columns), .sql(", "), .row(.joined(joined.join))]
      try renderer.select(columns, joined.query)
    }
    try run(select) { row in
      let other = row.isNull(key) ? nil : try target.decode(row, own)
      try body(Joined(record: try table.decode(row, 0), target: other))
    }
  }

  /// The first of them.
  public func first<R: Record, Target: Record>(_ joined: JoinedQuery<R, Target>) throws -> Joined<R, Target>?
  where R.Scope == Scope {
    var one = joined
    one.query.limit = Swift.min(1, joined.query.limit ?? 1)
    return try fetch(one).first
  }
}

extension Handle {
  /// Observes the records that a query finds, each with the one that a reference leads to.
  public func observe<R: Record, Target: Record>(_ joined: JoinedQuery<R, Target>)
    -> Observation<[Joined<R, Target>]> where R.Scope == Scope
  {
    Observation(store: store) { session in
      try lend(session) { try Snapshot<Scope>(access: access(session)).fetch(joined) }
    } isSame: { left, right in
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    }
  }
}

extension Joined {
  /// By the stored bytes.
  fileprivate func isSame(as other: Joined) -> Bool {
    guard R.table.areEqual(record, other.record) else { return false }
    return switch (target, other.target) {
    case (nil, nil): true
    case (let left?, let right?): Target.table.areEqual(left, right)
    default: false
    }
  }
}
