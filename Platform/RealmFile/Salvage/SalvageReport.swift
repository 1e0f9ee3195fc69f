/// What could be read of a damaged file, and what could not.
public struct SalvageReport: Sendable, Equatable {
  /// What became of one table whose declaration could be read.
  public struct Table: Sendable, Equatable {
    /// The stored name, or a made-up one where the name is lost.
    public let name: String
    /// The number of rows that the file states; nil where that is lost too.
    public let statedRows: Int?
    /// The rows that were read, if only in part.
    public let rows: Int
    /// The cells that were read.
    public let cells: Int
    /// The cells, of the rows that were read, whose value is lost.
    public let lostCells: Int
    /// Columns whose declaration is damaged.
    public let lostColumns: [String]
    /// Whether the table was taken from the snapshot before the active one, so that the last changes to it may be
    /// missing.
    public let isFromOlderSnapshot: Bool
    /// Why, each reason once and no more than a few.
    public let causes: [RealmFileError]

    /// The rows that are missing; nil where the file does not say how many there were.
    public var lostRows: Int? { statedRows.map { max(0, $0 - rows) } }

    /// Whether all of the table was read, from the active snapshot.
    public var isComplete: Bool { causes.isEmpty && lostColumns.isEmpty && !isFromOlderSnapshot }
  }

  /// A table that nothing is left of.
  public struct LostTable: Sendable, Equatable {
    /// The stored name, or a made-up one where the name is lost.
    public let name: String
    /// What is wrong with it.
    public let cause: RealmFileError
  }

  /// The tables that were read, in the order of the file.
  public let tables: [Table]
  /// The tables that were not.
  public let lostTables: [LostTable]
  /// What is wrong with the header, the top node or the names of tables; nil where nothing is.
  public let cause: RealmFileError?

  /// Whether the file turned out to be whole.
  public var isComplete: Bool { cause == nil && lostTables.isEmpty && tables.allSatisfy(\.isComplete) }
  /// The rows read, of all tables.
  public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
  /// The cells read, of all tables.
  public var cells: Int { tables.reduce(0) { $0 + $1.cells } }
  /// The cells lost in rows that were read, of all tables.
  public var lostCells: Int { tables.reduce(0) { $0 + $1.lostCells } }
  /// The rows known to be missing, of the tables that were read.
  public var lostRows: Int { tables.reduce(0) { $0 + ($1.lostRows ?? 0) } }
}
