import FerryConsole
import FerryScreen

/// A crossing in words.
enum CrossingText {
  static func progress(_ progress: CrossingProgress) -> String {
    let done = grouped(progress.done)
    if let all = progress.of { return "\(progress.phase), \(done) of \(grouped(all)) rows" }
    return progress.done == 0 ? progress.phase : "\(progress.phase), \(done) rows"
  }
}

extension BrowseView {
  /// What stands before the lists while the core domains cross.
  mutating func drawGate() {
    let width = min(76, layout.columns - 4)
    var lines: [(text: String, style: CellStyle)] = []
    func add(_ text: String, _ style: CellStyle) {
      let wrapped = WrappedText(visible(text), columns: width - 4)
      lines += wrapped.lines.map { (String(wrapped.text[$0]).trimmingSpacesAtEnd, style) }
    }
    switch model.gate.state {
    case .crossing(let progress):
      add("What is on this device is being carried over.", .bold)
      add("", .plain)
      add("\(progress.domain): \(CrossingText.progress(progress))", .plain)
      if let all = progress.of { add(bar(progress.done, all, columns: width - 4), theme.progress) }
    case .waitingForNetwork(let domain):
      add("The crossing waits for the network.", .bold)
      add("", .plain)
      add("The domain \(domain) comes from a server that can't be reached.", .plain)
    case .failed(let failure):
      add("The crossing has stopped.", theme.refused)
      add("", .plain)
      add(failure.sentence, .plain)
      add(failure.remedy, .plain)
    case .checking, .ready: return
    }
    add("", .plain)
    add(
      "This screen goes on by itself as soon as it can. The crossing itself is `app-cli migrate`; q leaves.",
      theme.dim)
    drawBox(lines, width: width)
  }

  private func bar(_ done: Int, _ all: Int, columns: Int) -> String {
    let full = all > 0 ? min(columns, columns * done / all) : 0
    return String(repeating: "█", count: full) + String(repeating: "░", count: columns - full)
  }

  /// Lines in a box in the middle of the screen.
  mutating func drawBox(
    _ lines: [(text: String, style: CellStyle)], width: Int, title: String = "", cursor: Int? = nil
  ) {
    let height = min(lines.count + 2, layout.rows - 2)
    let top = max(1, (layout.rows - height) / 2)
    let left = max(0, (layout.columns - width) / 2)
    grid.fill(rows: top..<top + height, columns: left..<left + width)
    for row in [top, top + height - 1] {
      grid.fill("─", rows: row..<row + 1, columns: left + 1..<left + width - 1, style: theme.line)
    }
    for column in [left, left + width - 1] {
      grid.fill("│", rows: top + 1..<top + height - 1, columns: column..<column + 1, style: theme.line)
    }
    for (row, column, corner) in [
      (top, left, "╭"), (top, left + width - 1, "╮"), (top + height - 1, left, "╰"),
      (top + height - 1, left + width - 1, "╯"),
    ] { grid.put(corner, row: row, column: column, style: theme.line) }
    if !title.isEmpty {
      grid.put(" \(truncated(visible(title), to: width - 6)) ", row: top, column: left + 2, style: .bold)
    }
    for (index, line) in lines.prefix(height - 2).enumerated() {
      let row = top + 1 + index
      grid.put(
        truncated(line.text, to: width - 4), row: row, column: left + 2, width: width - 4, style: line.style)
      if index == cursor {
        grid.restyle(row: row, columns: left + 1..<left + width - 1) { theme.cursor(&$0, isFocused: true) }
      }
    }
  }
}
