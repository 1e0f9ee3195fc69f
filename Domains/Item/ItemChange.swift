import FerryStore
import FolderDomain

/// What a write did to items, so that it can be undone: `ItemDAO.undo` gives back what it changed, and leaves alone
/// what else has become of them.
public struct ItemChange: Sendable, Equatable {
  /// The items that were changed, and no others of those that were named.
  public let ids: [ItemID]
  let before: Before

  /// What was changed of each of them, as it was.
  enum Before: Sendable, Equatable {
    case isRead([Bool])
    case isStarred([Bool?])
    case folder([FolderID?])
    case tags([[String]])
    /// They were there.
    case present([Item])
    /// They weren't.
    case absent
  }

  /// How many there are.
  public var count: Int { ids.count }
  public var isEmpty: Bool { ids.isEmpty }

  /// What was deleted; none where the write was another one.
  public var deleted: [Item] { if case .present(let items) = before { items } else { [] } }
}
