import FerryConsole

/// What a terminal makes of the codes that it is sent: as much of one as the painter uses. It has an opinion of its
/// own of some characters' widths, as terminals have.
struct VirtualTerminal {
  struct Cell: Equatable {
    var text = " "
    var style = ""
  }

  let columns: Int
  private(set) var cells: [Cell]
  private(set) var cursor = (row: 0, column: 0)
  private(set) var isCursorShown = true
  /// What it couldn't read, and what went beyond its edges.
  private(set) var faults: [String] = []
  private var style = ""
  /// The columns that it takes a character of several scalars for.
  let clusterWidth: Int?

  init(rows: Int, columns: Int, clusterWidth: Int? = nil) {
    (self.columns, self.clusterWidth) = (columns, clusterWidth)
    cells = Array(repeating: Cell(text: "x", style: "?"), count: rows * columns)
  }

  mutating func write(_ codes: String) {
    var rest = codes[...]
    while let character = rest.first {
      if character == "\u{1B}" {
        guard let end = rest.dropFirst(2).firstIndex(where: { $0.isLetter }) else {
          faults.append("broken sequence")
          return
        }
        sequence(String(rest.dropFirst(2)[..<end]), rest[end])
        rest = rest[rest.index(after: end)...]
      } else {
        put(character)
        rest.removeFirst()
      }
    }
  }

  private mutating func put(_ character: Character) {
    let isCluster = character.unicodeScalars.count > 1
    let width = isCluster ? clusterWidth ?? displayWidth(of: character) : displayWidth(of: character)
    guard width > 0 else { return faults.append("no width: \(character.unicodeScalars.map(\.value))") }
    let start = cursor.row * columns + cursor.column
    guard cursor.column + width <= columns || isCluster else {
      return faults.append("beyond the edge: \(character)")
    }
    for place in start..<min(start + width, (cursor.row + 1) * columns) { erase(place) }
    for place in start..<min(start + width, (cursor.row + 1) * columns) {
      cells[place] = Cell(text: place == start ? String(character) : "", style: style)
    }
    cursor.column = min(columns - 1, cursor.column + width)
  }

  /// Half a wide character is none.
  private mutating func erase(_ index: Int) {
    var head = index
    while cells[head].text.isEmpty { head -= 1 }
    var next = head + 1
    while next < cells.count, cells[next].text.isEmpty {
      cells[next].text = " "
      next += 1
    }
    if next > head + 1 { cells[head].text = " " }
  }

  private mutating func sequence(_ parameters: String, _ final: Character) {
    switch (parameters, final) {
    case ("2", "J"): for index in cells.indices { cells[index] = Cell(text: " ", style: "") }
    case ("?25", "h"): isCursorShown = true
    case ("?25", "l"): isCursorShown = false
    case (_, "m"): style = parameters == "0" ? "" : parameters
    case (_, "H"):
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      cursor = (numbers[0] - 1, numbers[1] - 1)
    default: faults.append("\(parameters)\(final)")
    }
  }
}
