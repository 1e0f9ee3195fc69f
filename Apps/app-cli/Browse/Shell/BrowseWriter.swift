import AttachmentDomain
import FerryStore
import FolderDomain
import ItemDomain

/// Makes a person's changes, one after the other, and keeps how each is undone.
@MainActor final class BrowseWriter {
  /// A change that was made.
  private struct Done {
    /// `the move`, `the star`.
    let name: String
    let undo: @Sendable () async throws -> Void
  }

  private var done: [Done] = []
  private let makeDraftID: @Sendable () -> DraftID
  private let now: @Sendable () -> Timestamp

  init(makeDraftID: @escaping @Sendable () -> DraftID, now: @escaping @Sendable () -> Timestamp) {
    (self.makeDraftID, self.now) = (makeDraftID, now)
  }

  var undoable: Int { done.count }

  /// Another account's changes aren't undone from here.
  func forget() { done = [] }

  /// - Returns: what to tell, if anything.
  func make(_ edit: ItemEdit, in account: AccountStore) async throws -> String? {
    let (done, name): (String, String)
    let change: ItemChange
    switch edit {
    case .open(let id):
      _ = try await ItemDAO.mark(account, [id], isRead: true)
      return nil
    case .mark(let ids, let isRead):
      change = try await ItemDAO.mark(account, ids, isRead: isRead)
      (done, name) = (isRead ? "read" : "unread", "the mark")
    case .star(let ids, let isStarred):
      change = try await ItemDAO.star(account, ids, isStarred: isStarred)
      (done, name) = (isStarred ? "starred" : "without a star", "the star")
    case .move(let ids, let folder):
      change = try await ItemDAO.move(account, ids, to: folder)
      (done, name) = ("moved", "the move")
    case .delete(let ids):
      let deletion = try await ItemDAO.deleteWithAttachments(account, ids, at: now())
      return told(deletion.items, "deleted", "the deletion") {
        try await ItemDAO.restore(account, deletion)
      }
    }
    return told(change, done, name) { _ = try await ItemDAO.undo(account, change) }
  }

  /// Keeps how a change is undone, and says what was done.
  private func told(
    _ change: ItemChange, _ done: String, _ name: String, undo: @escaping @Sendable () async throws -> Void
  ) -> String {
    guard !change.isEmpty else { return "There was nothing to change." }
    keep(name, undo: undo)
    return "\(change.count == 1 ? "It is" : "\(change.count) items are") \(done). u undoes it."
  }

  func save(_ draft: DraftText, in account: AccountStore) async throws -> String {
    if let id = draft.id {
      do {
        try await DraftDAO.write(account, id, title: draft.title, body: draft.body, at: now())
        return "The draft is saved."
      } catch ItemError.noDraft {}
    }
    try await DraftDAO.create(
      account, makeDraftID(), about: draft.item, title: draft.title, body: draft.body, at: now())
    return draft.id == nil
      ? "The draft is saved." : "It was discarded meanwhile: what you wrote is a new draft."
  }

  func discard(_ id: DraftID, in account: AccountStore) async throws -> String {
    guard let draft = try await DraftDAO.discard(account, id) else { return "The draft is gone already." }
    keep("the discarded draft") { try await DraftDAO.save(account, draft) }
    return "The draft is discarded. u undoes it."
  }

  /// Undoes what was done last. What the store couldn't write can be undone later.
  func undo() async throws -> String {
    guard let last = done.popLast() else { return "There is nothing to undo." }
    do {
      try await last.undo()
    } catch let error as StoreError {
      done.append(last)
      throw error
    }
    return "Undone: \(last.name)."
  }

  private func keep(_ name: String, undo: @escaping @Sendable () async throws -> Void) {
    done.append(Done(name: name, undo: undo))
    if done.count > 100 { done.removeFirst() }
  }
}
