import FerryConsole
import Foundation
import Testing

@Suite struct `A grid's painter` {
  private static let words = [
    "a", "bc", "한", "글로", "🎉", "👨‍👩‍👧‍👦", "e\u{301}", "漢", "★", "│", "🇰🇷", "  ", "नि", "ｶ", "❤️", "\u{1B}[2J",
    "\u{202E}x", "\n",
  ]
  private static let styles: [CellStyle] = [
    .plain, .bold, .dim, .reversed, CellStyle(.red), CellStyle(.black, on: .cyan),
    CellStyle(underlined: true),
  ]

  /// Splitmix, so that a seed brings a run back.
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
      return word ^ (word >> 31)
    }
  }

  private static func change(_ grid: inout CellGrid, _ random: inout Random) {
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let row = Int.random(in: 0..<grid.rows, using: &random)
      let column = Int.random(in: 0..<grid.columns, using: &random)
      let text = (0...Int.random(in: 0...4, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }
      grid.put(text.joined(), row: row, column: column, style: styles.randomElement(using: &random) ?? .plain)
    }
  }

  private func check(_ terminal: VirtualTerminal, shows grid: CellGrid, _ hint: Comment) {
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let cell = grid[row, column]
        guard cell.width > 0 else { continue }
        let shown = terminal.cells[row * grid.columns + column]
        let style = GridPainterStyle.parameters(of: cell.style)
        #expect(
          shown == VirtualTerminal.Cell(text: cell.text, style: style),
          "\(hint), row \(row), column \(column)")
      }
    }
    #expect(terminal.faults.isEmpty, hint)
  }

  /// From any grid to any other: what is on the terminal is the grid, also where it takes clusters for narrower than they are.
  @Test(arguments: [nil, 1]) func `brings a terminal from any grid to any other`(clusterWidth: Int?) throws {
    let seed =
      ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0...UInt64.max)
    var random = Random(state: seed)
    let painter = GridPainter(hasColour: true)
    for round in 0..<60 {
      let size = (
        rows: Int.random(in: 1...6, using: &random), columns: Int.random(in: 1...24, using: &random)
      )
      var terminal = VirtualTerminal(rows: size.rows, columns: size.columns, clusterWidth: clusterWidth)
      var shown: CellGrid?
      var grid = CellGrid(columns: size.columns, rows: size.rows)
      for step in 0..<8 {
        Self.change(&grid, &random)
        terminal.write(painter.codes(for: grid, over: shown))
        shown = grid
        check(terminal, shows: grid, "FERRY_SEED=\(seed), round \(round), step \(step)")
      }
    }
  }

  @Test func `draws nothing where nothing has changed, and little where little has`() {
    let painter = GridPainter(hasColour: true)
    var grid = CellGrid(columns: 80, rows: 24)
    grid.put("한글 and more", row: 3, column: 4)
    #expect(painter.codes(for: grid, over: grid).isEmpty)
    var next = grid
    next.put("X", row: 10, column: 70)
    #expect(painter.codes(for: next, over: grid) == "\u{1B}[11;71H\u{1B}[0mX")
    #expect(painter.codes(for: next, over: CellGrid(columns: 79, rows: 24)).hasPrefix("\u{1B}[0m\u{1B}[2J"))
  }

  @Test func `uses no colour where there is to be none, and still lets things stand out`() {
    var grid = CellGrid(columns: 10, rows: 1)
    grid.put("a", row: 0, column: 0, style: CellStyle(.red, on: .cyan, bold: true))
    grid.put("b", row: 0, column: 1, style: .reversed)
    let codes = GridPainter(hasColour: false).codes(for: grid, over: nil)
    #expect(codes.contains("\u{1B}[0;1ma") && codes.contains("\u{1B}[0;7mb"))
    #expect(GridPainter(hasColour: true).codes(for: grid, over: nil).contains("\u{1B}[0;1;31;46ma"))
  }

  @Test func `shows the cursor where one writes and nowhere else`() {
    let painter = GridPainter(hasColour: true)
    var grid = CellGrid(columns: 10, rows: 2)
    var terminal = VirtualTerminal(rows: 2, columns: 10)
    terminal.write(painter.codes(for: grid, over: nil))
    #expect(!terminal.isCursorShown)
    let plain = grid
    grid.showCursor(row: 1, column: 3)
    terminal.write(painter.codes(for: grid, over: plain))
    #expect(terminal.isCursorShown && terminal.cursor == (1, 3))
    terminal.write(painter.codes(for: plain, over: grid))
    #expect(!terminal.isCursorShown)
  }
}

/// A style as the terminal hears of it.
private enum GridPainterStyle {
  static func parameters(of style: CellStyle) -> String {
    var codes: [String] = []
    if style.isBold { codes.append("1") }
    if style.isDim { codes.append("2") }
    if style.isUnderlined { codes.append("4") }
    if style.isReversed { codes.append("7") }
    if let foreground = style.foreground { codes.append("\(30 + foreground.rawValue)") }
    if let background = style.background { codes.append("\(40 + background.rawValue)") }
    return codes.isEmpty ? "" : (["0"] + codes).joined(separator: ";")
  }
}
