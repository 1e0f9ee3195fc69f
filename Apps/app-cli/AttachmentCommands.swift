import AttachmentDomain
import Composition
import FerryConsole
import FerryKernel
import FerryStore
import Foundation
import ItemDomain

/// `app-cli attachment`: what is attached to items, and the files of it.
enum AttachmentCommands {
  /// In the place of the generic ones of the same name, and beside them.
  static let all: [Command] = [
    Command(
      "list", "List attachments with where their files are.",
      options: [
        AccountWork.account,
        .option("item", value: "KEY", "Only those of this item, by file name.", short: "i"),
        .option("limit", value: "N", "At most this many.", short: "n", default: "50"),
        .option("after", value: "KEY", "Begin after the attachment with this key."),
      ]
    ) { call in try await list(call) },
    Command(
      "show", "Show one attachment with all that is known of it and of its file.",
      options: [AccountWork.account], arguments: [key]
    ) { call in try await show(call) },
    Command(
      "add", "Attach a file to an item.",
      discussion: "The file is copied; it isn't needed any more. The next sync sends it.",
      options: [
        AccountWork.account, .option("item", value: "KEY", "The item to attach it to.", short: "i"),
        .option("name", value: "NAME", "What it is called there. Its own name if not said."),
        .option("type", value: "TYPE", "Its media type. Said by its name's ending if not said."),
      ], arguments: [.required("FILE", "The file.")]
    ) { call in try await add(call) },
    Command(
      "open", "Print the path of an attachment's file, which is fetched first where it isn't here.",
      discussion: """
        The file is Ferry's: read it, don't change it. Files that the server holds are deleted again, those that \
        were opened longest ago first, when all of them are more than --budget.
        """,
      options: [AccountWork.account, budget], arguments: [key]
    ) { call in try await open(call) },
    Command(
      "save", "Save a copy of an attachment's file.",
      options: [
        AccountWork.account, budget,
        .option(
          "to", value: "PATH", "A name for the copy, or a folder. Nothing is overwritten.", default: "."),
      ], arguments: [key]
    ) { call in try await save(call) },
    Command(
      "remove", "Delete an attachment, with its file.", options: [AccountWork.account], arguments: [key]
    ) { call in try await remove(call) },
    Command(
      "send", "Send the files that the server doesn't hold.",
      discussion:
        "A sync does so, too, but for those that the server didn't take once: these are sent again.",
      options: [AccountWork.account]
    ) { call in try await send(call) },
    Command(
      "evict", "Delete files that the server holds, those that were opened longest ago first.",
      discussion: "They are fetched again when they are opened. What the server doesn't hold stays.",
      options: [AccountWork.account, budget]
    ) { call in try await evict(call) },
    Command(
      "verify", "Read every file and say which isn't what it was.",
      discussion: "Exits with 3 where a file is missing, damaged or unreadable and wasn't repaired.",
      options: [
        AccountWork.account,
        .flag("repair", "Let those that the server holds be fetched again; mark the others as failed."),
      ]
    ) { call in try await verify(call) },
    Command(
      "orphans", "Find files that no attachment has, and attachments whose file or item is gone.",
      options: [
        AccountWork.account,
        .flag(
          "remove", "Remove the files that no attachment has, and the attachments whose item was deleted."),
      ]
    ) { call in try await orphans(call) },
  ]

  private static let key = CommandArgument.required(
    "KEY", "The attachment's key, here or in the legacy file.")

  private static let budget = CommandOption.option(
    "budget", value: "BYTES", "What an account's files may be together.", short: "b",
    default: "\(AttachmentDAO.defaultBudget)")

  // MARK: - Looking

  private static func list(_ call: Invocation) async throws -> ExitCode {
    let limit = try call.integer("limit", in: 1...1_000_000) ?? 50
    return try await AccountWork.reading(call, .attachment) { account in
      let (item, last) = (call.value("item"), call.value("after"))
      let entries = try await account.read { snapshot in
        try AttachmentDAO.entries(
          snapshot, of: item.map { try self.item($0, snapshot, of: account.id) },
          after: last.map { try AccountWork.find(Attachment.self, $0, snapshot, of: account.id) },
          limit: limit + 1)
      }
      return try show(entries, limit, account, call)
    }
  }

  /// The item that a person means by a key: one that was deleted, too, where something is attached to it still.
  private static func item<Reader: Reading & ~Copyable>(
    _ key: String, _ reader: borrowing Reader, of account: AccountID
  ) throws -> ItemID where Reader.Scope == AccountScope {
    for id in TableCommands.candidates(key).compactMap({ ItemID($0) }) {
      if try reader.find(Item.self, id) == nil, try !AttachmentDAO.list(reader, of: id).isEmpty { return id }
    }
    return try AccountWork.find(Item.self, key, reader, of: account).id
  }

  private static func show(
    _ entries: [AttachmentEntry], _ limit: Int, _ account: AccountStore, _ call: Invocation
  ) throws -> ExitCode {
    let shown = entries.prefix(limit)
    if call.wantsJSON {
      try call.document([
        "table": "attachment", "account": .string(account.id.description),
        "more": .bool(entries.count > limit), "rows": .array(shown.map { .object(json($0)) }),
      ])
      return .ok
    }
    var table = TextTable(["Key", "Name", .right("Bytes"), "Type", "Item", "State"])
    for entry in shown {
      table.add(
        entry.attachment.id.rawValue, truncated(entry.attachment.fileName, to: 60),
        grouped(Int(entry.attachment.byteSize)), truncated(entry.attachment.mimeType, to: 40),
        entry.attachment.item?.rawValue ?? "–",
        entry.state.rawValue + (entry.file?.wasOnServer == false ? ", not sent" : ""))
    }
    try call.print(table)
    if entries.count > limit, let last = shown.last {
      call.note(
        visible("There are more: --limit shows more of them, --after \(last.attachment.id) goes on."))
    } else if entries.isEmpty {
      call.note("There are none.")
    }
    return .ok
  }

  private static func show(_ call: Invocation) async throws -> ExitCode {
    let key = call.argument("KEY")
    return try await AccountWork.reading(call, .attachment) { account in
      let found = try await account.read { try entry(key, $0, of: account.id) }
      return try show(found, account, call)
    }
  }

  private static func show(_ entry: AttachmentEntry, _ account: AccountStore, _ call: Invocation) throws
    -> ExitCode
  {
    if call.wantsJSON {
      var document: JSONObject = [
        "table": "attachment", "account": .string(account.id.description), "row": .object(json(entry)),
        "safeName": .string(entry.attachment.safeFileName),
      ]
      document["file"] = entry.file.map { .object(json($0)) } ?? .null
      try call.document(document)
      return .ok
    }
    var table = TextTable(["Column", "Value"])
    table.add("id", entry.attachment.id.rawValue)
    table.add("item", entry.attachment.item?.rawValue ?? "–")
    table.add("file_name", entry.attachment.fileName)
    if entry.attachment.safeFileName != entry.attachment.fileName {
      table.add("saved as", entry.attachment.safeFileName)
    }
    table.add("byte_size", grouped(Int(entry.attachment.byteSize)))
    table.add("mime_type", entry.attachment.mimeType)
    table.add("checksum", entry.attachment.checksum.flatMap(BlobHash.init)?.rawValue ?? "–")
    table.add("state", entry.state.rawValue)
    if let file = entry.file {
      table.add("on the server", file.wasOnServer ? "yes" : "not yet")
      table.add("used", file.usedAt.description)
      if let reason = file.reason { table.add("why", reason) }
    }
    try call.print(table)
    return .ok
  }

  // MARK: - Keys and handles

  static func budget(_ call: Invocation) throws -> Int64 {
    Int64(try call.integer("budget", in: 0...Int.max) ?? Int(AttachmentDAO.defaultBudget))
  }

  /// The attachment that a person means by a key, with what is here of it.
  static func entry<Reader: Reading & ~Copyable>(
    _ key: String, _ reader: borrowing Reader, of account: AccountID
  )
    throws -> AttachmentEntry
  where Reader.Scope == AccountScope {
    let found = try AccountWork.find(Attachment.self, key, reader, of: account)
    return try AttachmentDAO.entry(reader, found.id) ?? AttachmentEntry(attachment: found, file: nil)
  }

  /// The attachment that a person means by a key.
  static func attachment(_ key: String, _ account: AccountStore) async throws -> Attachment {
    try await account.read { try AccountWork.find(Attachment.self, key, $0, of: account.id) }
  }

  // MARK: - JSON

  static func json(_ entry: AttachmentEntry) -> JSONObject {
    let attachment = entry.attachment
    return [
      "id": .string(attachment.id.rawValue),
      "item": attachment.item.map { .string($0.rawValue) } ?? .null,
      "file_name": .string(attachment.fileName), "byte_size": .integer(attachment.byteSize),
      "mime_type": .string(attachment.mimeType),
      "checksum": attachment.checksum.map { .string($0.base64EncodedString()) } ?? .null,
      "state": .string(entry.state.rawValue), "unsent": .bool(entry.file?.wasOnServer == false),
    ]
  }

  static func json(_ file: AttachmentFile) -> JSONObject {
    [
      "state": .string(file.state.rawValue), "sha256": .string(file.hash.rawValue),
      "byte_size": .integer(file.byteSize), "was_on_server": .bool(file.wasOnServer),
      "used_at": .string(file.usedAt.description), "reason": file.reason.map { .string($0) } ?? .null,
    ]
  }
}
