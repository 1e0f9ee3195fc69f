/// What becomes of an account after it came: it is signed out and in again, and removed at last.
enum AccountLife {
  enum State: String {
    /// Its rows are kept, and nobody is offered them.
    case signedOut = "signed out"
    /// Its rows are on their way out: for everybody else it is gone.
    case removing
    /// It is gone. What is left is its key, so that no other account ever gets it.
    case removed
  }

  // A table of its own, with no name in it: an account that was removed leaves none.
  static let schema = SchemaObject(
    name: "store_account_life",
    sql: """
      CREATE TABLE "store_account_life" ("key" INTEGER PRIMARY KEY, \
      "state" TEXT NOT NULL CHECK ("state" IN ('signed out', 'removing', 'removed'))) STRICT
      """)

  /// What an account is; nil while it is signed in.
  static func state(of key: Int64, on connection: Connection) throws -> State? {
    var state: State?
    try connection.run(.readLife) {
      try $0.bind(key, 1)
    } row: { row in
      state = State(rawValue: try row.text(0))
      return false
    }
    return state
  }

  static func set(_ state: State, of key: Int64, on connection: Connection) throws {
    try connection.run(
      """
      INSERT INTO store_account_life (key, state) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET state = excluded.state
      """
    ) { binder in
      try binder.bind(key, 1)
      try binder.bind(state.rawValue, 2)
    }
  }
}

extension Reading where Self: ~Copyable, Scope == DeviceScope {
  /// Accounts whose removal was begun and isn't over.
  public func accountsBeingRemoved() throws -> [AccountID] {
    var accounts: [AccountID] = []
    try access.session.connection.run(
      """
      SELECT a.server, a.user FROM store_account a JOIN store_account_life l ON l.key = a.key
      WHERE l.state = 'removing' ORDER BY a.key
      """
    ) { _ in
    } row: { row in
      accounts.append(try AccountID(server: try row.text(0), user: try row.text(1)))
      return true
    }
    return accounts
  }

  func key(of account: AccountID) throws -> Int64 {
    guard let key = try Accounts.key(of: account, on: access.session.connection) else {
      throw StoreError.unknownAccount(account)
    }
    return key
  }
}

extension Transaction where Scope == DeviceScope {
  /// Signs an account out: its rows stay, nobody is offered them, and no server is asked for them. Where it was the
  /// active one, the first of the others that are signed in is that now.
  ///
  /// - Throws: `StoreError.unknownAccount`.
  public func signOut(_ account: AccountID) throws {
    let key = try key(of: account)
    try AccountLife.set(.signedOut, of: key, on: access.session.connection)
    try handOn(from: key)
  }

  /// Signs an account in again; where no account is active, it is that now.
  ///
  /// - Throws: `StoreError.unknownAccount`.
  public func signIn(_ account: AccountID) throws {
    let key = try key(of: account)
    let connection = access.session.connection
    try connection.run("DELETE FROM store_account_life WHERE key = ?") { try $0.bind(key, 1) }
    try connection.run(
      """
      UPDATE store_account SET is_active = 1
      WHERE key = ? AND NOT EXISTS (SELECT 1 FROM store_account WHERE is_active = 1)
      """
    ) { try $0.bind(key, 1) }
  }

  /// Begins to remove an account: from now on it is unknown to everybody, and writes through handles to it are
  /// refused, in other processes too. `removeRows(of:)` ends it; until then nothing is lost.
  ///
  /// - Throws: `StoreError.unknownAccount`.
  public func beginRemoval(of account: AccountID) throws {
    let key = try key(of: account)
    try AccountLife.set(.removing, of: key, on: access.session.connection)
    try handOn(from: key)
  }

  /// Gives up being the active account, for the first that is signed in.
  private func handOn(from key: Int64) throws {
    try access.session.connection.run(
      """
      UPDATE store_account SET is_active = (key IS (SELECT min(a.key) FROM store_account a
        WHERE a.key NOT IN (SELECT l.key FROM store_account_life l)))
      WHERE EXISTS (SELECT 1 FROM store_account b WHERE b.key = ? AND b.is_active = 1)
      """
    ) { try $0.bind(key, 1) }
  }
}
