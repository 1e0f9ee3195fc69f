import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain

/// `app-cli draft`: what can be done with drafts, besides looking at one.
enum DraftCommands {
  static let all: [Command] = [
    Command(
      "list", "List drafts, the one worked on last first.",
      options: [
        AccountWork.account,
        .option("limit", value: "N", "At most this many drafts.", short: "n", default: "50"),
        .option("after", value: "KEY", "Begin after the draft with this key."),
      ]
    ) { call in try await list(call) },
    Command(
      "new", "Begin a draft.",
      options: [
        AccountWork.account,
        .option("about", value: "ITEM", "The item that it is an edit of, or an answer to."),
      ] + text
    ) { call in try await new(call) },
    Command(
      "write", "Write a draft over itself. What isn't said stays as it is.",
      options: [AccountWork.account] + text, arguments: [draft]
    ) { call in try await write(call) },
    Command(
      "discard", "Throw a draft away.", options: [AccountWork.account], arguments: [draft]
    ) { call in try await discard(call) },
    Command(
      "promote", "Make a draft an item of its own, and the draft is gone.",
      options: [
        AccountWork.account,
        .option(
          "folder", value: "FOLDER", "Into which folder. Into that of the item it is about if not said.",
          short: "f"),
        .flag("unfiled", "Into no folder."),
      ],
      arguments: [draft]
    ) { call in try await promote(call) },
  ]

  private static let draft = CommandArgument.required("KEY", "The draft's key, here or in the legacy file.")
  private static let text: [CommandOption] = [
    .option("title", value: "TEXT", "Its title."),
    .option("body", value: "TEXT", "Its text; - reads it from standard input."),
  ]

  private static func list(_ call: Invocation) async throws -> ExitCode {
    let limit = try call.integer("limit", in: 1...1_000_000) ?? 50
    let after = call.value("after")
    return try await AccountWork.reading(call, .item) { account in
      let (drafts, rows) = try await account.read { snapshot in
        let last = try after.map { try AccountWork.find(Draft.self, $0, snapshot, of: account.id) }
        // One more than asked for tells whether there is more.
        let drafts = try DraftDAO.list(snapshot, after: last, limit: limit + 1)
        var rows: [JSONValue] = []
        for draft in drafts.prefix(limit) { rows.append(.object(try AccountWork.json(draft, snapshot))) }
        return (drafts, rows)
      }
      let isMore = drafts.count > limit
      if call.wantsJSON {
        return try call.answer(
          account, "", ["table": .string(Draft.table.name), "more": .bool(isMore), "rows": .array(rows)])
      }
      var table = TextTable(["Key", "Time", "Title", "Text", "About"])
      for draft in drafts.prefix(limit) {
        table.add(
          draft.id.rawValue, draft.updatedAt.description, truncated(draft.title, to: 40),
          truncated(draft.body, to: 60), draft.item?.rawValue ?? "–")
      }
      try call.print(table)
      if isMore {
        call.note(
          visible("There are more: --limit shows more of them, --after \(drafts[limit - 1].id) goes on."))
      }
      if drafts.isEmpty { call.note("There are none.") }
      return .ok
    }
  }

  private static func new(_ call: Invocation) async throws -> ExitCode {
    let (title, body, about) = (call.value("title") ?? "", try body(call) ?? "", call.value("about"))
    var random = SystemRandomNumberGenerator()
    let id = DraftID.make(using: &random)
    return try await AccountWork.writing(call, .item) { account in
      let json = try await account.write(durability: .powerLoss) { transaction in
        let item = try about.map { try AccountWork.find(Item.self, $0, transaction, of: account.id).id }
        let draft = try DraftDAO.create(
          transaction, id, about: item, title: title, body: body, at: Ferry.now())
        return try AccountWork.json(draft, transaction)
      }
      return try call.answer(account, "Began draft \(id).", ["draft": .object(json)])
    }
  }

  private static func write(_ call: Invocation) async throws -> ExitCode {
    let (key, title, body) = (call.argument("KEY"), call.value("title"), try body(call))
    guard title != nil || body != nil else {
      throw UsageError("There is nothing to write.", suggestion: "Say --title TEXT or --body TEXT.")
    }
    return try await AccountWork.writing(call, .item) { account in
      let (draft, json) = try await account.write(durability: .powerLoss) { transaction in
        let old = try AccountWork.find(Draft.self, key, transaction, of: account.id)
        let draft = try DraftDAO.write(
          transaction, old.id, title: title ?? old.title, body: body ?? old.body, at: Ferry.now())
        return (draft, try AccountWork.json(draft, transaction))
      }
      return try call.answer(account, "Wrote draft \(draft.id).", ["draft": .object(json)])
    }
  }

  private static func discard(_ call: Invocation) async throws -> ExitCode {
    let key = call.argument("KEY")
    return try await AccountWork.writing(call, .item) { account in
      let (draft, json) = try await account.write(durability: .powerLoss) { transaction in
        let draft = try AccountWork.find(Draft.self, key, transaction, of: account.id)
        let json = try AccountWork.json(draft, transaction)
        try DraftDAO.discard(transaction, draft.id)
        return (draft, json)
      }
      return try call.answer(account, "Discarded draft \(draft.id).", ["draft": .object(json)])
    }
  }

  private static func promote(_ call: Invocation) async throws -> ExitCode {
    let (key, folder, isUnfiled) = (call.argument("KEY"), call.value("folder"), call.flag("unfiled"))
    try call.checkAtMostOne(of: [("folder", folder != nil), ("unfiled", isUnfiled)])
    var random = SystemRandomNumberGenerator()
    let id = ItemID.make(using: &random)
    return try await AccountWork.writing(call, .item) { account in
      let (title, json) = try await account.write(durability: .powerLoss) { transaction in
        let draft = try AccountWork.find(Draft.self, key, transaction, of: account.id)
        var target: FolderID?
        if let folder {
          target = try FolderCommands.find(folder, transaction, account.id).id
        } else if !isUnfiled, let item = draft.item, let its = try ItemDAO.find(transaction, item)?.folder {
          // Its folder may be gone; then so it be with the new one, which lies in none.
          target = try FolderDAO.find(transaction, its)?.id
        }
        let item = try DraftDAO.promote(transaction, draft.id, to: id, in: target, at: Ferry.now())
        return (item.title, try AccountWork.json(item, transaction))
      }
      return try call.answer(
        account, "\"\(title)\" is an item now, with the key \(id).", ["item": .object(json)])
    }
  }

  /// The text that is said, or what standard input holds.
  private static func body(_ call: Invocation) throws -> String? {
    guard let body = call.value("body"), body == "-" else { return call.value("body") }
    let data = try FileHandle.standardInput.readToEnd() ?? Data()
    guard let text = String(data: data, encoding: .utf8) else {
      throw Failure(
        "What standard input holds isn't UTF-8.", code: "draft.notText",
        remedy: "Convert it, for instance by iconv.",
        exitCode: .usage)
    }
    return text
  }
}
