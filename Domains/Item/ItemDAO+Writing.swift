import FerryStore
import FolderDomain
import Foundation

// Each of these is one transaction, or part of the one that it is given: all of the items or none. One that the
// account doesn't have is left out, as is one that is that way already.

extension ItemDAO {
  /// Marks items as read or unread.
  @discardableResult
  public static func mark(_ account: AccountStore, _ ids: [ItemID], isRead: Bool) async throws -> ItemChange {
    try await account.write { try mark($0, ids, isRead: isRead) }
  }

  @discardableResult
  public static func mark(
    _ transaction: borrowing Transaction<AccountScope>, _ ids: [ItemID], isRead: Bool
  ) throws -> ItemChange {
    let (ids, before) = try set(\.isRead, of: ids, transaction) { _ in isRead }
    return ItemChange(ids: ids, before: .isRead(before))
  }

  /// Marks all items that a filter takes as read or unread.
  @discardableResult
  public static func markAll(_ account: AccountStore, _ filter: ItemFilter, isRead: Bool) async throws
    -> ItemChange
  { try await account.write { try markAll($0, filter, isRead: isRead) } }

  @discardableResult
  public static func markAll(
    _ transaction: borrowing Transaction<AccountScope>, _ filter: ItemFilter, isRead: Bool
  ) throws -> ItemChange {
    guard filter.isRead != isRead else { return ItemChange(ids: [], before: .isRead([])) }
    var others = filter
    others.isRead = !isRead
    return try mark(transaction, ids(transaction, others), isRead: isRead)
  }

  /// Gives items a star, or takes it away.
  @discardableResult
  public static func star(_ account: AccountStore, _ ids: [ItemID], isStarred: Bool) async throws
    -> ItemChange
  { try await account.write { try star($0, ids, isStarred: isStarred) } }

  @discardableResult
  public static func star(
    _ transaction: borrowing Transaction<AccountScope>, _ ids: [ItemID], isStarred: Bool
  ) throws -> ItemChange {
    // What the server never said needn't be said to it either.
    let (ids, before) = try set(\.isStarred, of: ids, transaction) { old in
      old == nil && !isStarred ? nil : isStarred
    }
    return ItemChange(ids: ids, before: .isStarred(before))
  }

  /// Gives items a tag, as their last one.
  ///
  /// - Throws: `ItemError.emptyTag`.
  @discardableResult
  public static func tag(_ account: AccountStore, _ ids: [ItemID], _ tag: String) async throws -> ItemChange {
    try await account.write { try self.tag($0, ids, tag) }
  }

  @discardableResult
  public static func tag(
    _ transaction: borrowing Transaction<AccountScope>, _ ids: [ItemID], _ tag: String
  ) throws -> ItemChange {
    let tag = tag.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    guard !tag.isEmpty else { throw ItemError.emptyTag }
    let (ids, before) = try set(\.tags, of: ids, transaction) { $0.contains(tag) ? $0 : $0 + [tag] }
    return ItemChange(ids: ids, before: .tags(before))
  }

  /// Takes a tag from items, however it is written.
  @discardableResult
  public static func untag(_ account: AccountStore, _ ids: [ItemID], _ tag: String) async throws -> ItemChange
  { try await account.write { try untag($0, ids, tag) } }

  @discardableResult
  public static func untag(
    _ transaction: borrowing Transaction<AccountScope>, _ ids: [ItemID], _ tag: String
  ) throws -> ItemChange {
    let trimmed = tag.trimmingCharacters(in: .whitespacesAndNewlines)
    let (ids, before) = try set(\.tags, of: ids, transaction) { tags in
      tags.filter { $0 != tag && $0 != trimmed }
    }
    return ItemChange(ids: ids, before: .tags(before))
  }

  /// Puts items into a folder.
  ///
  /// - Parameter folder: nil: into none.
  /// - Throws: `ItemError.noFolder`.
  @discardableResult
  public static func move(_ account: AccountStore, _ ids: [ItemID], to folder: FolderID?) async throws
    -> ItemChange
  { try await account.write { try move($0, ids, to: folder) } }

  @discardableResult
  public static func move(
    _ transaction: borrowing Transaction<AccountScope>, _ ids: [ItemID], to folder: FolderID?
  ) throws -> ItemChange {
    if let folder, try transaction.find(Folder.self, folder) == nil { throw ItemError.noFolder(folder) }
    let (ids, before) = try set(\.folder, of: ids, transaction) { _ in folder }
    return ItemChange(ids: ids, before: .folder(before))
  }

  /// Deletes items.
  @discardableResult
  public static func delete(_ account: AccountStore, _ ids: [ItemID]) async throws -> ItemChange {
    try await account.write { try delete($0, ids) }
  }

  @discardableResult
  public static func delete(_ transaction: borrowing Transaction<AccountScope>, _ ids: [ItemID]) throws
    -> ItemChange
  {
    var deleted: [Item] = []
    for id in ids {
      guard let item = try transaction.find(Item.self, id) else { continue }
      try transaction.delete(Item.self, id)
      deleted.append(item)
    }
    return ItemChange(ids: deleted.map(\.id), before: .present(deleted))
  }

  /// Takes a change back, for those of its items that are still there; those that it deleted are there again.
  ///
  /// - Returns: what that changed, so that it can be undone, too.
  @discardableResult
  public static func undo(_ account: AccountStore, _ change: ItemChange) async throws -> ItemChange {
    try await account.write { try undo($0, change) }
  }

  @discardableResult
  public static func undo(_ transaction: borrowing Transaction<AccountScope>, _ change: ItemChange) throws
    -> ItemChange
  {
    switch change.before {
    case .isRead(let values):
      let (ids, before) = try set(\.isRead, of: change.ids, transaction, to: values)
      return ItemChange(ids: ids, before: .isRead(before))
    case .isStarred(let values):
      let (ids, before) = try set(\.isStarred, of: change.ids, transaction, to: values)
      return ItemChange(ids: ids, before: .isStarred(before))
    case .folder(let values):
      let (ids, before) = try set(\.folder, of: change.ids, transaction, to: values)
      return ItemChange(ids: ids, before: .folder(before))
    case .tags(let values):
      let (ids, before) = try set(\.tags, of: change.ids, transaction, to: values)
      return ItemChange(ids: ids, before: .tags(before))
    case .present(let items):
      var restored: [ItemID] = []
      for item in items where try transaction.find(Item.self, item.id) == nil {
        try transaction.insert(item)
        restored.append(item.id)
      }
      return ItemChange(ids: restored, before: .absent)
    case .absent: return try delete(transaction, change.ids)
    }
  }
}

extension ItemDAO {
  /// Gives a property of items a new value.
  ///
  /// - Returns: the items of which that made something else, and the property as it was.
  private static func set<Value>(
    _ property: WritableKeyPath<Item, Value>, of ids: [ItemID],
    _ transaction: borrowing Transaction<AccountScope>, to value: (Value) -> Value
  ) throws -> (ids: [ItemID], before: [Value]) {
    var changed: [ItemID] = []
    var before: [Value] = []
    for id in ids {
      guard var item = try transaction.find(Item.self, id) else { continue }
      let old = item[keyPath: property]
      item[keyPath: property] = value(old)
      guard try transaction.update(item).updated > 0 else { continue }
      changed.append(id)
      before.append(old)
    }
    return (changed, before)
  }

  /// Gives each item a value of its own.
  private static func set<Value>(
    _ property: WritableKeyPath<Item, Value>, of ids: [ItemID],
    _ transaction: borrowing Transaction<AccountScope>, to values: [Value]
  ) throws -> (ids: [ItemID], before: [Value]) {
    var changed: [ItemID] = []
    var before: [Value] = []
    for (id, value) in zip(ids, values) {
      let (ids, old) = try set(property, of: [id], transaction) { _ in value }
      changed += ids
      before += old
    }
    return (changed, before)
  }
}
