import FerryScreen
import FolderDomain
import ItemDomain

/// What the browser wants done.
enum BrowseEffect: Equatable {
  case visit(ListPlace)
  /// Go to an item through the router.
  case open(ItemID, in: ListPlace)
  /// The item that lies on the list is left.
  case back
  case select(ListRow.ID?)
  case look(ListRequest)
  case refresh
  case cancelLoading
  case change(ItemEdit)
  case undo
  case save(DraftText)
  case discard(DraftID)
  case switchAccount(LinkAccount)
  /// Draw everything anew.
  case redraw
  case suspend
  case quit(code: Int32)
}

/// A change that a person makes to items.
enum ItemEdit: Equatable, Sendable {
  /// It is being read, which nobody has to be told and nobody undoes.
  case open(ItemID)
  case mark([ItemID], isRead: Bool)
  case star([ItemID], isStarred: Bool)
  /// nil: out of all folders.
  case move([ItemID], to: FolderID?)
  case delete([ItemID])
}

/// A draft as it stands in the editor.
struct DraftText: Equatable, Sendable {
  /// nil: a new one.
  var id: DraftID?
  var item: ItemID?
  var title: String
  var body: String
}
