import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

/// `app-cli quarantine`: rows that couldn't cross, and what becomes of them.
enum QuarantineCommand {
  static let command = Command(
    "quarantine", "Rows that couldn't cross: list, show, count, retry, drop.",
    subcommands: TableCommands.subcommands(QuarantinedRow.table.declaration, of: nil) + [
      Command(
        "retry", "Carry a row over after all.",
        discussion: """
          The kept row is mapped again as this build does, and written in one transaction in which it leaves the \
          quarantine. What the roadmap says of a domain that has crossed is frozen: where the mapping is at fault, \
          `migrate rollback` once the crossing is over, mend it and cross again. A server's record is asked for \
          again by the next sync.
          """,
        arguments: [id]
      ) { call in try await retry(call) },
      Command(
        "drop", "Let a row go for good.",
        discussion: "Without --yes it shows what would go, and changes nothing.",
        options: [.flag("yes", "Do it.", short: "y")], arguments: [id]
      ) { call in try await drop(call) },
    ])

  private static let id = CommandArgument.required("ID", "The row's id, as `quarantine list` shows it.")

  private static func retry(_ call: Invocation) async throws -> ExitCode {
    try await changing(call) { ferry, store in
      let row = try ferry.quarantine(in: store).row(call.argument("ID"))
      let outcome: String
      let sentence: String
      if let name = row.feed {
        try feed(name, in: ferry).pullAnew(store.account(AccountID(row.account)))
        (outcome, sentence) = ("pullAnew", "The next sync asks the server for all of \(name) again.")
      } else if let name = row.unsentFeed {
        let account = try store.account(AccountID(row.account))
        let record = String(row.id.dropFirst("push \(name)/\(row.account)/".count))
        try feed(name, in: ferry).sendAgain(record, of: account)
        (outcome, sentence) = ("sendAgain", "The next sync sends \(record) of \(name) again.")
      } else {
        let retried = try ferry.quarantine(in: store).retry(row.id)
        (outcome, sentence) = (retried.rawValue, "\(row.id) \(words(retried))")
      }
      if call.wantsJSON {
        try call.document(["id": .string(row.id), "outcome": .string(outcome)])
      } else {
        try call.print(visible(sentence))
      }
      return .ok
    }
  }

  private static func words(_ retried: Quarantine.Retried) -> String {
    switch retried {
    case .written: "is written."
    case .merged: "was there already, with the same content."
    case .deleted: "is deleted; the server is to hear of it."
    }
  }

  private static func drop(_ call: Invocation) async throws -> ExitCode {
    guard call.flag("yes") else {
      let ferry = try call.ferry()
      let row = try ferry.quarantine(in: ferry.existingStore()).row(call.argument("ID"))
      return try show(row, isDropped: false, call)
    }
    return try await changing(call) { ferry, store in
      try show(ferry.quarantine(in: store).drop(call.argument("ID")), isDropped: true, call)
    }
  }

  private static func show(_ row: QuarantinedRow, isDropped: Bool, _ call: Invocation) throws -> ExitCode {
    if call.wantsJSON {
      try call.document([
        "id": .string(row.id), "dropped": .bool(isDropped), "domain": .string(row.domain),
        "account": .string(row.account), "entity": .string(row.entity), "reason": .string(row.reason),
        "content": try JSONValue.parse(text: row.content),
      ])
      return .ok
    }
    try call.print(visible("\(isDropped ? "Dropped" : "Would go"): \(row.id)"))
    try call.print(visible("  \(row.reason)"))
    try call.print(visible("  \(row.content)"))
    if !isDropped { call.note("Nothing was changed. --yes lets it go for good.") }
    return .ok
  }

  /// Opens the store to write, as the one process that does.
  private static func changing(_ call: Invocation, _ body: (Ferry, Store) throws -> ExitCode) async throws
    -> ExitCode
  {
    let ferry = try call.ferry()
    return try await ferry.changingStore { try body(ferry, $0) }
  }

  private static func feed(_ name: String, in ferry: Ferry) throws -> Feed {
    let feeds = ferry.plan.enabled.flatMap(\.domain.feeds)
    guard let feed = feeds.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw KernelError.domainDisabled(name)
    }
    return feed
  }
}
