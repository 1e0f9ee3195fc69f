import FerryStore
import FolderDomain

// What needs to know folders and items: it is here because folders know no items.

/// How many items lie in each folder of an account, and how many of these are unread.
public struct FolderCounts: Sendable, Equatable {
  public struct Count: Sendable, Equatable {
    public var all = 0
    public var unread = 0

    public init(all: Int = 0, unread: Int = 0) { (self.all, self.unread) = (all, unread) }
  }

  private var folders: [FolderID: Count] = [:]
  /// Of the items that lie in no folder, or in one that isn't there.
  public private(set) var unfiled = Count()
  /// Of all items.
  public private(set) var total = Count()

  init(_ counts: Counts<FolderID?>, of known: Set<FolderID>) {
    for key in counts.keys {
      let count = Count(all: counts[key].all, unread: counts[key].of[0])
      total += count
      if let key, known.contains(key) { folders[key] = count } else { unfiled += count }
    }
  }

  /// Of the items that lie in one folder, and not in those in it.
  public subscript(folder: FolderID) -> Count { folders[folder] ?? Count() }
}

extension FolderCounts.Count {
  fileprivate static func += (left: inout Self, right: Self) {
    left.all += right.all
    left.unread += right.unread
  }
}

/// What becomes of what a folder holds when the folder is deleted.
public enum FolderContents: Sendable, Equatable {
  /// It is deleted, however deep it lies.
  case delete
  /// The items and folders that lie in it go into another folder, or, for nil, into none: the folders to the top.
  case move(to: FolderID?)
}

/// What the deletion of a folder did, so that it can be undone.
public struct FolderDeletion: Sendable, Equatable {
  /// The folders that are gone, outermost first.
  public let folders: [Folder]
  /// The folders that were moved, as they were before.
  public let moved: [Folder]
  /// What was done to items: they were deleted, or moved.
  public let items: ItemChange
}

extension FolderDAO {
  /// How many items lie in each folder, and how many are unread. All of it is counted in one query.
  public static func counts(_ account: AccountStore) async throws -> FolderCounts {
    try await account.read { try counts($0) }
  }

  public static func counts<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> FolderCounts
  where Reader.Scope == AccountScope {
    let counts = try reader.count(Item.all, by: { $0.folder }, of: { !$0.isRead })
    return FolderCounts(counts, of: Set(try reader.fetch(Folder.all).map(\.id)))
  }

  /// The counts, now and whenever one is another.
  public static func observeCounts(_ account: AccountStore) -> Observation<FolderCounts> {
    account.observe { try counts($0) }
  }

  /// Deletes a folder with what it holds, or moves that first.
  ///
  /// - Throws: `FolderError.noFolder`; `ItemError.noFolder` where what it holds has nowhere to go, and
  ///   `.movedIntoDeleted` where that is the folder itself or lies in it.
  @discardableResult
  public static func delete(_ account: AccountStore, _ id: FolderID, _ contents: FolderContents) async throws
    -> FolderDeletion
  { try await account.write { try delete($0, id, contents) } }

  @discardableResult
  public static func delete(
    _ transaction: borrowing Transaction<AccountScope>, _ id: FolderID, _ contents: FolderContents
  ) throws -> FolderDeletion {
    let tree = try tree(transaction)
    guard let folder = tree.folder(id) else { throw FolderError.noFolder(id) }
    switch contents {
    case .delete:
      let folders = tree.folders(from: id)
      var items: [ItemID] = []
      for folder in folders {
        items += try ItemDAO.ids(transaction, ItemFilter(in: .folder(folder.id)))
        try transaction.delete(Folder.self, folder.id)
      }
      return FolderDeletion(folders: folders, moved: [], items: try ItemDAO.delete(transaction, items))
    case .move(let target):
      if let target {
        guard tree.folder(target) != nil else { throw ItemError.noFolder(target) }
        guard !tree.path(to: target).contains(where: { $0.id == id }) else {
          throw ItemError.movedIntoDeleted(target, folder: id)
        }
      }
      var moved: [Folder] = []
      for inner in tree.folders(in: id) { moved += try move(transaction, inner.id, to: target) }
      let items = try ItemDAO.ids(transaction, ItemFilter(in: .folder(id)))
      let change = try ItemDAO.move(transaction, items, to: target)
      try transaction.delete(Folder.self, id)
      return FolderDeletion(folders: [folder], moved: moved, items: change)
    }
  }

  /// Takes a deletion back.
  public static func restore(_ account: AccountStore, _ deletion: FolderDeletion) async throws {
    try await account.write { try restore($0, deletion) }
  }

  public static func restore(
    _ transaction: borrowing Transaction<AccountScope>, _ deletion: FolderDeletion
  ) throws {
    try restore(transaction, deletion.folders + deletion.moved)
    try ItemDAO.undo(transaction, deletion.items)
  }
}
