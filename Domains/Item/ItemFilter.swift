import FerryStore
import FolderDomain
import Foundation

/// Which items a list, a search or a count is of.
///
///     ItemFilter(in: .folder(inbox), isRead: false, tags: ["urgent"])
///
/// A domain that stands on this one adds conditions of its own with `and`.
public struct ItemFilter: Sendable {
  /// Where items lie.
  public enum Place: Sendable, Hashable {
    case everywhere
    /// In no folder, or in one that isn't there.
    case unfiled
    case folder(FolderID)

    /// The place that an item's `folder` names; nil: unfiled.
    public init(_ folder: FolderID?) { self = folder.map { .folder($0) } ?? .unfiled }
  }

  public var place: Place
  /// nil: read and unread.
  public var isRead: Bool?
  /// nil: starred or not. Items of which the server never said so aren't starred.
  public var isStarred: Bool?
  /// Each of them must be there. A letter that is composed with its accent is the one that is followed by it.
  public var tags: [String]
  private var further = Item.all

  public init(
    in place: Place = .everywhere, isRead: Bool? = nil, isStarred: Bool? = nil, tags: [String] = []
  ) {
    (self.place, self.isRead, self.isStarred, self.tags) = (place, isRead, isStarred, tags)
  }

  /// The same with one more condition.
  public func and(_ condition: (Columns<Item>) -> QueryExpression<Item, Bool>) -> ItemFilter {
    var filter = self
    filter.further = further.where(condition)
    return filter
  }
}

extension ItemFilter {
  /// Queries that find the items, each item in one of them: a query for each folder that there is to look in, so
  /// that an index has its items in their order.
  func queries<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> [Query<Item>]
  where Reader.Scope == AccountScope {
    let query = conditions
    switch place {
    case .everywhere: return [query]
    case .folder(let folder): return [query.where { $0.folder == folder }]
    case .unfiled:
      let folders: [FolderID?] = [nil] + (try ItemFilter.lostFolders(reader))
      return folders.map { folder in query.where { $0.folder == folder } }
    }
  }

  private var conditions: Query<Item> {
    var query = further
    // Compared with a value, since an index knows no NOT.
    if let isRead { query = query.where { $0.isRead == isRead } }
    switch isStarred {
    case true?: query = query.where { $0.isStarred == true }
    case false?: query = query.where { $0.isStarred != true }
    case nil: break
    }
    for tag in tags {
      query = query.where { item in
        ItemFilter.forms(of: tag).dropFirst().reduce(item.tags.contains(tag)) { found, form in
          found || item.tags.contains(form)
        }
      }
    }
    return query
  }

  /// A tag as it was said, and the other ways to write the same.
  private static func forms(of tag: String) -> [String] {
    var forms = [tag]
    for form in [tag.precomposedStringWithCanonicalMapping, tag.decomposedStringWithCanonicalMapping]
    where !forms.contains(where: { $0.utf8.elementsEqual(form.utf8) }) { forms.append(form) }
    return forms
  }

  /// The folders that items name and that aren't there. It takes a step in an index for each folder that items name,
  /// however many items do.
  private static func lostFolders<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws
    -> [FolderID]
  where Reader.Scope == AccountScope {
    var lost: [FolderID] = []
    guard var place = beforeAll else { return [] }
    var last: FolderID?
    while let item = try reader.first(byFolder.after(place)), let folder = item.folder {
      let isNew = folder != last
      if isNew, try reader.find(Folder.self, folder) == nil { lost.append(folder) }
      (place, last) = (item, folder)
      // On to the folder's last item, or nearly: whoever has the latest time there is are stepped through.
      if isNew { place.updatedAt = .max }
    }
    return lost
  }

  static let byFolder = Item.all.order { $0.folder.ascending }.order { $0.updatedAt.ascending }

  /// Before every item that names a folder: no text that isn't empty comes before this one.
  private static let beforeAll = ItemID("\0").map { id in
    Item(
      id: id, remoteID: nil, folder: FolderID("\0"), title: "", preview: nil, isRead: false, isStarred: nil,
      updatedAt: .min, score: nil, tags: [])
  }
}
