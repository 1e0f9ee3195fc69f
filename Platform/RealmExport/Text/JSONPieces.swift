import RealmFile

/// Finds the values within JSON text that `RealmFile` wrote, so that one place alone knows how a cell is spelt.
enum JSONPieces {
  /// The values of the array or object that begins at `start`, without the keys of an object.
  ///
  /// The text is canonical: no spaces, and each container is closed.
  static func values(of text: [UInt8], at start: Int = 0) -> [Range<Int>] {
    var values: [Range<Int>] = []
    var (depth, isQuoted, begin) = (0, false, start + 1)
    var index = start
    let isObject = text[start] == UInt8(ascii: "{")
    while index < text.count {
      let byte = text[index]
      if isQuoted {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isQuoted = false }
        index += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 {
          if begin < index { values.append(begin..<index) }
          return values
        }
      case UInt8(ascii: ":") where depth == 1 && isObject: begin = index + 1
      case UInt8(ascii: ",") where depth == 1:
        values.append(begin..<index)
        begin = index + 1
      default: break
      }
      index += 1
    }
    return values
  }
}

/// The cells of one row as canonical JSON, made when the first is asked for.
struct RowPieces {
  private let row: RealmRow
  private var text: [UInt8] = []
  private var cells: [Range<Int>] = []

  init(_ row: RealmRow) { self.row = row }

  /// The cell at this position.
  mutating func cell(_ index: Int) throws -> [UInt8] {
    if text.isEmpty {
      try row.appendJSON(to: &text)
      let members = JSONPieces.values(of: text)
      cells = members.last.map { JSONPieces.values(of: text, at: $0.lowerBound) } ?? []
    }
    return Array(text[cells[index]])
  }
}
