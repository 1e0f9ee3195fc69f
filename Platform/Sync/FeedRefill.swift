import FerryKernel
import FerryStore

/// The crossing's refill by the engine: every feed of a domain, pulled from its beginning.
public struct FeedRefill: Refill {
  private let remotes: Remotes
  private let now: @Sendable () -> Timestamp

  public init(_ remotes: Remotes, now: @escaping @Sendable () -> Timestamp) {
    (self.remotes, self.now) = (remotes, now)
  }

  public func forget(
    _ domain: Domain, of account: AccountStore, in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    try transaction.in(account) { transaction in
      for feed in domain.feeds {
        try feed.forgetCursors(in: transaction)
        try transaction.delete(SyncConflict.where { $0.feed == feed.name })
      }
    }
  }

  public func refill(
    _ domain: Domain, of account: AccountStore,
    onPage:
      @escaping @Sendable (_ table: String, _ written: Int, borrowing Transaction<DeviceScope>) throws -> Void
  ) async throws {
    let remote = try remotes.remote(of: account.id)
    for feed in domain.feeds {
      let pull = FeedPull(
        feed: feed, domain: domain.name, account: account, remote: remote, origin: .crossing, now: now)
      do {
        // Conflicts and refused records are counted by their tables.
        _ = try await pull.run { counts, transaction in
          try onPage(feed.table.name, counts.written, transaction)
        }
      } catch RemoteError.unreachable(let server, let why) {
        throw RefillInterrupted(server: server, why: why)
      }
    }
  }
}

/// The configured servers by name.
public struct Remotes: Sendable {
  // A list and not a dictionary, for which two names that differ in canonical form only would be one.
  private let servers: [(name: String, remote: any Remote)]

  public init(_ servers: [(name: String, remote: any Remote)]) { self.servers = servers }

  public init(_ servers: KeyValuePairs<String, any Remote>) {
    self.servers = servers.map { (name: $0.key, remote: $0.value) }
  }

  /// The server that an account is on.
  ///
  /// - Throws: `RemoteError.unknownServer`.
  public func remote(of account: AccountID) throws -> any Remote {
    guard let server = servers.first(where: { $0.name.utf8.elementsEqual(account.server.utf8) }) else {
      throw RemoteError.unknownServer(account.server)
    }
    return server.remote
  }
}
