/// What can be read inside a transaction, and through which handle: an account's records through an
/// account's, the device's through the device's.
public protocol Reading: ~Copyable {
  /// Whose records can be read.
  associatedtype Scope: StoreScope
  /// The way to the connection.
  var access: Access { get }
}

/// The way from a transaction to its connection. It has no public part.
public struct Access {
  let session: Session
  /// The account's key; nil for the device.
  let account: Int64?

  func bindKey<R: Record>(_ key: R.Key, of type: R.Type, _ binder: borrowing Binder) throws {
    if let account {
      try binder.bind(account, 1)
      try key.bind(binder, 2)
    } else {
      try key.bind(binder, 1)
    }
  }
}

/// One consistent state of the store, lent to a reading closure.
public struct Snapshot<Scope: StoreScope>: ~Copyable, Reading {
  /// The way to the connection.
  public let access: Access
}

extension Reading where Self: ~Copyable {
  /// The records a query finds, in its order.
  public func fetch<R: Record>(_ query: Query<R>) throws -> [R] where R.Scope == Scope {
    let append = R.table.parts.code.append
    var records: [R] = []
    if let limit = query.limit { records.reserveCapacity(Swift.min(limit, 64)) }
    try forEachRow(query) { try append($0, &records) }
    return records
  }

  /// Hands each record that a query finds to `body`, holding one at a time.
  public func forEach<R: Record>(_ query: Query<R>, _ body: (R) throws -> Void) throws
  where R.Scope == Scope {
    let decode = R.table.parts.code.decode
    try forEachRow(query) { try body(try decode($0, 0)) }
  }

  private func forEachRow<R: Record>(_ query: Query<R>, _ body: (borrowing Row) throws -> Void) throws {
    let table = R.table
    let select = try render(R.self) { renderer throws(StoreError) in
      try renderer.select([.sql(table.sql.columns)], query)
    }
    try run(select, body)
  }

  /// The SQL of a query over a record's table, once the store is known to have every table in it.
  func render<R: Record>(_: R.Type, _ body: (inout Renderer) throws(StoreError) -> Void) throws -> Renderer {
    let table = R.table.declaration
    try access.session.check(table)
    var renderer = Renderer(table, account: access.account)
    try body(&renderer)
    for other in renderer.otherTables { try access.session.check(other) }
    return renderer
  }

  /// Hands each row to `body`.
  func run(_ select: Renderer, _ body: (borrowing Row) throws -> Void) throws {
    var seen = 0
    try access.session.connection.run(select.sql) {
      try $0.bind(all: select.parameters)
    } row: { row in
      seen += 1
      if seen.isMultiple(of: 64) { try access.session.checkCancellation() }
      try body(row)
      return true
    }
  }

  /// The first record a query finds.
  public func first<R: Record>(_ query: Query<R>) throws -> R? where R.Scope == Scope {
    try fetch(query.limit(Swift.min(1, query.limit ?? 1))).first
  }

  /// The record with this key.
  public func find<R: Record>(_ type: R.Type, _ key: R.Key) throws -> R? where R.Scope == Scope {
    let table = R.table
    try access.session.check(table.declaration)
    var record: R?
    try access.session.connection.run(table.parts.find) { binder in
      try access.bindKey(key, of: R.self, binder)
    } row: { row in
      record = try table.parts.code.decode(row, 0)
      return false
    }
    return record
  }
}
