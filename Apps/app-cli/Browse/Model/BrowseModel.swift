import AttachmentDomain
import FerryConsole
import FerryScreen
import FolderDomain
import ItemDomain

/// All that the browser shows, and what each key and event makes of it: `handle` changes the state and says what is
/// to be done. It does nothing itself, and knows no terminal and no store.
struct BrowseModel {
  enum Focus { case folders, list, reader }

  enum Overlay {
    case help(scroll: Int)
    case accounts(Picker<LinkAccount>)
    case move(Picker<FolderID?>)
    case edit(DraftEditor)
  }

  /// What is being read.
  struct Reader {
    var item: Item
    var attachments: [AttachmentEntry] = []
    /// How the item is named from outside.
    let link: String?
    var scroll = 0
  }

  var rows: Int
  var columns: Int
  var gate = CrossingGate()
  var accounts: [LinkAccount] = []
  var active: LinkAccount?
  var folders: [FolderLine] = []
  var folderCursor = 0
  var list: ListState?
  var reader: Reader?
  var focus = Focus.list
  var overlay: Overlay?
  /// What is being searched for while a person writes it.
  var searchField: TextBuffer?
  var status = SyncStatus()
  var message: Message?
  var undoable = 0

  init(rows: Int, columns: Int) { (self.rows, self.columns) = (rows, columns) }

  var layout: Layout {
    Layout(rows: rows, columns: columns, focus: focus, isReading: reader != nil)
  }

  /// How many rows of a list are on the screen.
  var listHeight: Int { layout.listHeight }

  /// Changes the list, if there is one.
  mutating func withList<Result>(_ change: (inout ListState, _ height: Int) -> Result?) -> Result? {
    let height = listHeight
    guard var list else { return nil }
    defer { self.list = list }
    return change(&list, height)
  }

  /// The line of the tree that the attached list belongs to.
  var attachedLine: FolderLine? { list.flatMap { list in folders.first { $0.place == list.place } } }

  /// What keys like star and delete are about: what is being read, else the row under the cursor.
  var target: ListRow? {
    if focus == .reader, let reader { return ListRow(reader.item) }
    return focus == .list ? list?.current : nil
  }
}
