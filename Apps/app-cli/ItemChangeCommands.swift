import AttachmentDomain
import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain

/// `app-cli item mark|star|tag|move|delete`: what can be done with items, one or many in one transaction.
enum ItemChangeCommands {
  static let all: [Command] = [
    Command(
      "mark", "Mark items as read or unread.",
      options: [
        AccountWork.account, .flag("read", "As read."), .flag("unread", "As unread."), ItemSelection.all,
      ] + ItemSelection.place + ItemSelection.others,
      arguments: [ItemSelection.keys]
    ) { call in try await mark(call) },
    Command(
      "star", "Give items a star, or take it away.",
      options: [AccountWork.account, .flag("off", "Take it away."), ItemSelection.all]
        + ItemSelection.options,
      arguments: [ItemSelection.keys]
    ) { call in try await star(call) },
    Command(
      "tag", "Give items tags, or take tags from them.",
      options: [
        AccountWork.account, .repeated("add", value: "TAG", "A tag that they get."),
        .repeated("remove", value: "TAG", "A tag that they lose."), ItemSelection.all,
      ] + ItemSelection.options,
      arguments: [ItemSelection.keys]
    ) { call in try await tag(call) },
    Command(
      "move", "Put items into a folder, or out of every one.",
      options: [
        AccountWork.account, .option("to", value: "FOLDER", "Into which folder: its key or its name."),
        .flag("out", "Out of every folder."), ItemSelection.all,
      ] + ItemSelection.options,
      arguments: [ItemSelection.keys]
    ) { call in try await move(call) },
    Command(
      "delete", "Delete items, with what is attached to them.",
      discussion: "With --all but without --yes it says how many, and changes nothing.",
      options: [AccountWork.account, ItemSelection.all, .flag("yes", "With --all: do it.", short: "y")]
        + ItemSelection.options,
      arguments: [ItemSelection.keys]
    ) { call in try await delete(call) },
  ]

  private static func mark(_ call: Invocation) async throws -> ExitCode {
    let (isRead, isUnread) = (call.flag("read"), call.flag("unread"))
    try call.checkAtMostOne(of: [("read", isRead), ("unread", isUnread)])
    guard isRead || isUnread else {
      throw UsageError("It isn't said how to mark them.", suggestion: "Say --read or --unread.")
    }
    // Of all items only those matter that are otherwise.
    let isOther = call.flag("all") ? !isRead : nil
    let selection = try ItemSelection(changing: call, isRead: isOther)
    return try await changing(call, selection, "marked as \(isRead ? "read" : "unread")") {
      transaction, ids, _ in
      try ItemDAO.mark(transaction, ids, isRead: isRead).ids
    }
  }

  private static func star(_ call: Invocation) async throws -> ExitCode {
    let isStarred = !call.flag("off")
    let selection = try ItemSelection(changing: call, isRead: unread(call))
    return try await changing(call, selection, isStarred ? "given a star" : "without a star now") {
      transaction, ids, _ in
      try ItemDAO.star(transaction, ids, isStarred: isStarred).ids
    }
  }

  private static func tag(_ call: Invocation) async throws -> ExitCode {
    let (added, removed) = (call.values("add"), call.values("remove"))
    guard !added.isEmpty || !removed.isEmpty else {
      throw UsageError("It isn't said which tags.", suggestion: "Say --add TAG or --remove TAG.")
    }
    let selection = try ItemSelection(changing: call, isRead: unread(call))
    return try await changing(call, selection, added.isEmpty ? "without the tag now" : "tagged") {
      transaction, ids, _ in
      var changed: Set<ItemID> = []
      for tag in removed { changed.formUnion(try ItemDAO.untag(transaction, ids, tag).ids) }
      for tag in added { changed.formUnion(try ItemDAO.tag(transaction, ids, tag).ids) }
      return ids.filter(changed.contains)
    }
  }

  private static func move(_ call: Invocation) async throws -> ExitCode {
    let (folder, isOut) = (call.value("to"), call.flag("out"))
    try call.checkAtMostOne(of: [("to", folder != nil), ("out", isOut)])
    guard folder != nil || isOut else {
      throw UsageError("It isn't said where to.", suggestion: "Say --to FOLDER or --out.")
    }
    let selection = try ItemSelection(changing: call, isRead: unread(call))
    return try await changing(call, selection, "moved") { transaction, ids, account in
      let target = try folder.map { try FolderCommands.find($0, transaction, account).id }
      return try ItemDAO.move(transaction, ids, to: target).ids
    }
  }

  private static func delete(_ call: Invocation) async throws -> ExitCode {
    let selection = try ItemSelection(changing: call, isRead: unread(call))
    if call.flag("all"), !call.flag("yes") {
      return try await AccountWork.reading(call, .item) { account in
        let count = try await account.read { try selection.ids($0, account.id).count }
        call.note("Nothing was changed. --yes deletes them.")
        return try call.answer(
          account, "Would go: \(counted(count, "item")).",
          ["deleted": false, "count": .integer(Int64(count))])
      }
    }
    return try await AccountWork.writing(call, .item) { account in
      let (count, deletion) = try await account.write { transaction in
        let ids = try selection.ids(transaction, account.id)
        return (ids.count, try ItemDAO.deleteWithAttachments(transaction, ids, at: Ferry.now()))
      }
      let attachments = deletion.attachments.count
      let done = attachments > 0 ? "deleted, with \(counted(attachments, "attachment"))" : "deleted"
      return try answer(
        call, account, deletion.items.ids, of: count, done, ["attachments": .integer(Int64(attachments))])
    }
  }

  private static func unread(_ call: Invocation) -> Bool? { call.flag("unread") ? false : nil }

  /// Changes items, and says how many.
  ///
  /// - Parameter change: gives the items that it changed.
  private static func changing(
    _ call: Invocation, _ selection: ItemSelection, _ done: String,
    _ change:
      @escaping @Sendable (borrowing Transaction<AccountScope>, [ItemID], AccountID) throws -> [ItemID]
  ) async throws -> ExitCode {
    try await AccountWork.writing(call, .item) { account in
      let (count, ids) = try await account.write { transaction in
        let ids = try selection.ids(transaction, account.id)
        return (ids.count, try change(transaction, ids, account.id))
      }
      return try answer(call, account, ids, of: count, done)
    }
  }

  /// Says which items were changed, of how many that were meant.
  private static func answer(
    _ call: Invocation, _ account: AccountStore, _ ids: [ItemID], of count: Int, _ done: String,
    _ more: JSONObject = [:]
  ) throws -> ExitCode {
    var sentence = "\(counted(ids.count, "item")) \(done)."
    if ids.count < count { sentence += " \(counted(count - ids.count, "item")) left as before." }
    var members: JSONObject = [
      "changed": .integer(Int64(ids.count)), "ids": .array(ids.map { .string($0.rawValue) }),
    ]
    for member in more.members { members[member.name] = member.value }
    return try call.answer(account, sentence, members)
  }
}
