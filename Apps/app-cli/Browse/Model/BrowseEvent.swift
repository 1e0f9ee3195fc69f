import AttachmentDomain
import FerryConsole
import FerryScreen
import FerryStore
import ItemDomain

/// What happens to the browser.
enum BrowseEvent: Sendable {
  case key(Key)
  case resized(rows: Int, columns: Int)
  case gate(CrossingGate)
  case accounts([LinkAccount], active: LinkAccount?)
  case folders([FolderLine])
  /// A list was put there, or taken away.
  case attached(ListPlace?)
  /// What the attached list is to show.
  case list(ListPhase<ListRow>, selection: ListRow.ID?, ListFrame, isLoading: Bool, problem: String?)
  /// The same rows are another part of the list.
  case frame(ListFrame)
  /// The router shows an item on the list.
  case pushed(Item, in: ListPlace, link: String?)
  /// The item that is being read is this now, with what hangs on it; nil: it is gone.
  case detail(Item?, [AttachmentEntry])
  case sync(SyncStatus)
  case said(Message)
  /// What is in the editor is in the store, or couldn't be written.
  case saved(Bool)
  /// How many changes can be undone.
  case undoable(Int)
}

/// Something that a person is told, until something else is.
struct Message: Equatable, Sendable {
  enum Kind: Sendable { case done, refused }
  let text: String
  let kind: Kind

  static func done(_ text: String) -> Message { Message(text: text, kind: .done) }
  static func refused(_ text: String) -> Message { Message(text: text, kind: .refused) }
}

/// What the status line says of the account.
struct SyncStatus: Equatable, Sendable {
  /// When a sync last came to its end; nil where that isn't known.
  var lastSync: Timestamp?
  /// Local changes that no server has.
  var unsent = 0
  var conflicts = 0
  /// Why nothing can be written; nil while it can.
  var gate: String?
}
