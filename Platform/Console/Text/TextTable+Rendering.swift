extension TextTable {
  private static let gap = "  "

  /// The table's lines, joined by "\n", without one at the end.
  ///
  /// - Parameters:
  ///   - width: the terminal's columns, which no line exceeds: text columns give way first.
  ///     `nil`, for a pipe or a file, cuts nothing.
  ///   - styled: whether the header and totals may be bold.
  public func rendered(width: Int? = nil, styled: Bool = false) -> String {
    let widths = columnWidths(within: width)
    func line(_ text: String, bold: Bool) -> String {
      let cut = width.map { truncated(text, to: $0) } ?? text
      return TextStyle.bold.applied(to: cut, if: bold && styled)
    }
    var lines = [line(laidOut(columns.map(\.title), widths), bold: true)]
    for row in rows {
      switch row {
      case .cells(let cells): lines.append(line(laidOut(cells, widths), bold: false))
      case .group(let title): lines.append(line(title, bold: true))
      case .total(let cells):
        lines.append(line(rule(over: cells, widths), bold: false))
        lines.append(line(laidOut(cells, widths), bold: true))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func laidOut(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += Self.gap }
      line += padded(truncated(cell, to: widths[index]), to: widths[index], columns[index].alignment)
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func rule(over cells: [String], _ widths: [Int]) -> String {
    laidOut(zip(cells, widths).map { $0.isEmpty ? "" : String(repeating: "-", count: $1) }, widths)
  }

  private func columnWidths(within width: Int?) -> [Int] {
    var widths = columns.map { displayWidth(of: $0.title) }
    for case .cells(let cells) in rows { widen(&widths, for: cells) }
    for case .total(let cells) in rows { widen(&widths, for: cells) }
    guard let width else { return widths }

    var excess = widths.reduce(0, +) + Self.gap.count * max(0, widths.count - 1) - width
    // The widest column gives way first, one column at a time, so that short ones stay whole.
    while excess > 0 {
      let candidates = widths.indices.filter { widths[$0] > columns[$0].minimumWidth }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func widen(_ widths: inout [Int], for cells: [String]) {
    for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], displayWidth(of: cell)) }
  }
}
