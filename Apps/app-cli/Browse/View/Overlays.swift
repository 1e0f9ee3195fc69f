import FerryConsole

extension BrowseView {
  private static let keys: [(String, String)] = [
    ("↑ ↓  k j", "up and down"), ("PgUp PgDn  ^B ^F", "a screen"), ("^U ^D", "half a screen"),
    ("Home End  g G", "first and last"), ("← →  h l", "to the left, to the right"), ("Tab", "the next pane"),
    ("Enter", "open a folder, an item, a draft"), ("Esc", "back"), ("/", "search here; Esc ends it"),
    ("", ""),
    ("r", "read or unread"), ("s", "star or unstar"), ("m", "move to a folder"),
    ("d  Del", "delete, discard a draft"),
    ("u", "undo"), ("", ""), ("n", "a new draft"), ("e", "answer an item, edit a draft"),
    ("^S", "save a draft"), ("", ""), ("a", "switch to an account"), ("R", "load again"), ("^L", "draw anew"),
    ("^Z", "suspend"), ("q  ^C", "quit"),
  ]

  mutating func drawHelp(_ scroll: Int) {
    let width = min(56, layout.columns - 2)
    let room = max(1, layout.rows - 4)
    let top = min(scroll, max(0, Self.keys.count - room))
    let keyWidth = min(18, width / 2 - 2)
    let lines = Self.keys[top...].prefix(room).map { key, meaning -> (String, CellStyle) in
      let padding = String(repeating: " ", count: max(1, keyWidth - displayWidth(of: key)))
      return (key + padding + meaning, .plain)
    }
    let isCut = Self.keys.count > room
    drawBox(lines, width: width, title: isCut ? "Keys (↑ ↓)" : "Keys")
    let first = max(1, (layout.rows - min(lines.count + 2, layout.rows - 2)) / 2) + 1
    let left = max(0, (layout.columns - width) / 2)
    for row in first..<first + lines.count {
      grid.restyle(row: row, columns: left + 2..<left + 2 + keyWidth) { $0 = theme.key }
    }
  }

  mutating func draw<Choice>(_ picker: Picker<Choice>) {
    let room = max(1, layout.rows - 4)
    let top = max(0, min(picker.cursor - room / 2, picker.lines.count - room))
    let lines = picker.lines[top...].prefix(room).map { line -> (String, CellStyle) in
      ((line.isCurrent ? "• " : "  ") + visible(line.text), line.isCurrent ? .bold : .plain)
    }
    let widest = lines.map { displayWidth(of: $0.0) }.max() ?? 0
    let width = min(layout.columns - 2, max(widest, displayWidth(of: picker.title) + 2, 24) + 6)
    drawBox(lines, width: width, title: picker.title, cursor: picker.cursor - top)
  }

  /// The whole screen, for a draft.
  mutating func drawEditor(_ editor: DraftEditor) {
    let pane = 0..<layout.columns
    let columns = layout.editorColumns
    drawHeading(
      editor.isNew ? "New draft" : "Draft", in: pane, isFocused: true,
      right: editor.isChanged ? "not saved" : "")
    let titleRow = layout.content.lowerBound
    let label = grid.put(columns > 30 ? "Title  " : "", row: titleRow, column: 2, style: theme.dim)
    grid.fill("─", rows: titleRow + 1..<titleRow + 2, columns: 2..<layout.columns - 2, style: theme.line)
    let body = titleRow + 2..<max(titleRow + 3, layout.content.upperBound)
    let wrapped = WrappedText(editor.body.text, columns: columns)
    let place = editor.body.place(in: wrapped)
    let top = max(0, place.line - body.count + 1)
    for (row, range) in zip(body, wrapped.lines[top...]) {
      grid.put(wrapped.text[range], row: row, column: 2, width: columns + 1)
    }
    if editor.field == .body {
      grid.put(
        truncated(visible(editor.title.text), to: columns - label), row: titleRow, column: 2 + label,
        style: .bold)
      grid.showCursor(
        row: body.lowerBound + place.line - top, column: min(2 + place.column, layout.columns - 1))
    } else {
      put(editor.title, row: titleRow, column: 2 + label, width: columns - label)
    }
    let hint =
      editor.isAsking
      ? "Save it?  y yes   n no, throw it away   Esc go on writing"
      : model.message.map { visible($0.text) } ?? "^S save   Tab title/text   Esc leave"
    let style = editor.isAsking ? theme.refused : model.message == nil ? theme.dim : theme.refused
    grid.put(truncated(hint, to: layout.columns - 2), row: layout.hintRow, column: 1, style: style)
  }
}
