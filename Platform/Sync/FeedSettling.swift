import FerryKernel
import FerryStore

/// What comes before a pull, and what is left to do once everything that the server holds was seen.
struct FeedSettling: Sendable {
  let planned: PlannedFeed
  let allowance: DeleteAllowance
  private var link: FeedLink { planned.link }
  private var feed: Feed { planned.link.feed }

  /// Rows a transaction.
  private static let pageSize = 500

  init(_ planned: PlannedFeed, _ allowance: DeleteAllowance) {
    (self.planned, self.allowance) = (planned, allowance)
  }

  /// Makes sure that the feed is marked, here and there, and begins a takeover.
  ///
  /// - Parameter fresh: the mark for a feed that has none.
  func begin(isReadOnly: Bool, fresh: @autoclosure () -> String) async throws {
    var mark = planned.mark
    if mark == nil, !isReadOnly {
      do {
        mark = try await link.remote.setMark(fresh(), of: feed.name, of: link.account.id)
      } catch RemoteError.forbidden {
        // It may read what is another's: then its times alone tell whether it is the one that it was.
      }
    }
    let takeover = planned.takeover?.rawValue
    // What is pulled from the beginning needs no comparison.
    let comparedAt = planned.isNew ? nil : planned.state?.comparedAt
    let state = FeedState(
      feed: feed.name, mark: mark, takeover: takeover, comparedAt: comparedAt ?? link.now())
    guard planned.isNew || state != planned.state else { return }
    try await link.writeRows(durability: .powerLoss) { [planned, feed] transaction in
      if planned.isNew {
        try transaction.voidRemoteStates(of: feed.table)
        try feed.forgetCursors(in: transaction)
        try transaction.delete(SentChange.where { $0.feed == feed.name })
      }
      try transaction.upsert(state)
    }
  }

  /// Settles the rows that the pull didn't speak of.
  ///
  /// - Returns: how many rows went, which a takeover from the server alone does.
  func end() async throws -> Int {
    let deleted = try await settleVoid()
    try await enqueueUncompared()
    if planned.takeover != nil {
      try await link.writeRows(durability: .powerLoss) { [feed] transaction in
        guard var state = try transaction.find(FeedState.self, feed.name) else { return }
        state.takeover = nil
        try transaction.upsert(state)
      }
    }
    return deleted
  }

  /// Rows that the server before this one held, and this one doesn't.
  private func settleVoid() async throws -> Int {
    guard let takeover = planned.takeover else { return 0 }
    var (deleted, last) = (0, String?.none)
    while true {
      let after = last
      let (count, end) = try await link.writeRows { [allowance, feed] transaction in
        let keys = try transaction.remoteKeys(
          of: feed.table, areVoid: true, after: after, limit: FeedSettling.pageSize)
        var count = 0
        for (key, _) in keys where try settle(key, takeover, transaction) { count += 1 }
        try allowance.check(count, feed)
        return (count, keys.last?.key)
      }
      allowance.use(count)
      deleted += count
      guard let end else { return deleted }
      last = end
    }
  }

  /// - Returns: whether a row went.
  private func settle(
    _ key: String, _ takeover: Takeover, _ transaction: borrowing Transaction<AccountScope>
  ) throws -> Bool {
    guard try transaction.remoteState(of: feed.table, key)?.json != nil else {
      try transaction.forgetRemoteState(of: feed.table, key)
      return false
    }
    if takeover == .fromServer, try transaction.outboxEntry(of: feed.table, key) == nil {
      let hadRow = try feed.hasRow(key, transaction)
      try feed.deleteRow(key, transaction)
      try transaction.forgetRemoteState(of: feed.table, key)
      return hadRow
    }
    _ = try feed.sendAnew(key, in: transaction)
    return false
  }

  /// Rows that crossed and that the server has never spoken of, now that it has spoken of all it has: it gets them.
  private func enqueueUncompared() async throws {
    var last: String?
    while true {
      let after = last
      let keys = try await link.account.read { [feed] in
        try $0.uncomparedKeys(of: feed.table, after: after, limit: FeedSettling.pageSize)
      }
      guard let end = keys.last else { return }
      last = end
      try await link.writeRows { [feed] transaction in
        for key in keys { try feed.enqueue(key, .absent, transaction) }
      }
    }
  }
}
