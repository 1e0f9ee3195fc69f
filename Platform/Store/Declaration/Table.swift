/// A table, declared once: the schema, the decoder, the binder and the map from key path to column.
///
///     static let table = Table<Folder>(
///       "folder", key: \.id, tracking: .all,
///       columns: Column("id", \.id), Column("name", \.name), Column("parent", \.parent, to: Folder.self),
///       make: Folder.init(id:name:parent:))
public struct Table<R: Record>: Sendable {
  /// What a tool needs to know of the table, whatever its record.
  public let declaration: TableDeclaration
  let tracking: Tracking<R>
  let keyOf: any KeyPath<R, R.Key> & Sendable
  let indexOf: [ColumnPath<R>: Int]
  let decode: @Sendable (borrowing Row, Int32) throws -> R
  /// Binds every column in order, from the given parameter on.
  let bind: @Sendable (R, borrowing Binder, Int32) throws -> Void
  let storedValues: @Sendable (R) throws(StoreError) -> [StoredValue]
  /// Each column's value as it is stored.
  let storedOf: [@Sendable (R) throws(StoreError) -> StoredValue]
  let sql: TableSQL

  /// - Parameters:
  ///   - name: the name in the schema, in snake case.
  ///   - key: the column that is the record's identity, within its account.
  ///   - tracking: which rows' local changes enter the outbox.
  ///   - columns: every stored property, in the order of the record's initializer.
  ///   - indexes: further indexes; the key and each reference have one already.
  ///   - search: in which properties a search looks; nil: nobody searches the table.
  ///   - make: the record's initializer.
  public init<each Form: ColumnForm>(
    _ name: String, key: any KeyPath<R, R.Key> & Sendable, tracking: Tracking<R> = .none,
    columns: repeat Column<R, each Form>, indexes: [Index<R>] = [],
    search: SearchIndex<R>? = nil,
    make: @escaping @Sendable (repeat (each Form).Value) -> R
  ) {
    var declarations: [ColumnDeclaration] = []
    var indexOf: [ColumnPath<R>: Int] = [:]
    for column in repeat each columns {
      indexOf[ColumnPath(path: column.path)] = declarations.count
      declarations.append(column.declaration)
    }
    let isTracked = if case .none = tracking { false } else { true }
    declaration = TableDeclaration(
      name: name, hasAccount: R.Scope.hasAccount, isTracked: isTracked, columns: declarations,
      keyIndex: indexOf[ColumnPath(path: key)], indexes: indexes.map { $0.paths.map { indexOf[$0] } },
      search: search.map { $0.paths.map { indexOf[$0] } })
    sql = TableSQL(declaration)
    self.indexOf = indexOf
    self.tracking = tracking
    keyOf = key
    decode = { row, first in
      var index = first
      return make(repeat try row.next((each Form).self, &index))
    }
    bind = { record, binder, first in
      var index = first
      for column in repeat each columns {
        try column.bind(record, binder, index)
        index += 1
      }
    }
    var storedOf: [@Sendable (R) throws(StoreError) -> StoredValue] = []
    for column in repeat each columns { storedOf.append(column.storing) }
    self.storedOf = storedOf
    storedValues = { record throws(StoreError) in
      var values: [StoredValue] = []
      for column in repeat each columns { values.append(try column.stored(record)) }
      return values
    }
  }

  /// The table's name in the schema.
  public var name: String { declaration.name }

  /// The identity of a record.
  public func key(of record: R) -> R.Key { record[keyPath: keyOf] }

  /// The text form of a record's key, as outbox and feeds name the row.
  public func keyText(of record: R) -> String { key(of: record).stored.keyText }

  /// Whether two records are the same in every column, by their stored bytes. One that has no JSON form, and so
  /// can't be stored, is like no other.
  public func areEqual(_ left: R, _ right: R) -> Bool {
    do { return try storedValues(left) == storedValues(right) } catch { return false }
  }
}

extension Row {
  /// Reads column `index` and moves on to the next. A parameter pack has no other way to count.
  fileprivate func next<Form: ColumnForm>(_: Form.Type, _ index: inout Int32) throws(StoreError)
    -> Form.Value
  {
    defer { index += 1 }
    return try Form.read(self, index)
  }
}
