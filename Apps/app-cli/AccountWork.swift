import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// What a command that works with a domain's DAO needs around it: the account that is meant, a store that is opened
/// and closed, and the records that its words name.
enum AccountWork {
  static let account = CommandOption.option(
    "account", value: "ACCOUNT", "Whose: user@server, or only the user. The active account if not said.",
    short: "a")

  /// Looks; nothing is made or changed.
  static func reading(
    _ call: Invocation, _ domains: Domain..., body: (AccountStore) async throws -> ExitCode
  ) async throws -> ExitCode {
    let ferry = try call.ferry()
    for domain in domains { try ferry.requireEnabled(domain) }
    return try await body(account(call, ferry, try ferry.existingStore()))
  }

  /// Opens the store to write. A person may do so while a sync runs, but not while a crossing does: that shuts the
  /// gate.
  static func writing(
    _ call: Invocation, _ domains: Domain..., body: (AccountStore) async throws -> ExitCode
  ) async throws -> ExitCode {
    let ferry = try call.ferry()
    for domain in domains { try ferry.requireEnabled(domain) }
    // A store that isn't there is told as such before anything is made.
    guard try ferry.hasStore() else { throw StoreError.noStore(path: ferry.storePath) }
    try await ferry.updateStore()
    let store = try ferry.openStore()
    do {
      let code = try await body(account(call, ferry, store))
      await store.close()
      return code
    } catch {
      await store.close()
      throw error
    }
  }

  private static func account(_ call: Invocation, _ ferry: Ferry, _ store: Store) throws -> AccountStore {
    if let name = call.value("account") { return try ferry.account(named: name, in: store) }
    guard let account = try store.activeAccount() else {
      throw Failure(
        "The store has no account yet.", code: "store.noAccount", remedy: "Run `app-cli migrate` first.")
    }
    return account
  }

  /// The record that a person means by a key, here or in the legacy file.
  ///
  /// - Throws: `Failure` where there is none.
  static func find<R: Record, Kind, Reader: Reading & ~Copyable>(
    _ type: R.Type, _ key: String, _ reader: borrowing Reader, of account: AccountID
  ) throws -> R where R.Scope == Reader.Scope, R.Key == Identifier<Kind> {
    for candidate in TableCommands.candidates(key) {
      if let id = Identifier<Kind>(candidate), let record = try reader.find(R.self, id) { return record }
    }
    throw Failure(
      "There is no \(R.table.name) with the key \"\(key)\" for \(account).", code: "notFound",
      remedy: "`app-cli \(R.table.name) list` lists the keys.")
  }

  /// A record as `show --json` has it.
  static func json<R: Record, Reader: Reading & ~Copyable>(_ record: R, _ reader: borrowing Reader) throws
    -> JSONObject
  where R.Scope == Reader.Scope {
    let table = R.table.declaration
    let row = try reader.row(of: table, key: .text(R.table.keyText(of: record)))
    return row.map { RowForm.json($0, table) } ?? JSONObject()
  }
}

extension Ferry {
  /// - Throws: `KernelError.domainDisabled`.
  func requireEnabled(_ domain: Domain) throws {
    guard isEnabled(domain) else { throw KernelError.domainDisabled(domain.name) }
  }

  func isEnabled(_ domain: Domain) -> Bool { plan.enabled.contains { $0.domain.name == domain.name } }
}

extension Invocation {
  /// One line for a person, or one document for a script.
  func answer(_ account: AccountStore, _ sentence: String, _ members: JSONObject) throws -> ExitCode {
    guard wantsJSON else {
      try print(visible(sentence))
      return .ok
    }
    var document: JSONObject = ["account": .string(account.id.description)]
    for member in members.members { document[member.name] = member.value }
    try self.document(document)
    return .ok
  }

  /// Refuses options that contradict each other.
  func checkAtMostOne(of options: [(name: String, isSaid: Bool)]) throws {
    let said = options.filter(\.isSaid)
    guard said.count > 1 else { return }
    throw UsageError("--\(said[0].name) and --\(said[1].name) can't be said together.")
  }
}

/// `3 items`, `1 item`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
