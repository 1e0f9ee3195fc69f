import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli account remove`: an account and all that is kept of it, for good.
enum AccountRemoveCommand {
  static let command = Command(
    "remove", "Remove an account and everything of it from this device, for good.",
    discussion: """
      Rows, the search index, what waits to be sent, conflicts, rows in quarantine, lines of the log, files of \
      attachments and what was kept of its secret; the server keeps what it has. Where there is something that no \
      server has, it says what and does nothing until exactly that much is given up with --discard. Killed on the \
      way, the next command that changes the store goes on. Its legacy file, with what of it hasn't crossed yet, and \
      the crossing's backups stay until `migrate cleanup --yes`; take the account out of ferry.yaml yourself.
      """,
    options: [.option("discard", value: "N", "Give up the N changes and rows that no server has.")],
    arguments: [AccountCommand.name]
  ) { call in
    let ferry = try call.ferry()
    let discarding = try call.integer("discard", in: 0...Int.max) ?? 0
    let (account, active) = try await ferry.changingStore { store in
      let account = try ferry.account(named: call.argument("ACCOUNT"), in: store)
      try ferry.remove(account, in: store, discarding: discarding)
      return (account.id, try store.activeAccount()?.id)
    }
    let isConfigured = ferry.source.accounts.contains(account)
    if call.wantsJSON {
      try call.document([
        "account": .string(account.description), "removed": true, "discarded": .integer(Int64(discarding)),
        "active": active.map { .string($0.description) } ?? .null, "configured": .bool(isConfigured),
      ])
      return .ok
    }
    try call.print(visible("\(account) is removed from this device."))
    if let active { try call.print(visible("\(active) is the active account.")) }
    if isConfigured {
      call.note(
        visible(
          "ferry.yaml still names its legacy file, which goes with `app-cli migrate cleanup --yes`."))
    }
    return .ok
  }
}
