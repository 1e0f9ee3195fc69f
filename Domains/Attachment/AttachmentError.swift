import FerryStore
import ItemDomain

/// What can't be done with an attachment.
public enum AttachmentError: FerryError, Equatable {
  /// The account has no attachment with this identifier.
  case noAttachment(AttachmentID)
  /// The account has no item to attach something to.
  case noItem(ItemID)
  /// There is no file at a path, or it is a folder or a device.
  case notAFile(path: String)
  /// A file without a name.
  case noName
  /// A text that is no media type.
  case badType(String)
  /// The server holds no file for it, and neither does this device.
  case noFile(name: String)
  /// What the server says of its file can't be read.
  case unreadable(name: String, why: String)
  /// The server's file is another one than the attachment speaks of.
  case differs(name: String)
  /// The only copy, which was here, is gone or damaged.
  case lost(name: String, why: String)
  /// A copy is to go where there is something already.
  case exists(path: String)

  public var code: String {
    switch self {
    case .noAttachment: "attachment.none"
    case .noItem: "attachment.noItem"
    case .notAFile: "attachment.notAFile"
    case .noName: "attachment.noName"
    case .badType: "attachment.badType"
    case .noFile: "attachment.noFile"
    case .unreadable: "attachment.unreadable"
    case .differs: "attachment.differs"
    case .lost: "attachment.lost"
    case .exists: "attachment.exists"
    }
  }

  public var sentence: String {
    switch self {
    case .noAttachment(let id): "There is no attachment \"\(id)\"."
    case .noItem(let id): "There is no item \"\(id)\" to attach a file to."
    case .notAFile(let path): "There is no file at \(path)."
    case .noName: "The file has no name."
    case .badType(let text): "\"\(text)\" is no media type."
    case .noFile(let name): "The server holds no file for \"\(name)\", only what is known of it."
    case .unreadable(let name, let why):
      "What the server says of the file of \"\(name)\" makes no sense: \(why)."
    case .differs(let name): "The server's file for \"\(name)\" is another one than its record describes."
    case .lost(let name, let why): "The only copy of \"\(name)\" was here and \(why)."
    case .exists(let path): "There is something at \(path) already."
    }
  }

  public var remedy: String {
    switch self {
    case .noAttachment: "Choose one of the account's attachments."
    case .noItem: "Choose one of the account's items."
    case .notAFile: "Name a file that this user can read."
    case .noName: "Give it one."
    case .badType: "Write it as image/png, or leave it to the name's ending."
    case .noFile: "Whoever attached it has to send it; then sync and open it again."
    case .unreadable, .differs: "Sync and open it again; if that doesn't help, attach the file anew."
    case .lost: "Bring it back from a backup and attach it again."
    case .exists: "Name another place, or move what is there."
    }
  }
}
