import FerryStore
import FolderDomain
import Foundation

/// The way in to an account's drafts. Whatever is written survives a power failure once the call returns: nobody
/// else has it.
public enum DraftDAO {
  /// Drafts, the one worked on last first.
  ///
  /// - Parameters:
  ///   - last: the last draft of the page before; nil: from the first on. It needn't be there any more.
  ///   - limit: how many at most; nil: every one.
  public static func list(_ account: AccountStore, after last: Draft? = nil, limit: Int? = nil) async throws
    -> [Draft]
  { try await account.read { try list($0, after: last, limit: limit) } }

  public static func list<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, after last: Draft? = nil, limit: Int? = nil
  ) throws -> [Draft] where Reader.Scope == AccountScope {
    var query = Draft.all.order { $0.updatedAt.descending }
    if let last { query = query.after(last) }
    return try reader.fetch(limit.map { query.limit($0) } ?? query)
  }

  /// The same, now and whenever they are others.
  public static func observe(_ account: AccountStore, after last: Draft? = nil, limit: Int? = nil)
    -> Observation<[Draft]>
  { account.observe { try list($0, after: last, limit: limit) } }

  /// The draft with this identifier; nil where the account has none.
  public static func find(_ account: AccountStore, _ id: DraftID) async throws -> Draft? {
    try await account.read { try find($0, id) }
  }

  public static func find<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ id: DraftID) throws
    -> Draft?
  where Reader.Scope == AccountScope { try reader.find(Draft.self, id) }

  /// Begins a draft.
  ///
  /// - Parameter item: the one that it is an edit of, or an answer to.
  /// - Throws: `StoreError.duplicateKey`.
  @discardableResult
  public static func create(
    _ account: AccountStore, _ id: DraftID, about item: ItemID? = nil, title: String = "", body: String = "",
    at now: Timestamp
  ) async throws -> Draft {
    try await account.write(durability: .powerLoss) {
      try create($0, id, about: item, title: title, body: body, at: now)
    }
  }

  @discardableResult
  public static func create(
    _ transaction: borrowing Transaction<AccountScope>, _ id: DraftID, about item: ItemID? = nil,
    title: String = "", body: String = "", at now: Timestamp
  ) throws -> Draft {
    let draft = Draft(id: id, item: item, title: title, body: body, createdAt: now, updatedAt: now)
    try transaction.insert(draft)
    return draft
  }

  /// Writes a draft over itself, as an autosave does. The same text again changes nothing, not even the time.
  ///
  /// - Throws: `ItemError.noDraft`: one that is late doesn't bring back what was discarded.
  @discardableResult
  public static func write(
    _ account: AccountStore, _ id: DraftID, title: String, body: String, at now: Timestamp
  ) async throws -> Draft {
    try await account.write(durability: .powerLoss) {
      try write($0, id, title: title, body: body, at: now)
    }
  }

  @discardableResult
  public static func write(
    _ transaction: borrowing Transaction<AccountScope>, _ id: DraftID, title: String, body: String,
    at now: Timestamp
  ) throws -> Draft {
    guard let old = try transaction.find(Draft.self, id) else { throw ItemError.noDraft(id) }
    var draft = old
    (draft.title, draft.body) = (title, body)
    guard draft != old else { return old }
    draft.updatedAt = now
    try transaction.update(draft)
    return draft
  }

  /// Puts a draft there as it is, over itself where it exists: one that was discarded, for instance.
  public static func save(_ account: AccountStore, _ draft: Draft) async throws {
    try await account.write(durability: .powerLoss) { try save($0, draft) }
  }

  public static func save(_ transaction: borrowing Transaction<AccountScope>, _ draft: Draft) throws {
    try transaction.upsert(draft)
  }

  /// Throws a draft away.
  ///
  /// - Returns: the draft, for `save` if it was a mistake; nil where there was none.
  @discardableResult
  public static func discard(_ account: AccountStore, _ id: DraftID) async throws -> Draft? {
    try await account.write(durability: .powerLoss) { try discard($0, id) }
  }

  @discardableResult
  public static func discard(_ transaction: borrowing Transaction<AccountScope>, _ id: DraftID) throws
    -> Draft?
  {
    let draft = try transaction.find(Draft.self, id)
    if draft != nil { try transaction.delete(Draft.self, id) }
    return draft
  }

  /// Makes a draft an item of its own, which has the draft's whole text; the draft is gone. An item that the draft
  /// is about stays as it is.
  ///
  /// - Parameters:
  ///   - item: the identifier of the new item.
  ///   - folder: nil: unfiled.
  /// - Throws: `ItemError.noDraft`, `.emptyDraft`, `.noFolder`; `StoreError.duplicateKey`.
  @discardableResult
  public static func promote(
    _ account: AccountStore, _ id: DraftID, to item: ItemID, in folder: FolderID?, at now: Timestamp
  ) async throws -> Item {
    try await account.write(durability: .powerLoss) { try promote($0, id, to: item, in: folder, at: now) }
  }

  @discardableResult
  public static func promote(
    _ transaction: borrowing Transaction<AccountScope>, _ id: DraftID, to item: ItemID, in folder: FolderID?,
    at now: Timestamp
  ) throws -> Item {
    guard let draft = try transaction.find(Draft.self, id) else { throw ItemError.noDraft(id) }
    if let folder, try transaction.find(Folder.self, folder) == nil { throw ItemError.noFolder(folder) }
    let lines = [draft.title] + draft.body.split(whereSeparator: \.isNewline).map(String.init)
    let title = lines.lazy.map { $0.trimmingCharacters(in: .whitespaces) }.first { !$0.isEmpty }
    guard let title else { throw ItemError.emptyDraft(id) }
    let new = Item(
      id: item, remoteID: nil, folder: folder, title: title, preview: draft.body.isEmpty ? nil : draft.body,
      isRead: true, isStarred: nil, updatedAt: now, score: nil, tags: [])
    try transaction.insert(new)
    try transaction.delete(Draft.self, id)
    return new
  }
}
