import FerryConsole

/// How things stand out. Without colour they do so by being bold, dim, underlined or reversed.
struct Theme {
  let hasColour: Bool

  private func choose(_ coloured: CellStyle, _ plain: CellStyle) -> CellStyle { hasColour ? coloured : plain }

  var title: CellStyle {
    choose(CellStyle(.brightWhite, on: .blue, bold: true), CellStyle(bold: true, reversed: true))
  }
  var status: CellStyle { choose(CellStyle(.brightWhite, on: .grey), .reversed) }
  var line: CellStyle { choose(CellStyle(.grey), .dim) }
  var dim: CellStyle { choose(CellStyle(.grey), .dim) }
  var unread: CellStyle { choose(CellStyle(.cyan, bold: true), .bold) }
  var star: CellStyle { choose(CellStyle(.yellow), .bold) }
  var done: CellStyle { choose(CellStyle(.green), .plain) }
  var refused: CellStyle { choose(CellStyle(.red, bold: true), .bold) }
  var key: CellStyle { choose(CellStyle(.cyan), .bold) }
  /// What a search has found, laid over a style.
  func found(_ style: inout CellStyle) {
    style.isUnderlined = true
    if !hasColour { return }
    style.foreground = .yellow
    style.isDim = false
  }
  var skeleton: CellStyle { choose(CellStyle(.grey), .dim) }
  var progress: CellStyle { choose(CellStyle(.cyan), .bold) }

  func heading(isFocused: Bool) -> CellStyle {
    isFocused
      ? choose(CellStyle(.cyan, bold: true, underlined: true), CellStyle(bold: true, underlined: true)) : dim
  }

  /// Lays the cursor over a row's style.
  func cursor(_ style: inout CellStyle, isFocused: Bool) {
    if !hasColour {
      if isFocused { style.isReversed = true } else { style.isUnderlined = true }
      return
    }
    style.background = isFocused ? .cyan : .grey
    style.foreground = isFocused ? .black : .brightWhite
    style.isDim = false
  }
}
