/// A numbered change of an owner's tables.
///
/// It says what is different now, and holds whatever the declarations don't say any more: the state before it is
/// found by undoing it, from the declarations back to the first version. So every number has a state that can be
/// named and checked, and an old change that is edited is noticed.
///
///     Schema(owner: "folder", tables: [Folder.table.declaration], changes: [
///       .addColumn("colour", to: "folder", filledWith: .text("none")),   // 2
///       .createIndex(on: "folder", ["colour"]),                          // 3
///     ])
public struct SchemaChange: Sendable {
  enum Kind: Sendable {
    case createTable(String)
    case dropTable(FrozenTable)
    case addColumn(String, table: String, fill: StoredValue)
    case createIndex(table: String, [String])
    case dropIndex(table: String, [String])
    case createMembers(table: String, column: String)
    case createSearch(table: String)
    case dropSearch(table: String, [String])
    case rebuild(FrozenTable, [String: ColumnSource])
    case empty(FrozenTable)
  }
  let kind: Kind

  /// A table that there wasn't.
  public static func createTable(_ name: String) -> SchemaChange { SchemaChange(kind: .createTable(name)) }

  /// A table that there is no more; its rows are gone. Refused while rows of it wait for a push.
  public static func dropTable(_ was: FrozenTable) -> SchemaChange { SchemaChange(kind: .dropTable(was)) }

  /// A column that there wasn't, with the index that it brings if it is a reference.
  ///
  /// - Parameter filledWith: what the rows that are there get.
  public static func addColumn(_ column: String, to table: String, filledWith value: StoredValue = .null)
    -> SchemaChange
  {
    SchemaChange(kind: .addColumn(column, table: table, fill: value))
  }

  /// An index that there wasn't.
  public static func createIndex(on table: String, _ columns: [String]) -> SchemaChange {
    SchemaChange(kind: .createIndex(table: table, columns))
  }

  /// An index that there is no more.
  public static func dropIndex(on table: String, _ columns: [String]) -> SchemaChange {
    SchemaChange(kind: .dropIndex(table: table, columns))
  }

  /// A column whose values were JSON lists in a text, and that is declared with `members:` now: its side table is
  /// made and filled.
  public static func createMembers(of column: String, in table: String) -> SchemaChange {
    SchemaChange(kind: .createMembers(table: table, column: column))
  }

  /// A search index that there wasn't: it is made, and filled from the rows.
  public static func createSearch(in table: String) -> SchemaChange {
    SchemaChange(kind: .createSearch(table: table))
  }

  /// A search index that there is no more. To look in other columns than before, drop it and create it.
  ///
  /// - Parameter columns: those in which it looked.
  public static func dropSearch(in table: String, _ columns: [String]) -> SchemaChange {
    SchemaChange(kind: .dropSearch(table: table, columns))
  }

  /// A table whose columns were renamed, dropped, or became of another type or form; its key stays. What the
  /// store keeps beside the rows, side tables of lists and the search index, is made anew from them.
  ///
  /// - Parameter columns: where each column's value comes from that isn't simply kept under its name.
  public static func rebuild(_ was: FrozenTable, columns: [String: ColumnSource] = [:]) -> SchemaChange {
    SchemaChange(kind: .rebuild(was, columns))
  }

  /// A table whose keys are made in another way (traps K4): its rows go, with what the server said of them, and
  /// each account is to fetch it whole again, see `Reading.tablesToRefill()`. Refused while rows of it wait for
  /// a push.
  public static func empty(_ was: FrozenTable) -> SchemaChange { SchemaChange(kind: .empty(was)) }
}

/// Where the value of a rebuilt table's column comes from.
public enum ColumnSource: Sendable, Equatable {
  /// From a column of the table before.
  case column(String)
  /// From a column of the table before, or this value where that is absent.
  case columnOr(String, StoredValue)
  /// The same value for every row.
  case value(StoredValue)
}
