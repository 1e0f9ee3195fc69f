// A terminal has its own opinion of some characters' widths, above all of emoji that are joined and, in East Asian
// settings, of symbols and lines. So after each that there are two opinions of the cursor is told where to go on:
// whatever the terminal thinks of that one, the next stands in its column. And its columns are emptied before, since a
// terminal that takes it for narrower leaves what was there.

/// Turns a grid into the codes that bring a terminal from what it shows to what it is to show.
public struct GridPainter: Sendable {
  /// Whether colours are used. Bold, dim, underlined and reversed are no colours.
  public let hasColour: Bool

  public init(hasColour: Bool) { self.hasColour = hasColour }

  /// The codes that draw a grid.
  ///
  /// - Parameter old: what is shown; nil, or of another size: nothing that counts.
  public func codes(for grid: CellGrid, over old: CellGrid?) -> String {
    let old = old.flatMap { $0.columns == grid.columns && $0.rows == grid.rows ? $0 : nil }
    guard old != grid else { return "" }
    var pen = Pen(hasColour: hasColour)
    if old == nil { pen.output = "\u{1B}[0m\u{1B}[2J" }
    if old?.cursor != nil || old == nil { pen.output += "\u{1B}[?25l" }
    for row in 0..<grid.rows {
      var column = 0
      while column < grid.columns {
        let cell = grid[row, column]
        let width = max(1, cell.width)
        let isSame = (column..<column + width).allSatisfy { place in
          (old.map { $0[row, place] } ?? .blank) == grid[row, place]
        }
        if !isSame { pen.draw(cell, row: row, column: column) }
        column += width
      }
    }
    if let cursor = grid.cursor {
      pen.move(row: cursor.row, column: cursor.column)
      pen.output += "\u{1B}[?25h"
    }
    return pen.output
  }

  private struct Pen {
    let hasColour: Bool
    var output = ""
    /// Where the terminal's cursor is; nil: who knows.
    private var place: (row: Int, column: Int)?
    private var style: CellStyle?

    init(hasColour: Bool) { self.hasColour = hasColour }

    mutating func draw(_ cell: CellGrid.Cell, row: Int, column: Int) {
      if place.map({ $0 != (row, column) }) ?? true { move(row: row, column: column) }
      if style != cell.style {
        output += cell.style.code(hasColour: hasColour)
        style = cell.style
      }
      let isSure = Pen.isSure(cell.text)
      if !isSure, cell.width > 1 {
        output += String(repeating: " ", count: cell.width)
        move(row: row, column: column)
      }
      output += cell.text
      place = isSure ? (row, column + cell.width) : nil
    }

    /// Whether every terminal gives a character the same width: ASCII, Hangul, the common ideographs.
    private static func isSure(_ text: String) -> Bool {
      guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return false }
      return scalar.isASCII || (0xAC00...0xD7A3).contains(scalar.value)
        || (0x4E00...0x9FFF).contains(scalar.value)
    }

    mutating func move(row: Int, column: Int) {
      output += "\u{1B}[\(row + 1);\(column + 1)H"
      place = (row, column)
    }
  }
}
