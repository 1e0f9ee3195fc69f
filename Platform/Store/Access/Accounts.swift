/// An account as the store knows it.
public struct Account: Sendable, Equatable {
  /// Its name.
  public let id: AccountID
  /// Whether it is the one that a person looks at. At most one is.
  public let isActive: Bool
  /// Whether its rows are kept while nobody is offered them and no server is asked for them.
  public let isSignedOut: Bool

  init(id: AccountID, isActive: Bool, isSignedOut: Bool = false) {
    (self.id, self.isActive, self.isSignedOut) = (id, isActive, isSignedOut)
  }
}

enum Accounts {
  static let schema = SchemaObject(
    name: "store_account",
    sql: """
      CREATE TABLE "store_account" ("key" INTEGER PRIMARY KEY, "server" TEXT NOT NULL, "user" TEXT NOT NULL, \
      "is_active" INTEGER NOT NULL DEFAULT 0 CHECK ("is_active" IN (0, 1)), UNIQUE ("server", "user")) STRICT
      """)

  /// The key of an account; nil where the store doesn't have it, or is about to lose it.
  static func key(of account: AccountID, on connection: Connection) throws -> Int64? {
    try connection.integer(
      """
      SELECT key FROM store_account WHERE server = ? AND user = ?
      AND NOT EXISTS (SELECT 1 FROM store_account_life l WHERE l.key = store_account.key AND l.state = 'removing')
      """
    ) { binder in
      try binder.bind(account.server, 1)
      try binder.bind(account.user, 2)
    }
  }
}

extension Reading where Self: ~Copyable, Scope == DeviceScope {
  /// Every account of the store, in the order in which they came: also those that are signed out, not one that
  /// is being removed.
  public func accounts() throws -> [Account] {
    var accounts: [Account] = []
    try access.session.connection.run(
      """
      SELECT a.server, a.user, a.is_active, l.state IS NOT NULL FROM store_account a
      LEFT JOIN store_account_life l ON l.key = a.key WHERE l.state IS NOT 'removing' ORDER BY a.key
      """
    ) { _ in
    } row: { row in
      let id = try AccountID(server: try row.text(0), user: try row.text(1))
      accounts.append(
        Account(id: id, isActive: try row.integer(2) == 1, isSignedOut: try row.integer(3) == 1))
      return true
    }
    return accounts
  }
}

extension Transaction where Scope == DeviceScope {
  /// Makes `account` the active one. No row of any account moves (traps M3).
  ///
  /// - Throws: `StoreError.unknownAccount` where the store doesn't have it, `.signedOut` where it is that.
  public func activate(_ account: AccountID) throws {
    let connection = access.session.connection
    let key = try key(of: account)
    if try AccountLife.state(of: key, on: connection) != nil { throw StoreError.signedOut(account) }
    try connection.run("UPDATE store_account SET is_active = (key = ?)") { try $0.bind(key, 1) }
  }
}

extension Store {
  /// The handle to an account's records.
  ///
  /// - Throws: `StoreError.unknownAccount` where the store doesn't have it.
  public func account(_ id: AccountID) throws -> AccountStore {
    guard let key = try key(of: id) else { throw StoreError.unknownAccount(id) }
    accountNames.withLock { $0[key] = id }
    return AccountStore(store: self, account: key, id: id)
  }

  /// Adds an account where the store doesn't have it; it becomes the active one where none is. One that is signed
  /// out stays so: see `signIn(_:)`.
  @discardableResult
  public func addAccount(_ id: AccountID) throws -> AccountStore {
    if try key(of: id) == nil {
      try device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
        // A key is never given twice: another process may hold a handle to an account that was removed.
        try transaction.access.session.connection.run(
          """
          INSERT INTO store_account (key, server, user, is_active)
          VALUES ((SELECT 1 + max(coalesce((SELECT max(key) FROM store_account), 0),
            coalesce((SELECT max(key) FROM store_account_life), 0))),
            ?, ?, NOT EXISTS (SELECT 1 FROM store_account WHERE is_active = 1))
          ON CONFLICT (server, user) DO NOTHING
          """
        ) { binder in
          try binder.bind(id.server, 1)
          try binder.bind(id.user, 2)
        }
      }
    }
    return try account(id)
  }

  /// The active account; nil while the store has none.
  public func activeAccount() throws -> AccountStore? {
    let active = try device.blockingRead { try $0.accounts().first(where: \.isActive) }
    return try active.map { try account($0.id) }
  }

  private func key(of id: AccountID) throws -> Int64? {
    try device.blockingRead { try Accounts.key(of: id, on: $0.access.session.connection) }
  }
}
