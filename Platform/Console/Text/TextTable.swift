/// A table for people: a header, aligned columns, and rows that stand out.
///
/// ```swift
/// var table = TextTable(["Domain", .right("Rows"), .right("Left")])
/// table.add("folder", "12", "0")
/// table.add(total: "alice", "12", "0")
/// try invocation.print(table)
/// ```
///
/// Cell text is made safe with ``visible(_:)`` and measured with `displayWidth(of:)`.
public struct TextTable: Sendable {
  /// On which side of its column a cell stands.
  public enum Alignment: Sendable { case left, right }

  /// A column: its header and how its cells are laid out.
  public struct Column: Sendable, ExpressibleByStringLiteral {
    let title: String
    let alignment: Alignment
    let minimumWidth: Int

    /// A column of text, which gives way down to `minimumWidth` columns on a narrow terminal.
    public static func left(_ title: String, minimumWidth: Int = 6) -> Column {
      Column(title: title, alignment: .left, minimumWidth: minimumWidth)
    }

    /// A column of numbers. It never gives way: a cut number is a wrong number.
    public static func right(_ title: String) -> Column {
      Column(title: title, alignment: .right, minimumWidth: .max)
    }

    private init(title: String, alignment: Alignment, minimumWidth: Int) {
      self.title = visible(title)
      self.alignment = alignment
      self.minimumWidth = minimumWidth
    }

    /// A left-aligned column.
    public init(stringLiteral title: String) { self = .left(title) }
  }

  enum Row: Sendable {
    case cells([String])
    case group(String)
    case total([String])
  }

  let columns: [Column]
  private(set) var rows: [Row] = []

  /// An empty table. A string literal is a left-aligned column.
  public init(_ columns: [Column]) { self.columns = columns }

  /// Whether no row was added yet.
  public var isEmpty: Bool { rows.isEmpty }

  /// Adds a row. Cells that are missing at its end are empty.
  public mutating func add(_ cells: String...) { add(cells) }

  /// Adds a row. Cells that are missing at its end are empty.
  public mutating func add(_ cells: [String]) { rows.append(.cells(checked(cells))) }

  /// Adds a heading over the rows that follow, such as an account's name.
  public mutating func add(group title: String) { rows.append(.group(visible(title))) }

  /// Adds a row that closes a group: a rule above it, bold where the terminal can.
  public mutating func add(total cells: String...) { add(total: cells) }

  /// Adds a row that closes a group: a rule above it, bold where the terminal can.
  public mutating func add(total cells: [String]) { rows.append(.total(checked(cells))) }

  private func checked(_ cells: [String]) -> [String] {
    precondition(cells.count <= columns.count, "a row of \(cells.count) cells in \(columns.count) columns")
    return cells.map { visible($0) } + Array(repeating: "", count: columns.count - cells.count)
  }
}
