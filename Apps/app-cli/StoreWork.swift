import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// What a command that works with a domain's DAO needs around it: a store that is opened and closed.
struct StoreWork {
  let ferry: Ferry
  let store: Store
  let call: Invocation

  static let account = CommandOption.option(
    "account", value: "ACCOUNT", "Whose: user@server, or only the user. The active account if not said.",
    short: "a")

  /// Looks; nothing is made or changed.
  static func looking(
    _ call: Invocation, at domains: Domain..., body: (StoreWork) async throws -> ExitCode
  ) async throws -> ExitCode {
    try await looking(call, at: domains, body: body)
  }

  static func looking(
    _ call: Invocation, at domains: [Domain], body: (StoreWork) async throws -> ExitCode
  ) async throws -> ExitCode {
    let ferry = try ferry(call, domains)
    return try await body(StoreWork(ferry: ferry, store: try ferry.existingStore(), call: call))
  }

  /// Opens the store to write. A person may do so while a sync runs, but not while a crossing does: that shuts the
  /// gate.
  static func changing(
    _ call: Invocation, _ domains: Domain..., body: (StoreWork) async throws -> ExitCode
  ) async throws -> ExitCode {
    try await changing(call, domains, body: body)
  }

  static func changing(
    _ call: Invocation, _ domains: [Domain], body: (StoreWork) async throws -> ExitCode
  ) async throws -> ExitCode {
    let ferry = try ferry(call, domains)
    // A store that isn't there is told as such before anything is made.
    guard try ferry.hasStore() else { throw StoreError.noStore(path: ferry.storePath) }
    try await ferry.updateStore()
    let store = try ferry.openStore()
    return try await store.closing { try await body(StoreWork(ferry: ferry, store: store, call: call)) }
  }

  private static func ferry(_ call: Invocation, _ domains: [Domain]) throws -> Ferry {
    let ferry = try call.ferry()
    for domain in domains { try ferry.requireEnabled(domain) }
    return ferry
  }

  /// The account that is meant, to be changed: not one that is signed out, whose changes would reach no server.
  func accountToChange() throws -> AccountStore {
    let account = try account()
    let known = try store.device.blockingRead { try $0.accounts() }
    guard !known.contains(where: { $0.id == account.id && $0.isSignedOut }) else {
      throw StoreError.signedOut(account.id)
    }
    return account
  }

  /// The account that is meant: the named one, or the active one.
  func account() throws -> AccountStore {
    if let name = call.value("account") { return try ferry.account(named: name, in: store) }
    guard let account = try store.activeAccount() else { throw try ferry.noAccount(in: store) }
    return account
  }
}
