import FolderDomain
import ItemDomain

/// A row of the list in the middle.
struct ListRow: Identifiable, Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case item(Item)
    case draft(Draft)
  }

  enum ID: Hashable, Sendable {
    case item(ItemID)
    case draft(DraftID)
  }

  let content: Content

  init(_ item: Item) { content = .item(item) }
  init(_ draft: Draft) { content = .draft(draft) }

  var id: ID {
    switch content {
    case .item(let item): .item(item.id)
    case .draft(let draft): .draft(draft.id)
    }
  }

  var item: Item? { if case .item(let item) = content { item } else { nil } }
  var draft: Draft? { if case .draft(let draft) = content { draft } else { nil } }

  var title: String {
    switch content {
    case .item(let item): item.title
    case .draft(let draft): draft.title.isEmpty ? "(no title)" : draft.title
    }
  }
}

/// Which rows of a list are wanted: as many as fit a few screens, and never all of a long one.
struct ListRequest: Equatable, Sendable {
  enum Anchor: Equatable, Sendable {
    /// The list's first rows, whichever those are.
    case start
    case end
    /// This row, or where it was, and those before and after it.
    case around(ListRow)
  }

  var search = ""
  var anchor = Anchor.start
  /// How many rows.
  var size = 160
}

/// Which part of a list the rows are that are at hand.
struct ListFrame: Equatable, Sendable {
  /// How many rows come before the first one.
  var offset = 0
  /// How many rows the list has.
  var total = 0
  /// What was asked for; nil before anything was.
  var request: ListRequest?
}
