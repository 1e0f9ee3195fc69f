import FerryConsole

/// A text in lines of at most so many columns, and where in it each line is.
///
/// Lines are broken at spaces, which stay at a line's end; a word that is wider than a line is broken within.
struct WrappedText {
  let text: String
  let lines: [Range<String.Index>]

  init(_ text: String, columns: Int) {
    self.text = text
    let columns = max(1, columns)
    var lines: [Range<String.Index>] = []
    var start = text.startIndex
    // Behind the last space of the line, and the columns up to there and up to the index.
    var (space, spaceWidth, width): (String.Index?, Int, Int) = (nil, 0, 0)
    var index = text.startIndex
    func end(_ end: String.Index) { lines.append(start..<end) }
    while index < text.endIndex {
      let character = text[index]
      let next = text.index(after: index)
      if character.isNewline {
        end(index)
        (start, space, width) = (next, nil, 0)
      } else {
        let taken = shownWidth(of: character)
        if character == " " {
          // A space beyond the edge is where the line breaks, and isn't seen.
          width += 1
          (space, spaceWidth) = (next, width)
        } else {
          if width + taken > columns, index > start {
            let isAfterSpace = space.map { $0 > start } ?? false
            let place = isAfterSpace ? space ?? index : index
            end(place)
            width = isAfterSpace ? width - spaceWidth : 0
            (start, space) = (place, nil)
          }
          width += taken
        }
      }
      index = next
    }
    end(text.endIndex)
    self.lines = lines
  }

  /// In which line and column an index is.
  func place(of index: String.Index) -> (line: Int, column: Int) {
    let line = lines.lastIndex { $0.lowerBound <= index } ?? 0
    let before = text[lines[line].lowerBound..<max(lines[line].lowerBound, index)]
    return (line, before.reduce(0) { $0 + shownWidth(of: $1) })
  }

  /// The index in a line that is nearest to a column.
  func index(line: Int, column: Int) -> String.Index {
    var index = lines[line].lowerBound
    var width = 0
    while index < lines[line].upperBound {
      width += shownWidth(of: text[index])
      if width > column { break }
      index = text.index(after: index)
    }
    // A line that was broken within ends before the next one begins.
    let isBroken =
      index == lines[line].upperBound && line + 1 < lines.count && lines[line + 1].lowerBound == index
    return isBroken && index > lines[line].lowerBound ? text.index(before: index) : index
  }
}

/// The columns that a character takes on the screen, where what could drive it is shown as something else.
func shownWidth(of character: Character) -> Int {
  if let ascii = character.asciiValue, (0x20..<0x7F).contains(ascii) { return 1 }
  return displayWidth(of: visible(String(character)))
}
