/// A terminal's screen as a value: what stands in each cell. It is drawn with ``GridPainter``, and looked at by tests.
///
/// Whatever is put into it is made ``visible(_:)``: no text can drive the terminal or turn its reading direction. A
/// character takes the columns that it has; one that would stand half beyond an edge is left out.
public struct CellGrid: Sendable, Equatable {
  public struct Cell: Sendable, Equatable {
    /// One character; empty for what a wide one to the left takes up.
    public internal(set) var text: String
    /// The columns of `text`; 0 where it is empty.
    public internal(set) var width: Int
    public internal(set) var style: CellStyle

    static let blank = Cell(text: " ", width: 1, style: .plain)
  }

  /// A character has no more scalars than this here; what a stranger piles on top of it is left out.
  static let mostScalars = 24

  public let columns: Int
  public let rows: Int
  public private(set) var cells: [Cell]
  /// Where the cursor is shown; nil: nowhere.
  public private(set) var cursor: (row: Int, column: Int)?

  public init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  public static func == (left: CellGrid, right: CellGrid) -> Bool {
    left.columns == right.columns && left.cells == right.cells && left.cursor?.row == right.cursor?.row
      && left.cursor?.column == right.cursor?.column
  }

  public subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// A row's text, blanks at its end included.
  public func text(_ row: Int) -> String {
    cells[row * columns..<(row + 1) * columns].reduce(into: "") { $0 += $1.text }
  }

  /// Shows the cursor, where that is on the screen.
  public mutating func showCursor(row: Int, column: Int) {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
    cursor = (row, column)
  }

  /// Writes a text into a row.
  ///
  /// - Parameter width: the columns that it may take; up to the row's end where none are given.
  /// - Returns: the columns that it took.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, row: Int, column: Int, width: Int? = nil, style: CellStyle = .plain
  ) -> Int {
    guard (0..<rows).contains(row), column >= 0 else { return 0 }
    let end = min(columns, column + max(0, width ?? columns))
    var place = column
    for character in visible(text) {
      let taken = displayWidth(of: character)
      guard taken > 0 else { continue }
      guard place + taken <= end else { break }
      set(
        String(String.UnicodeScalarView(character.unicodeScalars.prefix(Self.mostScalars))), taken, row,
        place, style)
      place += taken
    }
    return place - column
  }

  /// Writes one character into every cell of a rectangle; what is beyond the screen is left out.
  public mutating func fill(
    _ character: Character = " ", rows: Range<Int>, columns: Range<Int>, style: CellStyle = .plain
  ) {
    for row in rows.clamped(to: 0..<self.rows) {
      for column in columns.clamped(to: 0..<self.columns) { set(String(character), 1, row, column, style) }
    }
  }

  /// Changes how a row's cells look and leaves what they say.
  public mutating func restyle(row: Int, columns: Range<Int>, _ change: (inout CellStyle) -> Void) {
    guard (0..<rows).contains(row) else { return }
    for column in columns.clamped(to: 0..<self.columns) { change(&cells[row * self.columns + column].style) }
  }

  private mutating func set(_ text: String, _ width: Int, _ row: Int, _ column: Int, _ style: CellStyle) {
    for place in column..<column + width { clear(row * columns + place) }
    let first = row * columns + column
    cells[first] = Cell(text: text, width: width, style: style)
    for place in 1..<max(1, width) { cells[first + place] = Cell(text: "", width: 0, style: style) }
  }

  /// Half a character is none: where one cell of a wide one is written over, its others become blanks.
  private mutating func clear(_ index: Int) {
    var head = index
    while cells[head].width == 0 { head -= 1 }
    guard cells[head].width > 1 else { return }
    for part in head..<head + cells[head].width {
      cells[part] = Cell(text: " ", width: 1, style: cells[part].style)
    }
  }
}
