import FerryConsole
import FerryScreen
import FerryStore
import ItemDomain

extension BrowseView {
  mutating func drawList() {
    guard let pane = layout.list else { return }
    let isFocused = model.focus == .list
    guard let list = model.list else {
      drawHeading("Items", in: pane, isFocused: isFocused)
      return put(["Nothing is open.", "Choose a folder and press Enter."], in: pane)
    }
    var heading = model.attachedLine?.name ?? "Items"
    if list.isSearching { heading = "“\(list.request.search)” in \(heading)" }
    drawHeading(heading, in: pane, isFocused: isFocused, right: count(of: list))
    switch list.phase {
    case .skeleton, nil: drawSkeleton(pane)
    case .content: drawRows(list, pane, isFocused: isFocused)
    case .empty:
      put([list.isSearching ? noHits(list.terms) : emptyText(list.place)], in: pane)
    case .failure:
      put(
        ["This list can't be shown.", list.problem ?? "", "R tries again."], in: pane, style: theme.refused)
    case .cancelled: put(["Loading was cancelled.", "R tries again."], in: pane)
    }
  }

  private func count(of list: ListState) -> String {
    guard case .content = list.phase, let cursor = list.cursor else { return list.isLoading ? "…" : "" }
    let place = "\(grouped(list.frame.offset + cursor + 1)) of \(grouped(list.frame.total))"
    return list.problem == nil ? place : "⚠ \(place)"
  }

  private func noHits(_ terms: SearchTerms) -> String {
    terms.isEmpty ? "Only letters and digits are searched for." : "Nothing here has these words."
  }

  private func emptyText(_ place: ListPlace) -> String {
    place == .drafts ? "There are no drafts. n begins one." : "There is nothing in here."
  }

  /// Lines in the middle of a pane's upper half.
  mutating func put(_ lines: [String], in pane: Range<Int>, style: CellStyle? = nil) {
    var row = layout.content.lowerBound + min(2, layout.listHeight / 4)
    for line in lines {
      let wrapped = WrappedText(visible(line), columns: pane.count - 4)
      for range in wrapped.lines where row < layout.content.upperBound {
        let text = String(wrapped.text[range]).trimmingSpacesAtEnd
        let column = pane.lowerBound + max(1, (pane.count - displayWidth(of: text)) / 2)
        grid.put(text, row: row, column: column, width: pane.upperBound - column, style: style ?? theme.dim)
        row += 1
      }
    }
  }

  private mutating func drawSkeleton(_ pane: Range<Int>) {
    // Like rows of text, and the same at every start.
    let shares = [62, 48, 71, 55, 39, 66, 51, 44]
    for (index, row) in layout.content.enumerated() {
      let width = max(2, (pane.count - 8) * shares[index % shares.count] / 100)
      grid.fill(
        "▒", rows: row..<row + 1, columns: pane.lowerBound + 4..<pane.lowerBound + 4 + width,
        style: theme.skeleton)
    }
  }

  private mutating func drawRows(_ list: ListState, _ pane: Range<Int>, isFocused: Bool) {
    let rows = list.rows[list.top...].prefix(layout.listHeight)
    let terms = list.terms
    for (screenRow, (index, row)) in zip(layout.content, zip(rows.indices, rows)) {
      switch row.content {
      case .item(let item): draw(item, terms, screenRow, pane)
      case .draft(let draft):
        draw(
          title: row.title, more: draft.body, date: String(draft.updatedAt.description.prefix(10)), terms,
          screenRow, pane, style: .plain)
      }
      if index == list.cursor {
        grid.restyle(row: screenRow, columns: pane) { theme.cursor(&$0, isFocused: isFocused) }
      }
    }
    drawScrollbar(list, pane)
  }

  private mutating func draw(_ item: Item, _ terms: SearchTerms, _ row: Int, _ pane: Range<Int>) {
    if !item.isRead { grid.put("●", row: row, column: pane.lowerBound, style: theme.unread) }
    if item.isStarred == true { grid.put("★", row: row, column: pane.lowerBound + 2, style: theme.star) }
    draw(
      title: item.title, more: item.preview ?? "", date: String(item.updatedAt.description.prefix(10)), terms,
      row, pane, style: item.isRead ? .plain : .bold)
  }

  private mutating func draw(
    title: String, more: String, date: String, _ terms: SearchTerms, _ row: Int, _ pane: Range<Int>,
    style: CellStyle
  ) {
    let hasDate = pane.count >= 44
    let start = pane.lowerBound + 4
    let end = pane.upperBound - 2 - (hasDate ? date.count + 1 : 0)
    let shown = cut(title, to: end - start)
    let used = grid.put(shown, row: row, column: start, width: end - start, style: style)
    mark(terms, in: shown, row: row, column: start)
    let room = end - start - used - 2
    if room > 8, !more.isEmpty {
      let excerpt = cut(String(more.prefix(room * 2)).spacedOut, to: room)
      grid.put(excerpt, row: row, column: start + used + 2, style: theme.dim)
      mark(terms, in: excerpt, row: row, column: start + used + 2)
    }
    if hasDate { grid.put(date, row: row, column: pane.upperBound - 2 - date.count, style: theme.dim) }
  }

  /// Lays over a text that is on the grid what of it was searched for.
  mutating func mark(_ terms: SearchTerms, in text: String, row: Int, column: Int) {
    for range in terms.ranges(in: text) {
      let start = column + displayWidth(of: text[..<range.lowerBound])
      grid.restyle(row: row, columns: start..<start + displayWidth(of: text[range])) { theme.found(&$0) }
    }
  }

  /// The beginning of a text, which may be long.
  private func cut(_ text: String, to columns: Int) -> String {
    truncated(visible(text.prefix(max(0, columns) * 2 + 1)), to: columns)
  }

  /// Where in the whole list the rows on the screen are.
  private mutating func drawScrollbar(_ list: ListState, _ pane: Range<Int>) {
    let (height, total) = (layout.listHeight, max(list.frame.total, list.rows.count))
    guard total > height else { return }
    let size = max(1, height * height / total)
    let place = list.frame.offset + list.top
    let start = (height - size) * min(place, total - height) / max(1, total - height)
    for index in 0..<height {
      let isThumb = (start..<start + size).contains(index)
      grid.put(
        isThumb ? "┃" : " ", row: layout.content.lowerBound + index, column: pane.upperBound - 1,
        style: isThumb ? theme.key : theme.line)
    }
  }
}

extension String {
  /// On one line: each run of white space is a space.
  var spacedOut: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  var trimmingSpacesAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
