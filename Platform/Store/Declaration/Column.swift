/// A column of a table: its name in the schema and the property it holds.
public struct Column<R: Record, Value: ColumnValue>: Sendable {
  let name: String
  let path: any KeyPath<R, Value> & Sendable
  let reference: (@Sendable () -> TableDeclaration)?

  /// - Parameter name: the name in the schema, in snake case.
  public init(_ name: String, _ path: any KeyPath<R, Value> & Sendable) {
    self.name = name
    self.path = path
    reference = nil
  }

  /// A soft reference: indexed, and followed by joins; a row whose target is absent is an orphan, not an
  /// error, since the two travel and cross separately.
  public init<Target: Record>(
    _ name: String, _ path: any KeyPath<R, Value> & Sendable, to target: Target.Type
  )
  where Value == Target.Key {
    self.name = name
    self.path = path
    reference = { Target.table.declaration }
  }

  /// A soft reference that may be absent.
  public init<Target: Record>(
    _ name: String, _ path: any KeyPath<R, Value> & Sendable, to target: Target.Type
  )
  where Value == Target.Key? {
    self.name = name
    self.path = path
    reference = { Target.table.declaration }
  }

  var declaration: ColumnDeclaration {
    ColumnDeclaration(name: name, shape: Value.shape, reference: reference)
  }
}

/// What a tool needs to know of a column, whatever its Swift type.
public struct ColumnDeclaration: Sendable {
  /// The name in the schema.
  public let name: String
  /// How its values are stored and shown.
  public let shape: ColumnShape
  // Asked for late: a table may refer to itself, and so to a declaration that is still being made.
  let reference: (@Sendable () -> TableDeclaration)?

  /// The table that the column refers to.
  public var references: TableDeclaration? { reference?() }
}

/// An index over some columns; in an account-scoped table the account comes before them.
public struct Index<R: Record>: Sendable {
  let paths: [ColumnPath<R>]

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
