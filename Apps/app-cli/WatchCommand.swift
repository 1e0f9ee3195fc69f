import Composition
import FerryConsole
import FerryKernel
import FerryScreen
import FerryStore
import FolderDomain
import ItemDomain

/// `app-cli watch`: a list as it is, and what becomes of it.
enum WatchCommand {
  static let command = Command(
    "watch", "Print a list as a line of JSON, and then a line for each change, whoever makes it.",
    discussion: """
      The first line has all rows in their order. Each one after it is what a commit made of them, with indices as a \
      list view takes them: `removed` counts in the list as it was, `inserted`, and `to` and `at` of what moved and \
      was updated, in the list as it is afterwards. Ends with 130 after SIGINT, 143 after SIGTERM.
      """,
    subcommands: [
      Command(
        "folder", "Watch the folders, each before those that lie in it.", options: [AccountWork.account]
      ) { call in
        try await watch(call, .folder) { snapshot, _ in
          try FolderDAO.tree(snapshot).branches.map { try Row($0.folder.id.rawValue, $0.folder, snapshot) }
        }
      },
      Command(
        "item", "Watch items, the newest first.",
        options: [
          AccountWork.account, .option("limit", value: "N", "Only the newest N.", short: "n"),
        ] + ItemSelection.options
      ) { call in
        let selection = try ItemSelection(call)
        let limit = try call.integer("limit", in: 1...1_000_000) ?? Int(Int32.max)
        return try await watch(call, .item) { snapshot, account in
          let filter = try selection.filter(snapshot, account)
          return try ItemDAO.list(snapshot, filter, limit: limit).map {
            try Row($0.id.rawValue, $0, snapshot)
          }
        }
      },
    ])

  /// A row as `show --json` has it.
  private struct Row: Identifiable, Equatable, Sendable {
    let id: String
    let json: JSONValue

    init<R: Record>(_ id: String, _ record: R, _ snapshot: borrowing Snapshot<R.Scope>) throws {
      self.id = id
      json = .object(try AccountWork.json(record, snapshot))
    }
  }

  private static func watch(
    _ call: Invocation, _ domain: Domain,
    _ rows: @escaping @Sendable (borrowing Snapshot<AccountScope>, AccountID) throws -> [Row]
  ) async throws -> ExitCode {
    try await AccountWork.reading(call, domain) { account in
      // A folder that isn't there is told before anything is printed.
      do {
        try await stoppable {
          try await print(account.observe { try rows($0, account.id) }, of: account.id, domain, call)
        }
      } catch let interruption as Interrupted {
        return ExitCode(rawValue: 128 + interruption.signal)
      }
      return .ok
    }
  }

  private static func print(
    _ lists: Observation<[Row]>, of account: AccountID, _ domain: Domain, _ call: Invocation
  ) async throws {
    var last: ListRows<Row>?
    for try await list in lists {
      let rows = ListRows(list)
      if let last {
        try call.json(JSONValue.object(changes(from: last, to: rows)).text())
      } else {
        try call.document([
          "table": .string(domain.name), "account": .string(account.description),
          "rows": .array(rows.rows.map(\.json)),
        ])
      }
      last = rows
    }
    // An observation ends in silence when its task is cancelled.
    try Task.checkCancellation()
  }

  private static func changes(from before: ListRows<Row>, to after: ListRows<Row>) -> JSONObject {
    let changes = ListChanges(from: before, to: after)
    func number(_ index: Int) -> JSONValue { .integer(Int64(index)) }
    return [
      "removed": .array(changes.removed.map { .object(["at": number($0), "id": .string(before[$0].id)]) }),
      "inserted": .array(changes.inserted.map { .object(["at": number($0), "row": after[$0].json]) }),
      "moved": .array(
        changes.moved.map {
          .object(["from": number($0.from), "to": number($0.to), "id": .string(after[$0.to].id)])
        }),
      "updated": .array(
        changes.updated.map { .object(["at": number($0.after), "row": after[$0.after].json]) }),
    ]
  }
}
