import FerryConsole
import FerryScreen

/// The browser's screen: a model and a size give a grid, and nothing else counts.
struct BrowseView {
  let model: BrowseModel
  let layout: Layout
  let theme: Theme
  var grid: CellGrid

  static func grid(of model: BrowseModel, hasColour: Bool) -> CellGrid {
    var view = BrowseView(model, Theme(hasColour: hasColour))
    view.draw()
    return view.grid
  }

  private init(_ model: BrowseModel, _ theme: Theme) {
    (self.model, self.theme, layout) = (model, theme, model.layout)
    grid = CellGrid(columns: model.columns, rows: model.rows)
  }

  private mutating func draw() {
    guard !layout.isTooSmall else {
      grid.put("The window is too small.", row: 0, column: 0)
      return
    }
    drawTitle()
    if model.gate.state.isShown {
      drawGate()
      return drawStatus()
    }
    if case .edit(let editor) = model.overlay {
      drawEditor(editor)
    } else {
      drawFolders()
      drawList()
      drawReader()
      drawSeparators()
      drawHint()
    }
    drawStatus()
    switch model.overlay {
    case .help(let scroll): drawHelp(scroll)
    case .accounts(let picker): draw(picker)
    case .move(let picker): draw(picker)
    case .edit, nil: break
    }
  }

  private mutating func drawTitle() {
    grid.fill(rows: 0..<1, columns: 0..<layout.columns, style: theme.title)
    var column = 1 + grid.put("Ferry", row: 0, column: 1, style: theme.title)
    if let active = model.active {
      column += grid.put("  \(active)", row: 0, column: column, style: theme.title)
    }
    let right = model.list.map { list in
      let name = model.attachedLine?.name ?? ""
      return list.isSearching ? "\(name) / \(list.request.search)" : name
    }
    if let right { putRight(right, row: 0, from: column + 2, to: layout.columns - 1, style: theme.title) }
  }

  private mutating func drawSeparators() {
    for edge in [layout.folders, layout.list].compactMap({ $0?.upperBound }) where edge < layout.columns {
      grid.fill("│", rows: 1..<layout.content.upperBound, columns: edge..<edge + 1, style: theme.line)
    }
  }

  mutating func drawHeading(_ text: String, in pane: Range<Int>, isFocused: Bool, right: String = "") {
    let style = theme.heading(isFocused: isFocused)
    let row = layout.headingRow
    let width = right.isEmpty ? pane.count - 2 : pane.count - displayWidth(of: right) - 3
    grid.put(truncated(visible(text), to: width), row: row, column: pane.lowerBound + 1, style: style)
    if width > 0 {
      putRight(right, row: row, from: pane.lowerBound, to: pane.upperBound - 1, style: theme.dim)
    }
  }

  /// Writes a text so that it ends before a column; cut at its end where there is too little room.
  mutating func putRight(_ text: String, row: Int, from start: Int, to end: Int, style: CellStyle) {
    let cut = truncated(visible(text), to: max(0, end - start))
    grid.put(cut, row: row, column: max(start, end - displayWidth(of: cut)), style: style)
  }
}
