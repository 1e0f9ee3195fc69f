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
        try transaction.delete(SentChange.where { $0.feed == feed.name })
        try transaction.delete(HeldChange.where { $0.feed == feed.name })
        try transaction.delete(FeedState.self, feed.name)
      }
    }
  }

  public func refill(
    _ domain: Domain, of account: AccountStore,
    onPage:
      @escaping @Sendable (_ table: String, _ written: Int, borrowing Transaction<DeviceScope>) throws -> Void
  ) async throws {
    let remote = try remotes.remote(of: account.id)
    let (store, name) = (account.store, account.id.server)
    if let time = try ServerNotice.find(name, in: store)?.notBefore, ServerNotice.isToCome(time, now()) {
      throw RefillInterrupted(server: name, why: "it asks to be left alone until \(time)")
    }
    for feed in domain.feeds {
      let link = FeedLink(
        feed: feed, domain: domain.name, account: account, remote: remote, origin: .crossing, now: now)
      do {
        try await adoptMark(link)
        // Conflicts and refused records are counted by their tables.
        try await FeedPull(link: link, side: .later).run { counts, transaction in
          try onPage(feed.table.name, counts.written, transaction)
        }
      } catch RemoteError.unreachable(let server, let why) {
        _ = try ServerNotice.keep(
          remote.notice(of: account.id), of: name, in: store, origin: .crossing, now: now())
        throw RefillInterrupted(server: server, why: why)
      }
    }
  }

  /// Takes note of which server it is. One that has no mark yet gets it from the first sync.
  private func adoptMark(_ link: FeedLink) async throws {
    let mark = try await link.remote.mark(of: link.feed.name, of: link.account.id)
    let known = try await link.account.read { try $0.find(FeedState.self, link.feed.name)?.mark }
    if let known {
      // A refill that was interrupted goes on, and must do so on the same server.
      guard let mark, mark.utf8.elementsEqual(known.utf8) else {
        throw SyncError.otherServer(feed: link.feed.name, account: link.account.id, isGone: mark == nil)
      }
    } else if let mark {
      try await link.writeRows {
        try $0.upsert(FeedState(feed: link.feed.name, mark: mark, takeover: nil))
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
