import AttachmentDomain
import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain

/// `app-cli folder`: what can be done with folders, besides looking at their rows.
enum FolderCommands {
  static let all: [Command] = [
    Command(
      "tree", "Show the folders as a tree, with how many items lie in each.", options: [AccountWork.account]
    ) { call in try await tree(call) },
    Command(
      "create", "Make a folder.",
      options: [
        AccountWork.account, .option("into", value: "FOLDER", "In which folder. At the top if not said."),
        .option(
          "type", value: "TYPE", "What it is for.", default: "primary",
          choices: FolderType.known.map(\.rawValue)),
      ],
      arguments: [.required("NAME", "What it is called.")]
    ) { call in try await create(call) },
    Command(
      "rename", "Give a folder another name.", options: [AccountWork.account],
      arguments: [folder, .required("NAME", "What it is called from now on.")]
    ) { call in try await rename(call) },
    Command(
      "move", "Move a folder, with all that lies in it.",
      options: [
        AccountWork.account, .option("into", value: "FOLDER", "Into which folder."),
        .flag("to-top", "Out of every folder."),
        .option("at", value: "N", "As which of the folders there, counted from 1. The last if not said."),
      ],
      arguments: [folder]
    ) { call in try await move(call) },
    Command(
      "delete", "Delete a folder.",
      discussion: "One that holds something is only deleted once it is said what becomes of that.",
      options: [
        AccountWork.account,
        .flag("with-contents", "Delete what lies in it, too, with what is attached to that."),
        .option("move-to", value: "FOLDER", "First move what lies in it into another folder."),
        .flag("move-out", "First move what lies in it out: its folders to the top, its items into none."),
      ],
      arguments: [folder]
    ) { call in try await delete(call) },
  ]

  private static let folder = CommandArgument.required(
    "FOLDER", "Its key, here or in the legacy file, or its name.")

  // MARK: - Looking

  private static func tree(_ call: Invocation) async throws -> ExitCode {
    let hasItems = try call.ferry().isEnabled(.item)
    return try await AccountWork.reading(call, .folder) { account in
      let (tree, counts) = try await account.read { snapshot in
        (try FolderDAO.tree(snapshot), hasItems ? try FolderDAO.counts(snapshot) : nil)
      }
      if call.wantsJSON {
        return try call.answer(
          account, "",
          [
            "folders": .array(tree.branches.map { json($0, tree, counts) }),
            "unfiled": counts.map { .object(json($0.unfiled)) } ?? .null,
          ])
      }
      let numbers: [TextTable.Column] = hasItems ? [.right("Items"), .right("Unread")] : []
      var table = TextTable(["Folder", "Key", "Type"] + numbers)
      for branch in tree.branches {
        let folder = branch.folder
        let name = String(repeating: "  ", count: branch.depth) + truncated(folder.name, to: 60)
        table.add([name, folder.id.rawValue, folder.type.rawValue] + cells(counts?[folder.id]))
      }
      if let unfiled = counts?.unfiled, unfiled.all > 0 {
        table.add(["(in no folder)", "–", "–"] + cells(unfiled))
      }
      try call.print(table)
      if tree.branches.isEmpty { call.note("There are none.") }
      return .ok
    }
  }

  private static func cells(_ count: FolderCounts.Count?) -> [String] {
    count.map { ["\($0.all)", "\($0.unread)"] } ?? []
  }

  private static func json(_ count: FolderCounts.Count) -> JSONObject {
    ["items": .integer(Int64(count.all)), "unread": .integer(Int64(count.unread))]
  }

  private static func json(_ branch: FolderTree.Branch, _ tree: FolderTree, _ counts: FolderCounts?)
    -> JSONValue
  {
    let folder = branch.folder
    var members: JSONObject = [
      "id": .string(folder.id.rawValue), "name": .string(folder.name),
      "type": .string(folder.type.rawValue), "depth": .integer(Int64(branch.depth)),
      "parent": tree.path(to: folder.id).dropLast().last.map { .string($0.id.rawValue) } ?? .null,
    ]
    if let counts {
      for member in json(counts[folder.id]).members { members[member.name] = member.value }
    }
    return .object(members)
  }

  // MARK: - Changing

  private static func create(_ call: Invocation) async throws -> ExitCode {
    let (name, type) = (call.argument("NAME"), FolderType(rawValue: try call.requiredValue("type")))
    let into = call.value("into")
    var random = SystemRandomNumberGenerator()
    let id = FolderID.make(using: &random)
    return try await AccountWork.writing(call, .folder) { account in
      let (folder, json) = try await account.write { transaction in
        let parent = try into.map { try find($0, transaction, account.id).id }
        let folder = try FolderDAO.create(transaction, id, name: name, type: type, in: parent)
        return (folder, try AccountWork.json(folder, transaction))
      }
      return try call.answer(
        account, "Made \"\(folder.name)\" with the key \(id).", ["folder": .object(json)])
    }
  }

  private static func rename(_ call: Invocation) async throws -> ExitCode {
    let name = call.argument("NAME")
    return try await changing(call) { transaction, folder, _ in
      try FolderDAO.rename(transaction, folder.id, to: name)
      return "\"\(folder.name)\" is called \"\(name)\" now."
    }
  }

  private static func move(_ call: Invocation) async throws -> ExitCode {
    let (into, isToTop) = (call.value("into"), call.flag("to-top"))
    try call.checkAtMostOne(of: [("into", into != nil), ("to-top", isToTop)])
    let place = try call.integer("at", in: 1...Int(Int32.max))
    guard into != nil || isToTop || place != nil else {
      throw UsageError("It isn't said where to.", suggestion: "Say --into FOLDER, --to-top or --at N.")
    }
    return try await changing(call) { transaction, folder, account in
      var parent: Folder?
      if let into {
        parent = try find(into, transaction, account)
      } else if !isToTop {
        parent = try FolderDAO.tree(transaction).path(to: folder.id).dropLast().last
      }
      try FolderDAO.move(transaction, folder.id, to: parent?.id, at: place.map { $0 - 1 })
      return "\"\(folder.name)\" lies \(parent.map { "in \"\($0.name)\"" } ?? "at the top") now."
    }
  }

  private static func changing(
    _ call: Invocation,
    _ change: @escaping @Sendable (borrowing Transaction<AccountScope>, Folder, AccountID) throws -> String
  ) async throws -> ExitCode {
    let key = call.argument("FOLDER")
    return try await AccountWork.writing(call, .folder) { account in
      let (sentence, json) = try await account.write { transaction in
        let folder = try find(key, transaction, account.id)
        let sentence = try change(transaction, folder, account.id)
        return (sentence, try AccountWork.json(folder, transaction))
      }
      return try call.answer(account, sentence, ["folder": .object(json)])
    }
  }

  private static func delete(_ call: Invocation) async throws -> ExitCode {
    let (key, target) = (call.argument("FOLDER"), call.value("move-to"))
    let (isWhole, isEmptied) = (call.flag("with-contents"), call.flag("move-out"))
    try call.checkAtMostOne(of: [
      ("with-contents", isWhole), ("move-to", target != nil), ("move-out", isEmptied),
    ])
    let isSaid = isWhole || target != nil || isEmptied
    return try await AccountWork.writing(call, .folder, .item) { account in
      let (folder, deletion, attachments) = try await account.write { transaction in
        let folder = try find(key, transaction, account.id)
        if !isSaid { try requireEmpty(folder, transaction) }
        let into = try target.map { try find($0, transaction, account.id).id }
        let contents: FolderContents = isWhole || !isSaid ? .delete : .move(to: into)
        let deletion = try FolderDAO.delete(transaction, folder.id, contents)
        let items = deletion.items.deleted.map(\.id)
        return (folder, deletion, try AttachmentDAO.remove(transaction, of: items, at: Ferry.now()).count)
      }
      let deleted = deletion.items.deleted.count
      let moved = deletion.items.count - deleted
      var sentence = "Deleted \"\(folder.name)\""
      if deletion.folders.count > 1 {
        sentence += " with \(counted(deletion.folders.count - 1, "folder")) in it"
      }
      if deleted > 0 { sentence += " and \(counted(deleted, "item"))" }
      if attachments > 0 { sentence += " with \(counted(attachments, "attachment"))" }
      sentence += "."
      if moved + deletion.moved.count > 0 {
        sentence += " Moved: \(counted(deletion.moved.count, "folder")) and \(counted(moved, "item"))."
      }
      return try call.answer(
        account, sentence,
        [
          "folders": .array(deletion.folders.map { .string($0.id.rawValue) }),
          "itemsDeleted": .integer(Int64(deleted)),
          "attachmentsDeleted": .integer(Int64(attachments)), "itemsMoved": .integer(Int64(moved)),
          "foldersMoved": .integer(Int64(deletion.moved.count)),
        ])
    }
  }

  private static func requireEmpty(_ folder: Folder, _ transaction: borrowing Transaction<AccountScope>)
    throws
  {
    let folders = try FolderDAO.list(transaction, in: folder.id).count
    let items = try ItemDAO.count(transaction, ItemFilter(in: .folder(folder.id)))
    guard folders + items > 0 else { return }
    throw Failure(
      "\"\(folder.name)\" isn't empty: \(counted(items, "item")) and \(counted(folders, "folder")) lie in it.",
      code: "folder.notEmpty",
      remedy: "Say what becomes of them: --move-to FOLDER, --move-out, or --with-contents to delete them.")
  }

  /// The folder that a person means by a key, or by a name that only one has.
  static func find<Reader: Reading & ~Copyable>(
    _ text: String, _ reader: borrowing Reader, _ account: AccountID
  ) throws -> Folder where Reader.Scope == AccountScope {
    do {
      return try AccountWork.find(Folder.self, text, reader, of: account)
    } catch let failure as Failure {
      let named = try FolderDAO.tree(reader).branches.map(\.folder).filter { $0.name == text }
      guard let folder = named.first else { throw failure }
      guard named.count == 1 else {
        throw Failure(
          "\(named.count) folders of \(account) are called \"\(text)\".", code: "folder.ambiguous",
          remedy: "Name one by its key: \(named.map(\.id.rawValue).joined(separator: ", ")).")
      }
      return folder
    }
  }
}
