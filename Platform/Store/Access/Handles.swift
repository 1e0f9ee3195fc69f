/// The handle to what one account has in the store; the only way to its records.
public struct AccountStore: Handle {
  /// What it leads to: this account's records.
  public let reach: Reach<AccountScope>
  /// Whose records they are.
  public let id: AccountID

  init(store: Store, account: Int64, id: AccountID) {
    reach = Reach(store: store, account: account)
    self.id = id
  }
}

/// The handle to the device's own records: journal, log, device settings.
public struct DeviceStore: Handle {
  /// What it leads to: the device's records.
  public let reach: Reach<DeviceScope>

  init(store: Store) { reach = Reach(store: store) }
}

/// What a handle leads to. Only the store makes one, and none for an account's records without the account.
public struct Reach<Scope: StoreScope>: Sendable {
  let store: Store
  /// The account's key in the file; nil for the device.
  let account: Int64?
}

extension Reach where Scope == AccountScope {
  fileprivate init(store: Store, account: Int64) { self.init(store: store, account: .some(account)) }
}

extension Reach where Scope == DeviceScope {
  fileprivate init(store: Store) { self.init(store: store, account: nil) }
}

/// What the two handles share: reading and writing, in an async form, which never blocks its caller's
/// thread, and in a blocking form, which runs on it.
public protocol Handle: Sendable {
  /// Whose records it leads to.
  associatedtype Scope: StoreScope
  /// What it leads to.
  var reach: Reach<Scope> { get }
}

extension Handle {
  /// The store it is a handle to.
  public var store: Store { reach.store }

  /// The way to a transaction's connection within this handle's reach.
  func access(_ session: Session) -> Access { Access(session: session, account: reach.account) }

  /// Runs `body`, which uses `access(_:)`. (It makes its own rather than take one: Swift 6.3 fails to optimise a
  /// noncopyable value made of a closure's argument.)
  func lend<Result>(_ session: Session, _ body: () throws -> Result) rethrows -> Result {
    try Footprint.lend(session.connection, to: reach.account, body)
  }
}

extension Handle {
  /// Refuses an account that has been removed since the handle was made, perhaps by another process.
  private func checkAccount(_ session: Session) throws {
    guard let key = reach.account else { return }
    switch try AccountLife.state(of: key, on: session.connection) {
    case nil, .signedOut: break
    case .removing, .removed:
      guard let id = (self as? AccountStore)?.id else { throw StoreError.closed }
      throw StoreError.unknownAccount(id)
    }
  }

  /// Runs `body` in one write transaction. When this returns, the write is durable; when it throws, nothing
  /// was written. Cancelling the task rolls back.
  ///
  /// - Throws: what `body` throws, `StoreError`, or `CancellationError`.
  @discardableResult
  public func write<Result: Sendable>(
    origin: Origin = .local, durability: Durability = .process,
    _ body: @escaping @Sendable (borrowing Transaction<Scope>) throws -> Result
  ) async throws -> Result {
    try await store.hop(to: store.writerQueue) { isCancelled in
      try store.write(origin: origin, durability: durability, isCancelled: isCancelled) { session in
        try checkAccount(session)
        return try lend(session) { try body(Transaction(access: access(session))) }
      }
    }
  }

  /// `write`, on the calling thread.
  @discardableResult
  public func blockingWrite<Result: Sendable>(
    origin: Origin = .local, durability: Durability = .process,
    _ body: (borrowing Transaction<Scope>) throws -> Result
  ) throws -> Result {
    try store.write(origin: origin, durability: durability, isCancelled: { false }) { session in
      try checkAccount(session)
      return try lend(session) { try body(Transaction(access: access(session))) }
    }
  }

  /// Runs `body` over one consistent state of the store, beside whoever writes.
  public func read<Result: Sendable>(_ body: @escaping @Sendable (borrowing Snapshot<Scope>) throws -> Result)
    async throws -> Result
  {
    try await store.hop(to: store.readerQueue) { isCancelled in
      try store.read(isCancelled: isCancelled) { session in
        try lend(session) { try body(Snapshot(access: access(session))) }
      }
    }
  }

  /// `read`, on the calling thread. Inside another blocking read it sees the state that that one sees; inside
  /// a write, what was committed before.
  public func blockingRead<Result: Sendable>(_ body: (borrowing Snapshot<Scope>) throws -> Result) throws
    -> Result
  {
    try store.read(isCancelled: { false }) { session in
      try lend(session) { try body(Snapshot(access: access(session))) }
    }
  }
}
