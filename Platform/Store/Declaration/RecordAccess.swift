/// Reading and writing the records of a table whose type isn't known, by their own decoder and binder: for laws
/// that hold of every table.
struct RecordAccess: Sendable {
  let find: @Sendable (StoredValue, Access) throws -> (any Record)?
  let insert: @Sendable (any Record, Access) throws -> WriteCounts
  let travels: @Sendable (any Record) -> Bool

  init<R: Record>(_ type: R.Type) {
    find = { key, access in
      guard let key = R.Key.value(from: key) else { return nil }
      return try Snapshot<R.Scope>(access: access).find(R.self, key)
    }
    insert = { record, access in
      guard let record = record as? R else { throw StoreError.unknownTable(R.table.name) }
      return try Transaction<R.Scope>(access: access).insert(record)
    }
    travels = { record in (record as? R).map { R.table.tracking.covers($0) } ?? false }
  }
}

extension TableDeclaration {
  /// Whether a record's local changes enter the outbox.
  package func travels(_ record: any Record) -> Bool { records?.travels(record) ?? false }
}

extension Reading where Self: ~Copyable {
  /// The record with this key, made by its own decoder; nil where there is none.
  package func record(of table: TableDeclaration, key: StoredValue) throws -> (any Record)? {
    guard table.hasAccount == Scope.hasAccount else { throw StoreError.unknownTable(table.name) }
    return try table.records?.find(key, access)
  }
}

extension Transaction {
  /// Inserts a record through its own binder, with all that comes with a write.
  @discardableResult
  package func insert(_ record: any Record, into table: TableDeclaration) throws -> WriteCounts {
    guard table.hasAccount == Scope.hasAccount, let records = table.records else {
      throw StoreError.unknownTable(table.name)
    }
    return try records.insert(record, access)
  }

  /// Inserts a row as it is stored, past record and binder: nothing is kept beside it, and nothing is tracked.
  package func insertRow(_ values: [StoredValue], into table: TableDeclaration) throws {
    guard table.hasAccount == Scope.hasAccount else { throw StoreError.unknownTable(table.name) }
    try access.session.checkWrite(table)
    let account = access.account.map { [StoredValue.integer($0)] } ?? []
    try access.session.connection.run(TableSQL(table).insert) { try $0.bind(all: account + values) }
  }
}
