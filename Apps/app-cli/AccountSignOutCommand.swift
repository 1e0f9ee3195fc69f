import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli account sign-out`: an account that nobody is offered any more, with its rows kept.
enum AccountSignOutCommand {
  static let command = Command(
    "sign-out", "Keep an account's rows, but offer them to nobody and sync them no more.",
    discussion: """
      What was kept of its secret is forgotten. `account add` signs it in again, with every row and every unsent \
      change it had. Its rows can still be looked at by whoever names it with --account.
      """,
    arguments: [AccountCommand.name]
  ) { call in
    let ferry = try call.ferry()
    let (account, unsent, active) = try await ferry.changingStore { store in
      let account = try ferry.account(named: call.argument("ACCOUNT"), in: store)
      try ferry.signOut(account.id, in: store)
      return (account.id, try ferry.unsentChanges(of: account), try store.activeAccount()?.id)
    }
    if call.wantsJSON {
      try call.document([
        "account": .string(account.description), "signedOut": true, "unsent": .integer(Int64(unsent)),
        "active": active.map { .string($0.description) } ?? .null,
      ])
      return .ok
    }
    try call.print(visible("\(account) is signed out."))
    if unsent > 0 { try call.print("\(unsent) changes wait until it is signed in again.") }
    if let active { try call.print(visible("\(active) is the active account.")) }
    return .ok
  }
}
