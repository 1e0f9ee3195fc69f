import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `StoreWork` for what is an account's: the account that is meant, and the records that a command's words name.
enum AccountWork {
  static let account = StoreWork.account

  /// Looks; nothing is made or changed.
  static func reading(
    _ call: Invocation, _ domains: Domain..., body: (AccountStore) async throws -> ExitCode
  ) async throws -> ExitCode {
    try await StoreWork.looking(call, at: domains) { try await body($0.account()) }
  }

  /// Opens the store to write; see `StoreWork`.
  static func writing(
    _ call: Invocation, _ domains: Domain..., body: (AccountStore) async throws -> ExitCode
  ) async throws -> ExitCode {
    try await StoreWork.changing(call, domains) { try await body($0.accountToChange()) }
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
