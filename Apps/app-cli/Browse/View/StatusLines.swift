import FerryConsole
import FerryScreen
import FerryStore

extension BrowseView {
  /// What can be done here, or what was done last, or what is searched for.
  mutating func drawHint() {
    let row = layout.hintRow
    if let field = model.searchField {
      let prompt = grid.put(" / ", row: row, column: 0, style: theme.key)
      return put(field, row: row, column: prompt, width: layout.columns - prompt - 1)
    }
    if let message = model.message {
      let style = message.kind == .done ? theme.done : theme.refused
      grid.put(truncated(visible(message.text), to: layout.columns - 2), row: row, column: 1, style: style)
      return
    }
    var column = 1
    for (key, meaning) in hints {
      let width = displayWidth(of: key) + 1 + displayWidth(of: meaning)
      guard column + width < layout.columns else { break }
      column += grid.put(key, row: row, column: column, style: theme.key) + 1
      column += grid.put(meaning, row: row, column: column, style: theme.dim) + 2
    }
  }

  private var hints: [(String, String)] {
    let always = [("?", "keys"), ("q", "quit")]
    // What tells of all the others comes first where not all find room.
    return layout.columns < Layout.threePanes ? always + hintsHere : hintsHere + always
  }

  private var hintsHere: [(String, String)] {
    switch model.focus {
    case .folders: return [("↑↓", "move"), ("Enter", "open"), ("Tab", "items"), ("a", "account")]
    case .list where model.list?.place == .drafts:
      return [("Enter", "edit"), ("n", "new"), ("d", "discard"), ("u", "undo")]
    case .list:
      return [
        ("Enter", "read"), ("/", "search"), ("s", "star"), ("r", "read/unread"), ("m", "move"),
        ("d", "delete"),
      ]
        + (model.undoable > 0 ? [("u", "undo")] : [])
    case .reader: return [("Esc", "back"), ("s", "star"), ("m", "move"), ("d", "delete"), ("e", "answer")]
    }
  }

  mutating func drawStatus() {
    let row = layout.statusRow
    grid.fill(rows: row..<row + 1, columns: 0..<layout.columns, style: theme.status)
    let status = model.status
    var parts: [String] = []
    if let gate = status.gate { parts.append("no writing: \(gate)") }
    guard model.gate.state.admitsInput else {
      grid.put(
        truncated(visible(parts.joined()), to: layout.columns - 2), row: row, column: 1, style: theme.status)
      return
    }
    if let behind = model.gate.behind { parts.append("\(behind.domain): \(CrossingText.progress(behind))") }
    parts.append(status.unsent == 0 ? "all sent" : "\(grouped(status.unsent)) unsent")
    if status.conflicts > 0 { parts.append("\(grouped(status.conflicts)) in conflict") }
    parts.append(status.lastSync.map { "last sync \(BrowseModel.time($0.description))" } ?? "no sync yet")
    let text = truncated(visible(parts.joined(separator: " · ")), to: layout.columns - 2)
    grid.put(text, row: row, column: 1, style: theme.status)
  }

  /// A text that is being written, on one line, scrolled to its cursor.
  mutating func put(_ field: TextBuffer, row: Int, column: Int, width: Int) {
    var before = visible(field.before)
    while displayWidth(of: before) >= width, !before.isEmpty { before.removeFirst() }
    let used = grid.put(before, row: row, column: column, width: width)
    grid.put(visible(field.after), row: row, column: column + used, width: width - used)
    grid.showCursor(row: row, column: column + used)
  }
}
