import AttachmentDomain
import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain

/// Which items a command is about: options that make a filter, and keys.
struct ItemSelection: Sendable {
  static let place: [CommandOption] = [
    .option("folder", value: "FOLDER", "Only what lies in this folder: its key or its name.", short: "f"),
    .flag("unfiled", "Only what lies in no folder, or in one that is gone."),
  ]
  static let unread = CommandOption.flag("unread", "Only what is unread.", short: "u")
  static let others: [CommandOption] = [
    .flag("starred", "Only what has a star."),
    .repeated("tag", value: "TAG", "Only what has this tag; said twice, both.", short: "t"),
    .flag("attached", "Only what has an attachment."),
  ]
  static let options = place + [unread] + others

  static let all = CommandOption.flag("all", "All that the other options leave, instead of keys.")
  static let keys = CommandArgument.rest("KEY", "The items' keys, here or in the legacy file.")

  private let folder: String?
  private let filter: ItemFilter
  /// nil: all that the filter takes.
  private let keys: [String]?

  /// Of a command that lists.
  init(_ call: Invocation) throws {
    try self.init(call, keys: nil, isRead: call.flag("unread") ? false : nil)
  }

  /// Of a command that changes.
  ///
  /// - Parameter isRead: nil: read and unread.
  init(changing call: Invocation, isRead: Bool? = nil) throws {
    let keys = call.remainingArguments("KEY")
    if keys.isEmpty, !call.flag("all") {
      throw UsageError("It isn't said which items.", suggestion: "Name them by their keys, or say --all.")
    }
    if !keys.isEmpty, call.flag("all") { throw UsageError("Keys and --all can't be said together.") }
    try self.init(call, keys: call.flag("all") ? nil : keys, isRead: isRead)
    guard self.keys != nil else { return }
    if folder != nil || filter.place != .everywhere || filter.isRead != nil || filter.isStarred != nil
      || !filter.tags.isEmpty || call.flag("attached")
    {
      throw UsageError(
        "Keys name the items, so no option can leave some out.", suggestion: "Say --all instead of keys.")
    }
  }

  private init(_ call: Invocation, keys: [String]?, isRead: Bool?) throws {
    try call.checkAtMostOne(of: [("folder", call.value("folder") != nil), ("unfiled", call.flag("unfiled"))])
    let filter = ItemFilter(
      in: call.flag("unfiled") ? .unfiled : .everywhere, isRead: isRead,
      isStarred: call.flag("starred") ? true : nil, tags: call.values("tag"))
    if call.flag("attached") { try call.ferry().requireEnabled(.attachment) }
    self.filter = call.flag("attached") ? filter.withAttachment() : filter
    (folder, self.keys) = (call.value("folder"), keys)
  }

  /// The filter, with its folder found.
  func filter<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ account: AccountID) throws
    -> ItemFilter
  where Reader.Scope == AccountScope {
    guard let folder else { return filter }
    var filter = filter
    filter.place = .folder(try FolderCommands.find(folder, reader, account).id)
    return filter
  }

  /// The items that are named, each of which must be there, or all that the filter takes.
  func ids<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ account: AccountID) throws -> [ItemID]
  where Reader.Scope == AccountScope {
    guard let keys else { return try ItemDAO.ids(reader, filter(reader, account)) }
    var ids: [ItemID] = []
    var seen: Set<ItemID> = []
    for key in keys {
      let id = try AccountWork.find(Item.self, key, reader, of: account).id
      // An item has two keys, and may be named by both.
      if seen.insert(id).inserted { ids.append(id) }
    }
    return ids
  }
}
