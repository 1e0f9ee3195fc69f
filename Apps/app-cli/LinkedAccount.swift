import FerryScreen
import FerryStore

extension AccountID {
  /// The account as links name it; nil for a name that no link can have.
  var link: LinkAccount? { LinkAccount(server: server, user: user) }
}

extension Store {
  /// The handle of an account as links name it.
  ///
  /// - Throws: `StoreError.unknownAccount`, `.badAccountName`.
  func account(_ link: LinkAccount) throws -> AccountStore {
    try account(try AccountID(server: link.server, user: link.user))
  }
}
