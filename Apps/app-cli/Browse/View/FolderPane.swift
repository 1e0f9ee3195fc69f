import FerryConsole

extension BrowseView {
  mutating func drawFolders() {
    guard let pane = layout.folders else { return }
    let isFocused = model.focus == .folders
    drawHeading("Folders", in: pane, isFocused: isFocused)
    let top = max(0, min(model.folderCursor - layout.listHeight + 1, model.folders.count - layout.listHeight))
    // The cursor is in view, and no more is scrolled than that takes.
    for (row, index) in zip(layout.content, top..<max(top, model.folders.count)) {
      let line = model.folders[index]
      let isHere = line.place == model.list?.place
      let indent = min(line.depth, max(0, (pane.count - 12) / 2)) * 2
      // Of drafts there are no unread ones: all of them wait.
      let number = line.place == .drafts ? line.total : line.unread
      let count = number > 0 ? grouped(number) : ""
      let start = pane.lowerBound + 1
      grid.put(isHere ? "›" : " ", row: row, column: start, style: theme.unread)
      let room = pane.count - 4 - indent - (count.isEmpty ? 0 : count.count + 1)
      let style: CellStyle = line.unread > 0 ? .bold : line.total == 0 ? theme.dim : .plain
      grid.put(truncated(visible(line.name), to: room), row: row, column: start + 2 + indent, style: style)
      putRight(
        count, row: row, from: start + 2, to: pane.upperBound - 1,
        style: line.unread > 0 ? theme.unread : theme.dim)
      if index == model.folderCursor {
        grid.restyle(row: row, columns: pane) { theme.cursor(&$0, isFocused: isFocused) }
      }
    }
  }
}
