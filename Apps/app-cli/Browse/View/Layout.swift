/// Where what stands on the screen.
///
///     title
///     folders │ list │ reader      a line of headings, and below it the rows
///     hint, message or search
///     status
struct Layout: Equatable {
  let rows: Int
  let columns: Int
  private(set) var folders: Range<Int>?
  private(set) var list: Range<Int>?
  private(set) var reader: Range<Int>?

  /// From here on there are three panes, and from there on two.
  static let threePanes = 110
  static let twoPanes = 64

  init(rows: Int, columns: Int, focus: BrowseModel.Focus, isReading: Bool) {
    (self.rows, self.columns) = (rows, columns)
    let tree = min(32, max(22, columns / 6))
    switch columns {
    case Layout.threePanes...:
      let middle = tree + 1 + (columns - tree - 2) / 2
      (folders, list, reader) = (0..<tree, tree + 1..<middle, middle + 1..<columns)
    case Layout.twoPanes...:
      folders = 0..<tree
      if isReading, focus == .reader { reader = tree + 1..<columns } else { list = tree + 1..<columns }
    default:
      switch focus {
      case .folders: folders = 0..<columns
      case .list: list = 0..<columns
      case .reader: reader = 0..<columns
      }
    }
  }

  /// Smaller, and nothing can be read.
  var isTooSmall: Bool { columns < 20 || rows < 6 }

  var headingRow: Int { 1 }
  /// The rows between the headings and the last two lines.
  var content: Range<Int> { 2..<max(3, rows - 2) }
  var listHeight: Int { content.count }
  var hintRow: Int { rows - 2 }
  var statusRow: Int { rows - 1 }
  /// The columns of what is read.
  var readerColumns: Int { max(1, (reader?.count ?? columns) - 2) }
  var editorColumns: Int { max(1, columns - 4) }
}
