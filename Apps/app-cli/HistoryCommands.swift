import Composition
import FerryConsole
import FerryKernel
import FerryStore
import SearchHistoryDomain

/// `app-cli history`: what a person searched for, as the search field of an app uses it.
enum HistoryCommands {
  static let command = Command(
    "history", "What was searched for: record, recent, suggest, remove, clear.",
    subcommands: [
      Command(
        "record", "Write down a search; one that was made before moves up.",
        options: [
          AccountWork.account,
          .option(
            "bound", value: "N", "Keep at most this many, the oldest going.",
            default: "\(SearchHistoryDAO.bound)"),
        ],
        arguments: [text]
      ) { call in try await record(call) },
      Command(
        "recent", "List the latest searches, newest first.", options: [AccountWork.account, limit("20")]
      ) { call in
        try await list(call) { try await SearchHistoryDAO.recent($0, limit: $1) }
      },
      Command(
        "suggest", "List the searches that begin as a person has begun to type, newest first.",
        options: [AccountWork.account, limit("10")],
        arguments: [.required("TEXT", "What has been typed so far; its case doesn't count.")]
      ) { call in
        let text = call.argument("TEXT")
        return try await list(call) { try await SearchHistoryDAO.suggestions($0, for: text, limit: $1) }
      },
      Command(
        "remove", "Forget a search, however it was typed.", options: [AccountWork.account], arguments: [text]
      ) {
        call in try await remove(call)
      },
      Command("clear", "Forget every search of the account.", options: [AccountWork.account]) { call in
        try await clear(call)
      },
    ])

  private static let text = CommandArgument.required("TEXT", "What was searched for.")

  private static func limit(_ count: String) -> CommandOption {
    .option("limit", value: "N", "At most this many.", short: "n", default: count)
  }

  private static func record(_ call: Invocation) async throws -> ExitCode {
    let bound = try call.integer("bound", in: 1...1_000_000) ?? SearchHistoryDAO.bound
    let text = call.argument("TEXT")
    return try await AccountWork.writing(call, .searchHistory) { account in
      try await SearchHistoryDAO.record(account, text, at: Ferry.now(), bound: bound)
      return try call.answer(account, "\(account.id) searched for \"\(text)\".", ["text": .string(text)])
    }
  }

  private static func list(
    _ call: Invocation, _ fetch: (AccountStore, Int) async throws -> [SearchEntry]
  ) async throws -> ExitCode {
    let limit = try call.integer("limit", in: 1...1_000_000) ?? 20
    return try await AccountWork.reading(call, .searchHistory) { account in
      let entries = try await fetch(account, limit)
      if call.wantsJSON {
        let list = entries.map { entry in
          JSONValue.object([
            "text": .string(entry.text), "searchedAt": .string(entry.searchedAt.description),
          ])
        }
        return try call.answer(account, "", ["searches": .array(list)])
      }
      var table = TextTable(["Searched at", "Search"])
      for entry in entries { table.add(entry.searchedAt.description, truncated(entry.text, to: 80)) }
      try call.print(table)
      if entries.isEmpty { call.note("There are none.") }
      return .ok
    }
  }

  private static func remove(_ call: Invocation) async throws -> ExitCode {
    let text = call.argument("TEXT")
    return try await AccountWork.writing(call, .searchHistory) { account in
      guard try await SearchHistoryDAO.remove(account, text) else {
        throw Failure(
          "\(account.id) never searched for \"\(text)\".", code: "notFound",
          remedy: "`app-cli history recent` lists the searches.")
      }
      return try call.answer(account, "Forgotten: \"\(text)\".", ["text": .string(text)])
    }
  }

  private static func clear(_ call: Invocation) async throws -> ExitCode {
    try await AccountWork.writing(call, .searchHistory) { account in
      let count = try await SearchHistoryDAO.clear(account)
      return try call.answer(
        account, "\(account.id) has forgotten \(count == 1 ? "1 search" : "\(count) searches").",
        ["forgotten": .integer(Int64(count))])
    }
  }
}
