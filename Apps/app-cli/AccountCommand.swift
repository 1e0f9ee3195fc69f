import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli account`: whose data is in the store, and whose is looked at.
enum AccountCommand {
  static let command = Command(
    "account", "List the accounts of the store, or choose the one to look at.",
    subcommands: [
      Command("list", "List the accounts; a star marks the active one.") { call in try list(call) },
      Command(
        "use", "Make an account the active one. No data moves.",
        arguments: [.required("ACCOUNT", "user@server, or only the user where that is clear.")]
      ) { call in try await use(call) },
    ])

  private static func list(_ call: Invocation) throws -> ExitCode {
    let accounts = try call.ferry().existingStore().device.blockingRead { try $0.accounts() }
    if call.wantsJSON {
      let list = accounts.map { account in
        JSONValue.object(["account": .string(account.id.description), "active": .bool(account.isActive)])
      }
      try call.document(["accounts": .array(list)])
    } else {
      var table = TextTable(["", "Account", "Server", "User"])
      for account in accounts {
        table.add(account.isActive ? "*" : "", account.id.description, account.id.server, account.id.user)
      }
      try call.print(table)
    }
    return .ok
  }

  private static func use(_ call: Invocation) async throws -> ExitCode {
    let ferry = try call.ferry()
    let account = try ferry.account(named: call.argument("ACCOUNT"), in: ferry.existingStore())
    // The one write of a tool that is open to a crossing's other half: which account is looked at is no data.
    try await ferry.openStore().device.write(origin: .crossing, durability: .powerLoss) {
      try $0.activate(account.id)
    }
    if call.wantsJSON {
      try call.document(["account": .string(account.id.description), "active": true])
    } else {
      try call.print(visible("\(account.id) is the active account."))
    }
    return .ok
  }
}

extension Ferry {
  /// The store, which must be there.
  ///
  /// - Throws: `StoreError.noStore`.
  func existingStore() throws -> Store {
    guard let store = try openStoreIfPresent() else { throw StoreError.noStore(path: storePath) }
    return store
  }

  /// The account that a person means by `user@server` or, where only one server has that user, by `user`.
  ///
  /// - Throws: `UsageError` for a user on several servers or on none.
  func account(named name: String, in store: Store) throws -> AccountStore {
    let accounts = try store.device.blockingRead { try $0.accounts() }.map(\.id)
    let matches = accounts.filter {
      $0.description.utf8.elementsEqual(name.utf8) || $0.user.utf8.elementsEqual(name.utf8)
    }
    if let exact = matches.first(where: { $0.description.utf8.elementsEqual(name.utf8) }) {
      return try store.account(exact)
    }
    let known = accounts.map(\.description).joined(separator: ", ")
    guard let account = matches.first else {
      throw Failure(
        "The store has no account \"\(name)\".", code: "store.unknownAccount",
        remedy: known.isEmpty ? "Run `app-cli migrate` first." : "It has \(known).")
    }
    guard matches.count == 1 else {
      throw Failure(
        "\"\(name)\" is a user on several servers.", code: "store.ambiguousAccount",
        remedy: "Say which: \(matches.map(\.description).joined(separator: ", ")).")
    }
    return try store.account(account)
  }
}
