import FerryStore
import Foundation

// Each of these is one transaction, or part of the one that it is given. What it gives back are the folders that it
// changed, as they were before: `restore` puts them back.

extension FolderDAO {
  /// Makes a folder, the last one in its parent.
  ///
  /// - Parameter parent: nil: at the top.
  /// - Throws: `FolderError.emptyName`, `.noFolder` where the parent isn't there; `StoreError.duplicateKey`.
  @discardableResult
  public static func create(
    _ account: AccountStore, _ id: FolderID, name: String, type: FolderType = .primary,
    in parent: FolderID? = nil
  ) async throws -> Folder {
    try await account.write { try create($0, id, name: name, type: type, in: parent) }
  }

  @discardableResult
  public static func create(
    _ transaction: borrowing Transaction<AccountScope>, _ id: FolderID, name: String,
    type: FolderType = .primary, in parent: FolderID? = nil
  ) throws -> Folder {
    let name = try checked(name)
    let tree = try tree(transaction)
    if let parent { try require(parent, in: tree) }
    let siblings = tree.folders(in: parent)
    let order = try next(after: siblings, transaction)
    let folder = Folder(id: id, name: name, type: type, sortOrder: order, parent: parent)
    try transaction.insert(folder)
    return folder
  }

  /// Gives a folder another name, without the spaces around it.
  ///
  /// - Throws: `FolderError.noFolder`, `.emptyName`.
  @discardableResult
  public static func rename(_ account: AccountStore, _ id: FolderID, to name: String) async throws -> [Folder]
  { try await account.write { try rename($0, id, to: name) } }

  @discardableResult
  public static func rename(
    _ transaction: borrowing Transaction<AccountScope>, _ id: FolderID, to name: String
  ) throws -> [Folder] {
    let name = try checked(name)
    guard var folder = try transaction.find(Folder.self, id) else { throw FolderError.noFolder(id) }
    folder.name = name
    return try put([folder], transaction)
  }

  /// Moves a folder, with all that lies in it, into another one.
  ///
  /// - Parameters:
  ///   - parent: nil: to the top.
  ///   - position: before how many of its new siblings it comes, counted from the first; nil: the last.
  /// - Throws: `FolderError.noFolder` for either; `.intoItself` where it would lie in itself.
  @discardableResult
  public static func move(
    _ account: AccountStore, _ id: FolderID, to parent: FolderID?, at position: Int? = nil
  ) async throws -> [Folder] {
    try await account.write { try move($0, id, to: parent, at: position) }
  }

  @discardableResult
  public static func move(
    _ transaction: borrowing Transaction<AccountScope>, _ id: FolderID, to parent: FolderID?,
    at position: Int? = nil
  ) throws -> [Folder] {
    let tree = try tree(transaction)
    try require(id, in: tree)
    guard var folder = tree.folder(id) else { throw FolderError.noFolder(id) }
    if let parent {
      try require(parent, in: tree)
      if tree.path(to: parent).contains(where: { $0.id == id }) {
        throw FolderError.intoItself(id, into: parent)
      }
    }
    var changed = try openCircles(of: tree, but: id, transaction)
    let siblings = tree.folders(in: parent).filter { $0.id != id }
    let isWhereItWas = tree.folders(in: parent).last?.id == id && folder.parent == parent
    if position.map({ $0 >= siblings.count }) ?? true {
      if isWhereItWas { return changed }
      folder.sortOrder = try next(after: siblings, transaction, &changed)
      folder.parent = parent
      return try changed + put([folder], transaction)
    }
    folder.parent = parent
    var ordered = siblings
    ordered.insert(folder, at: max(0, position ?? siblings.count))
    return try changed + put(numbered(ordered), transaction)
  }

  /// Puts the folders that lie in one folder, or at the top, into another order. Those that aren't named come
  /// after those that are, as they were.
  ///
  /// - Throws: `FolderError.notThere` for one that doesn't lie there, or that is named twice.
  @discardableResult
  public static func reorder(_ account: AccountStore, _ ids: [FolderID], in parent: FolderID? = nil)
    async throws -> [Folder]
  { try await account.write { try reorder($0, ids, in: parent) } }

  @discardableResult
  public static func reorder(
    _ transaction: borrowing Transaction<AccountScope>, _ ids: [FolderID], in parent: FolderID? = nil
  ) throws -> [Folder] {
    var left = try list(transaction, in: parent)
    var ordered: [Folder] = []
    for id in ids {
      guard let place = left.firstIndex(where: { $0.id == id }) else {
        throw FolderError.notThere(id, in: parent)
      }
      ordered.append(left.remove(at: place))
    }
    return try put(numbered(ordered + left), transaction)
  }

  /// Puts folders back as they were before a change.
  @discardableResult
  public static func restore(_ account: AccountStore, _ folders: [Folder]) async throws -> [Folder] {
    try await account.write { try restore($0, folders) }
  }

  @discardableResult
  public static func restore(_ transaction: borrowing Transaction<AccountScope>, _ folders: [Folder]) throws
    -> [Folder]
  {
    // The last one is how it was first.
    try put(folders.reversed(), transaction)
  }
}

extension FolderDAO {
  private static func checked(_ name: String) throws -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty else { throw FolderError.emptyName }
    return name
  }

  private static func require(_ id: FolderID, in tree: FolderTree) throws {
    guard tree.folder(id) != nil else { throw FolderError.noFolder(id) }
  }

  /// Writes folders.
  ///
  /// - Returns: those of them that differ from what was there, as that was.
  private static func put(_ folders: [Folder], _ transaction: borrowing Transaction<AccountScope>) throws
    -> [Folder]
  {
    var before: [Folder] = []
    for folder in folders {
      let old = try transaction.find(Folder.self, folder.id)
      if try transaction.upsert(folder).updated > 0, let old { before.append(old) }
    }
    return before
  }

  /// The order that comes after all of these.
  private static func next(
    after siblings: [Folder], _ transaction: borrowing Transaction<AccountScope>
  ) throws -> Int64 {
    var changed: [Folder] = []
    return try next(after: siblings, transaction, &changed)
  }

  private static func next(
    after siblings: [Folder], _ transaction: borrowing Transaction<AccountScope>, _ changed: inout [Folder]
  ) throws -> Int64 {
    guard let last = siblings.last else { return 0 }
    let (next, isOver) = last.sortOrder.addingReportingOverflow(1)
    guard isOver else { return next }
    // Nothing comes after the largest number, so all of them get small ones.
    changed += try put(numbered(siblings), transaction)
    return Int64(siblings.count)
  }

  private static func numbered(_ folders: [Folder]) -> [Folder] {
    folders.enumerated().map { index, folder in
      var folder = folder
      folder.sortOrder = Int64(index)
      return folder
    }
  }

  /// Makes true what a person sees: who stands at the top because of a circle lies there from now on. Otherwise a
  /// move within the circle would leave it one.
  private static func openCircles(
    of tree: FolderTree, but id: FolderID, _ transaction: borrowing Transaction<AccountScope>
  ) throws -> [Folder] {
    let opened = tree.branches.map(\.folder).filter { tree.circles.contains($0.id) && $0.id != id }
    return try put(
      opened.map { folder in
        var folder = folder
        folder.parent = nil
        return folder
      }, transaction)
  }
}
