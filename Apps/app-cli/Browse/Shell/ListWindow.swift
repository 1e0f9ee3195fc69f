import FerryStore
import ItemDomain

/// The part of a list that is at hand.
struct ListWindow: Equatable, Sendable {
  let rows: [ListRow]
  let frame: ListFrame

  /// Reads what was asked for, from one state of the store.
  static func read(
    _ snapshot: borrowing Snapshot<AccountScope>, _ place: ListPlace, _ request: ListRequest
  ) throws -> ListWindow {
    guard let filter = place.filter else {
      let drafts = try DraftDAO.list(snapshot)
      return ListWindow(
        rows: drafts.map { ListRow($0) }, frame: ListFrame(total: drafts.count, request: request))
    }
    let anchor: ItemWindow.Anchor =
      switch request.anchor {
      case .start: .newest
      case .end: .oldest
      case .around(let row): row.item.map { .around($0) } ?? .newest
      }
    let window = try ItemDAO.window(
      snapshot, filter, search: request.search, at: anchor, size: request.size)
    return ListWindow(
      rows: window.items.map { ListRow($0) },
      frame: ListFrame(offset: window.offset, total: window.total, request: request))
  }
}

extension ListPlace {
  /// The items that the list has; nil: it is none of items.
  var filter: ItemFilter? {
    switch self {
    case .everything: ItemFilter()
    case .unfiled: ItemFilter(in: .unfiled)
    case .folder(let id): ItemFilter(in: .folder(id))
    case .drafts: nil
    }
  }
}
