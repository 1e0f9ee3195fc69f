import FerryConsole
import FerryKernel
import FerryStore

extension Ferry {
  /// The store, which must be there.
  ///
  /// - Throws: `StoreError.noStore`; `KernelError.archiveAlone` where it was one that has crossed.
  public func existingStore() throws -> Store {
    if let store = try openStoreIfPresent() { return store }
    try archive.checkNotAlone()
    throw StoreError.noStore(path: storePath)
  }

  /// Why there is no account to look at.
  public func noAccount(in store: Store) throws -> Failure {
    guard let first = try store.device.blockingRead({ try $0.accounts() }).first else {
      return Failure(
        "The store has no account yet.", code: "store.noAccount", remedy: "Run `app-cli migrate` first.",
        exitCode: .gateShut)
    }
    return Failure(
      "Every account is signed out.", code: "store.noAccount",
      remedy: "`app-cli account add \(first.id)` signs one in; --account looks at one that is signed out.")
  }

  /// The account that a person means by `user@server` or, where only one server has that user, by `user`.
  ///
  /// - Throws: `UsageError` for a user on several servers or on none.
  public func account(named name: String, in store: Store) throws -> AccountStore {
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
