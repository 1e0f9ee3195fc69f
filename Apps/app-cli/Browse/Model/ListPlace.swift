import FerryScreen
import FerryStore
import FolderDomain

/// What the list in the middle is of.
enum ListPlace: Hashable, Sendable {
  case everything
  case folder(FolderID)
  case unfiled
  case drafts

  /// Lists that are no folders are named by what no folder's identifier begins with: those are made of legacy keys,
  /// UUIDs and what a server allows, which have no control characters. They lead nowhere from outside.
  private static let names: [(String, ListPlace)] = [
    ("\u{1}everything", .everything), ("\u{1}unfiled", .unfiled), ("\u{1}drafts", .drafts),
  ]

  /// - Parameter isFromOutside: a link can name folders only.
  init?(_ id: LinkID, isFromOutside: Bool) {
    let named = ListPlace.names.first { $0.0 == id.rawValue }?.1
    switch (named, isFromOutside) {
    case (let place?, false): self = place
    case (nil, _):
      guard let folder = FolderID(id.rawValue) else { return nil }
      self = .folder(folder)
    case (_?, true): return nil
    }
  }

  var linkID: LinkID? {
    switch self {
    case .folder(let id): LinkID(id.rawValue)
    default: ListPlace.names.first { $0.1 == self }.flatMap { LinkID($0.0) }
    }
  }
}
