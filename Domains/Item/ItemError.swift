import FerryStore
import FolderDomain

/// What can't be done with items and drafts.
public enum ItemError: FerryError, Equatable {
  /// Items were to go into a folder that isn't there.
  case noFolder(FolderID)
  /// A tag holds nothing that could be read.
  case emptyTag
  /// The account has no draft with this identifier.
  case noDraft(DraftID)
  /// A draft without a text was to become an item.
  case emptyDraft(DraftID)
  /// What a folder holds was to go into one that goes with it.
  case movedIntoDeleted(FolderID, folder: FolderID)

  public var code: String {
    switch self {
    case .noFolder: "item.noFolder"
    case .emptyTag: "item.emptyTag"
    case .noDraft: "draft.none"
    case .emptyDraft: "draft.empty"
    case .movedIntoDeleted: "item.movedIntoDeleted"
    }
  }

  public var sentence: String {
    switch self {
    case .noFolder(let id): "There is no folder \"\(id)\" to put items into."
    case .emptyTag: "A tag can't be empty."
    case .noDraft(let id): "There is no draft \"\(id)\"."
    case .emptyDraft(let id): "Draft \"\(id)\" has neither a title nor a text."
    case .movedIntoDeleted(let target, let folder):
      "What folder \"\(folder)\" holds can't go into \"\(target)\", which "
        + (target == folder ? "is to be deleted." : "lies in it.")
    }
  }

  public var remedy: String {
    switch self {
    case .noFolder: "Choose one of the account's folders, or none."
    case .emptyTag: "Give it at least one character."
    case .noDraft: "Choose one of the account's drafts; it may have been discarded meanwhile."
    case .emptyDraft: "Write something, or discard it."
    case .movedIntoDeleted: "Choose a folder outside of it, or none."
    }
  }
}
