import FerryConsole
import Testing

@Suite struct `A grid of cells` {
  private func grid(_ columns: Int = 10, _ put: (inout CellGrid) -> Void) -> CellGrid {
    var grid = CellGrid(columns: columns, rows: 2)
    put(&grid)
    return grid
  }

  @Test(
    arguments: [
      ("abc", 3, "abc       "), ("한글", 4, "한글      "), ("👨‍👩‍👧‍👦!", 3, "👨‍👩‍👧‍👦!       "),
      ("e\u{301}a", 2, "e\u{301}a        "),
      ("abcdefghijkl", 10, "abcdefghij"), ("한글한글한글", 10, "한글한글한"), ("a한글한글한", 9, "a한글한글 "),
      ("a\u{200B}b", 2, "ab        "), ("\u{1112}\u{1161}\u{11AB}a", 3, "\u{1112}\u{1161}\u{11AB}a       "),
    ])
  func `gives each character the columns that it has, and none half`(text: String, used: Int, row: String) {
    var grid = CellGrid(columns: 10, rows: 1)
    #expect(grid.put(text, row: 0, column: 0) == used)
    #expect(grid.text(0).unicodeScalars.elementsEqual(row.unicodeScalars))
  }

  @Test func `shows what could drive a terminal, and lets nothing turn its reading direction`() {
    let text = grid(40) { $0.put("a\u{1B}[31mb\u{7}\u{9B}c\n\u{202E}d\u{2066}", row: 0, column: 0) }.text(0)
    #expect(text.hasPrefix("a␛[31mb␇\\u{9B}c⏎\\u{202E}d\\u{2066}"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
  }

  @Test func `leaves blanks of a wide character that is written over in part`() {
    let start = grid { $0.put("한글한", row: 0, column: 0) }
    var left = start
    left.put("x", row: 0, column: 2)
    #expect(left.text(0) == "한x 한    ")
    var right = start
    right.put("x", row: 0, column: 3)
    #expect(right.text(0) == "한 x한    ")
    var across = start
    across.put("漢", row: 0, column: 1)
    #expect(across.text(0) == " 漢 한    ")
  }

  @Test func `takes nothing beyond its edges`() {
    var grid = CellGrid(columns: 4, rows: 1)
    #expect(grid.put("a", row: 1, column: 0) == 0 && grid.put("a", row: -1, column: 0) == 0)
    #expect(grid.put("abc", row: 0, column: 3) == 1 && grid.put("abc", row: 0, column: 9) == 0)
    #expect(grid.put("abc", row: 0, column: 0, width: 2) == 2)
    grid.fill("─", rows: -3..<9, columns: 2..<99)
    grid.restyle(row: 0, columns: -1..<9) { $0.isBold = true }
    grid.showCursor(row: 5, column: 0)
    #expect(grid.text(0) == "ab──" && grid.cursor == nil)
  }

  @Test func `lets nobody pile marks on a character without end`() {
    let pile = "a" + String(repeating: "\u{301}", count: 5000)
    let grid = grid { $0.put(pile, row: 0, column: 0) }
    #expect(grid[0, 0].text.unicodeScalars.count <= 24)
  }
}
