/// What a table is made of.
final class TableParts<R: Record>: Sendable {
  let declaration: TableDeclaration
  let tracking: Tracking<R>
  let keyOf: any KeyPath<R, R.Key> & Sendable
  let indexOf: [ColumnPath<R>: Int]
  let columns: [ErasedColumn<R>]
  let code: RowCode<R>
  /// Each column's value as it is stored.
  let storedOf: [@Sendable (R) throws(StoreError) -> StoredValue]
  /// Where the properties are in a record's memory; nil where one of them is computed.
  let offsets: [Int]?
  let sql: TableSQL
  // Prepared once for each connection.
  let find: FixedSQL
  let insert: FixedSQL
  let upsert: FixedSQL
  let update: FixedSQL
  let delete: FixedSQL
  // What each write asks.
  let isTracked: Bool
  let countsEdits: Bool
  let hasSides: Bool
  /// Whether its key may be SQLite's rowid.
  let hasIntegerKey: Bool

  init(
    declaration: TableDeclaration, tracking: Tracking<R>, keyOf: any KeyPath<R, R.Key> & Sendable,
    indexOf: [ColumnPath<R>: Int], columns: [ErasedColumn<R>], code: RowCode<R>, countsEdits: Bool = true
  ) {
    self.declaration = declaration
    self.tracking = tracking
    self.keyOf = keyOf
    self.indexOf = indexOf
    self.columns = columns
    self.code = code
    storedOf = columns.map(\.stored)
    offsets = columns.contains { $0.offset == nil } ? nil : columns.compactMap(\.offset)
    sql = TableSQL(declaration)
    find = FixedSQL(sql.find)
    insert = FixedSQL(sql.insert)
    upsert = FixedSQL(sql.upsert)
    update = FixedSQL(sql.update)
    delete = FixedSQL(sql.delete)
    isTracked = declaration.isTracked
    self.countsEdits = countsEdits
    hasSides = !declaration.sides.isEmpty
    hasIntegerKey = declaration.key.shape.storage == .integer
  }

  convenience init(_ other: TableParts, code: RowCode<R>, countsEdits: Bool) {
    self.init(
      declaration: other.declaration, tracking: other.tracking, keyOf: other.keyOf, indexOf: other.indexOf,
      columns: other.columns, code: code, countsEdits: countsEdits)
  }

  /// Binds every column of the record at an address, in order, from the given parameter on.
  func bind(_ record: UnsafePointer<R>, _ binder: borrowing Binder, _ first: Int32) throws {
    if let offsets { return try code.bind(record, offsets, binder, first) }
    for (index, column) in columns.enumerated() {
      try column.bind(record.pointee, binder, first + Int32(index))
    }
  }
}

/// What reads and writes the rows of a table, compiled for its record.
@usableFromInline
struct RowCode<R: Record>: Sendable {
  let decode: @Sendable (borrowing Row, Int32) throws -> R
  /// Reads a row and adds the record to others.
  let append: @Sendable (borrowing Row, inout [R]) throws -> Void
  /// Binds every property of a record, each at its offset from an address, in order, from the given parameter on.
  let bind: @Sendable (UnsafeRawPointer, [Int], borrowing Binder, Int32) throws -> Void

  @usableFromInline
  init(
    decode: @escaping @Sendable (borrowing Row, Int32) throws -> R,
    append: @escaping @Sendable (borrowing Row, inout [R]) throws -> Void,
    bind: @escaping @Sendable (UnsafeRawPointer, [Int], borrowing Binder, Int32) throws -> Void
  ) {
    self.decode = decode
    self.append = append
    self.bind = bind
  }
}

extension ColumnForm {
  /// Binds the property of the record at an address, and moves on to the next one. To read it through its key path
  /// takes several times as long.
  @inlinable @inline(__always)
  static func bindNext(
    _ record: UnsafeRawPointer, _ offsets: [Int], _ index: inout Int, _ binder: borrowing Binder,
    _ first: Int32
  ) throws(StoreError) {
    let value = (record + offsets[index]).assumingMemoryBound(to: Value.self)
    try bind(value.pointee, binder, first + Int32(index))
    index += 1
  }
}
