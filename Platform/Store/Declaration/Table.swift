/// A table, declared once: the schema, the decoder, the binder and the map from key path to column.
///
///     static let table = Table<Folder>(
///       "folder", key: \.id, tracking: .all,
///       columns: Column("id", \.id), Column("name", \.name), Column("parent", \.parent, to: Folder.self),
///       make: Folder.init(id:name:parent:))
public struct Table<R: Record>: Sendable {
  /// Behind one reference, so that to ask a record for its table costs nothing.
  let parts: TableParts<R>

  /// - Parameters:
  ///   - name: the name in the schema, in snake case.
  ///   - key: the column that is the record's identity, within its account.
  ///   - tracking: which rows' local changes enter the outbox.
  ///   - columns: every stored property, in the order of the record's initializer.
  ///   - indexes: further indexes; the key and each reference have one already.
  ///   - search: in which properties a search looks; nil: nobody searches the table.
  ///   - make: the record's initializer.
  ///
  /// It can be inlined, so that what reads and writes a row is compiled for the record: a pack that isn't costs
  /// several times what SQLite does.
  @inlinable
  public init<each Form: ColumnForm>(
    _ name: String, key: any KeyPath<R, R.Key> & Sendable, tracking: Tracking<R> = .none,
    columns: repeat Column<R, each Form>, indexes: [Index<R>] = [], search: SearchIndex<R>? = nil,
    make: @escaping @Sendable (repeat (each Form).Value) -> R
  ) {
    var erased: [ErasedColumn<R>] = []
    for column in repeat each columns { erased.append(column.erased) }
    self.init(
      named: name, key: key, tracking: tracking, columns: erased, indexes: indexes, search: search,
      code: RowCode { row, first in
        var index = first
        return make(repeat try row.next((each Form).self, &index))
      } append: { row, records in
        var index: Int32 = 0
        records.append(make(repeat try row.next((each Form).self, &index)))
      } bind: { record, offsets, binder, first in
        var index = 0
        repeat try (each Form).bindNext(record, offsets, &index, binder, first)
      })
  }

  @usableFromInline
  init(
    named name: String, key: any KeyPath<R, R.Key> & Sendable, tracking: Tracking<R>,
    columns: [ErasedColumn<R>],
    indexes: [Index<R>], search: SearchIndex<R>?, code: RowCode<R>
  ) {
    var indexOf: [ColumnPath<R>: Int] = [:]
    for (index, column) in columns.enumerated() { indexOf[column.path] = index }
    let isTracked = if case .none = tracking { false } else { true }
    var declaration = TableDeclaration(
      name: name, hasAccount: R.Scope.hasAccount, isTracked: isTracked, columns: columns.map(\.declaration),
      keyIndex: indexOf[ColumnPath(path: key)], indexes: indexes.map { $0.paths.map { indexOf[$0] } },
      search: search.map { $0.paths.map { indexOf[$0] } })
    declaration.records = RecordAccess(R.self)
    parts = TableParts(
      declaration: declaration, tracking: tracking, keyOf: key, indexOf: indexOf,
      columns: columns, code: code)
  }

  /// The same table with a decoder of its own, for records that are read so often that a tenth counts: a pack
  /// calls a function for each column, where here all of it is compiled as one.
  ///
  ///     .decoded { row, column in Folder(id: try row.next(&column), name: try row.next(&column)) }
  ///
  /// - Parameter decode: makes a record of a row, with each column in its order.
  @inlinable
  public func decoded(by decode: @escaping @Sendable (borrowing Row, inout Int32) throws -> R) -> Table {
    replacing { row, first in
      var index = first
      return try decode(row, &index)
    } append: { row, records in
      var index: Int32 = 0
      records.append(try decode(row, &index))
    }
  }

  @usableFromInline
  func replacing(
    decode: @escaping @Sendable (borrowing Row, Int32) throws -> R,
    append: @escaping @Sendable (borrowing Row, inout [R]) throws -> Void
  ) -> Table {
    let code = RowCode<R>(decode: decode, append: append, bind: parts.code.bind)
    return Table(parts: TableParts(parts, code: code, countsEdits: parts.countsEdits))
  }

  /// The same table, of which no change counts as a person's (see `localEdits()`): for rows that only say what the
  /// device has of something.
  public func uncounted() -> Table {
    Table(parts: TableParts(parts, code: parts.code, countsEdits: false))
  }

  private init(parts: TableParts<R>) { self.parts = parts }

  /// What a tool needs to know of the table, whatever its record.
  public var declaration: TableDeclaration { parts.declaration }

  /// The table's name in the schema.
  public var name: String { parts.declaration.name }

  var sql: TableSQL { parts.sql }
  var decode: @Sendable (borrowing Row, Int32) throws -> R { parts.code.decode }
  var storedOf: [@Sendable (R) throws(StoreError) -> StoredValue] { parts.storedOf }
  var tracking: Tracking<R> { parts.tracking }
  var indexOf: [ColumnPath<R>: Int] { parts.indexOf }

  /// The identity of a record.
  public func key(of record: R) -> R.Key { record[keyPath: parts.keyOf] }

  /// The text form of a record's key, as outbox and feeds name the row.
  public func keyText(of record: R) -> String { key(of: record).stored.keyText }

  /// Whether two records are the same in every column, by their stored bytes. One that has no JSON form, and so
  /// can't be stored, is like no other.
  public func areEqual(_ left: R, _ right: R) -> Bool {
    do {
      for stored in parts.storedOf where try stored(left) != stored(right) { return false }
      return true
    } catch {
      return false
    }
  }

  /// Each column's value as it is stored.
  func storedValues(_ record: R) throws(StoreError) -> [StoredValue] {
    var values: [StoredValue] = []
    for stored in parts.storedOf { values.append(try stored(record)) }
    return values
  }
}

extension Row {
  /// Reads a column and moves on to the next.
  @inlinable @inline(__always)
  public func next<Value: ColumnValue>(_ index: inout Int32) throws(StoreError) -> Value {
    defer { index += 1 }
    return try Value.read(self, index)
  }

  /// Reads column `index` and moves on to the next. A parameter pack has no other way to count.
  @inlinable @inline(__always)
  func next<Form: ColumnForm>(_: Form.Type, _ index: inout Int32) throws(StoreError)
    -> Form.Value
  {
    defer { index += 1 }
    return try Form.read(self, index)
  }
}
