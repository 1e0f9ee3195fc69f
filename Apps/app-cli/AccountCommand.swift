import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli account`: whose data is in the store, and whose is looked at.
enum AccountCommand {
  static let command = Command(
    "account", "The accounts of the store: list, use, add, sign out, remove.",
    subcommands: [
      Command("list", "List the accounts; a star marks the active one.") { call in try list(call) },
      Command(
        "use", "Make an account the active one. No data moves.",
        arguments: [name]
      ) { call in try await use(call) },
      AccountAddCommand.command, AccountSignOutCommand.command, AccountRemoveCommand.command,
    ])

  static let name = CommandArgument.required("ACCOUNT", "user@server, or only the user where that is clear.")

  private static func list(_ call: Invocation) throws -> ExitCode {
    let accounts = try call.ferry().existingStore().device.blockingRead { try $0.accounts() }
    if call.wantsJSON {
      let list = accounts.map { account in
        JSONValue.object([
          "account": .string(account.id.description), "active": .bool(account.isActive),
          "signedOut": .bool(account.isSignedOut),
        ])
      }
      try call.document(["accounts": .array(list)])
    } else {
      let someAreOut = accounts.contains(where: \.isSignedOut)
      var table = TextTable(["", "Account", "Server", "User"] + (someAreOut ? ["State"] : []))
      for account in accounts {
        table.add(
          [account.isActive ? "*" : "", account.id.description, account.id.server, account.id.user]
            + (someAreOut ? [account.isSignedOut ? "signed out" : "signed in"] : []))
      }
      try call.print(table)
    }
    return .ok
  }

  private static func use(_ call: Invocation) async throws -> ExitCode {
    let ferry = try call.ferry()
    try await ferry.updateStore()
    let account = try ferry.account(named: call.argument("ACCOUNT"), in: ferry.existingStore())
    let store = try ferry.openStore()
    // The one write of a tool that is open to a crossing's other half: which account is looked at is no data.
    try await store.closing {
      try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) {
        try $0.activate(account.id)
      }
    }
    if call.wantsJSON {
      try call.document(["account": .string(account.id.description), "active": true])
    } else {
      try call.print(visible("\(account.id) is the active account."))
    }
    return .ok
  }
}
