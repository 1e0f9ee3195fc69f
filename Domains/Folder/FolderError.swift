import FerryStore

/// What can't be done with folders.
public enum FolderError: FerryError, Equatable {
  /// The account has no folder with this identifier.
  case noFolder(FolderID)
  /// A name holds nothing that could be read.
  case emptyName
  /// A folder was to go into itself, or into one that lies in it.
  case intoItself(FolderID, into: FolderID)
  /// An order names a folder that doesn't lie there, or names one twice.
  case notThere(FolderID, in: FolderID?)

  public var code: String {
    switch self {
    case .noFolder: "folder.none"
    case .emptyName: "folder.emptyName"
    case .intoItself: "folder.intoItself"
    case .notThere: "folder.notThere"
    }
  }

  public var sentence: String {
    switch self {
    case .noFolder(let id): "There is no folder \"\(id)\"."
    case .emptyName: "A folder's name can't be empty."
    case .intoItself(let id, let target) where id == target: "Folder \"\(id)\" can't lie in itself."
    case .intoItself(let id, let target):
      "Folder \"\(id)\" can't go into \"\(target)\", which lies in it."
    case .notThere(let id, let parent):
      "The order can't name \"\(id)\" there: it doesn't lie "
        + (parent.map { "in \"\($0)\"" } ?? "at the top") + ", or is named twice."
    }
  }

  public var remedy: String {
    switch self {
    case .noFolder: "Choose one of the account's folders."
    case .emptyName: "Give it a name with at least one character."
    case .intoItself: "Choose a folder that doesn't lie in it, or the top."
    case .notThere: "Name each folder that lies there once."
    }
  }
}
