/// A column of a table: its name in the schema, the property it holds, and the form in which it does.
public struct Column<R: Record, Form: ColumnForm>: Sendable {
  let name: String
  let path: any KeyPath<R, Form.Value> & Sendable
  let reference: (@Sendable () -> TableDeclaration)?

  private init(
    name: String, path: any KeyPath<R, Form.Value> & Sendable,
    reference: (@Sendable () -> TableDeclaration)? = nil
  ) {
    self.name = name
    self.path = path
    self.reference = reference
  }

  /// - Parameter name: the name in the schema, in snake case.
  public init<Value>(_ name: String, _ path: any KeyPath<R, Value> & Sendable)
  where Form == PlainForm<Value> {
    self.init(name: name, path: path)
  }

  /// A soft reference: indexed, and followed by joins; a row whose target is absent is an orphan, not an
  /// error, since the two travel and cross separately.
  public init<Target: Record>(
    _ name: String, _ path: any KeyPath<R, Target.Key> & Sendable, to target: Target.Type
  ) where Form == PlainForm<Target.Key> {
    self.init(name: name, path: path) { Target.table.declaration }
  }

  /// A soft reference that may be absent.
  public init<Target: Record>(
    _ name: String, _ path: any KeyPath<R, Target.Key?> & Sendable, to target: Target.Type
  ) where Form == PlainForm<Target.Key?> {
    self.init(name: name, path: path) { Target.table.declaration }
  }

  /// A list, for whose members a query can ask: `Item.where { $0.tags.contains("urgent") }`.
  public init<Element>(_ name: String, members path: any KeyPath<R, [Element]> & Sendable)
  where Form == MembersForm<Element> {
    self.init(name: name, path: path)
  }

  /// A list that may be absent, which isn't the same as being empty.
  public init<Element>(_ name: String, members path: any KeyPath<R, [Element]?> & Sendable)
  where Form == OptionalForm<MembersForm<Element>> {
    self.init(name: name, path: path)
  }

  /// A value that is stored as JSON. No query can ask for what is in it.
  @_disfavoredOverload
  public init<Value>(_ name: String, json path: any KeyPath<R, Value> & Sendable)
  where Form == JSONForm<Value> {
    self.init(name: name, path: path)
  }

  /// A value that is stored as JSON and may be absent, for which a query can ask.
  public init<Value>(_ name: String, json path: any KeyPath<R, Value?> & Sendable)
  where Form == OptionalForm<JSONForm<Value>> {
    self.init(name: name, path: path)
  }

  @usableFromInline var erased: ErasedColumn<R> {
    let path = path
    return ErasedColumn(
      declaration: ColumnDeclaration(
        name: name, shape: Form.shape, reference: reference, isNeedlessJSON: Form.isNeedlessJSON),
      path: ColumnPath(path: path), offset: MemoryLayout<R>.offset(of: path as KeyPath<R, Form.Value>)
    ) { record throws(StoreError) in
      try Form.stored(record[keyPath: path])
    } bind: { record, binder, index throws(StoreError) in
      try Form.bind(record[keyPath: path], binder, index)
    }
  }
}

/// A column whose type doesn't matter.
@usableFromInline
struct ErasedColumn<R: Record>: Sendable {
  let declaration: ColumnDeclaration
  let path: ColumnPath<R>
  /// Where the property is in a record's memory; nil where it is computed.
  let offset: Int?
  let stored: @Sendable (R) throws(StoreError) -> StoredValue
  let bind: @Sendable (R, borrowing Binder, Int32) throws(StoreError) -> Void
}

/// What a tool needs to know of a column, whatever its Swift type.
public struct ColumnDeclaration: Sendable {
  /// The name in the schema.
  public let name: String
  /// How its values are stored and shown.
  public let shape: ColumnShape
  // Asked for late: a table may refer to itself, and so to a declaration that is still being made.
  let reference: (@Sendable () -> TableDeclaration)?

  let isNeedlessJSON: Bool

  /// Whether a search can look in it.
  var isSearchable: Bool {
    shape.meaning == .json ? shape.member?.storage == .text : shape.storage == .text
  }

  /// The table that the column refers to.
  public var references: TableDeclaration? { reference?() }
}

/// An index over some columns; in an account-scoped table the account comes before them.
public struct Index<R: Record>: Sendable {
  let paths: [ColumnPath<R>]

  /// - Parameter paths: the properties, the one that is compared first at the front.
  public init(_ paths: (any PartialKeyPath<R> & Sendable)...) { self.paths = paths.map(ColumnPath.init) }
}

/// A key path as a dictionary's key.
struct ColumnPath<R: Record>: Hashable, Sendable {
  let path: any PartialKeyPath<R> & Sendable

  static func == (left: ColumnPath, right: ColumnPath) -> Bool {
    (left.path as PartialKeyPath<R>) == (right.path as PartialKeyPath<R>)
  }
  func hash(into hasher: inout Hasher) { hasher.combine(path as PartialKeyPath<R>) }
}

/// An identifier of the schema in SQL.
func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
