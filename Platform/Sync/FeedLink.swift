import FerryKernel
import FerryStore

/// One feed of one account, between its rows here and its server.
struct FeedLink: Sendable {
  let feed: Feed
  /// The domain that the feed is of.
  let domain: String
  let account: AccountStore
  let remote: any Remote
  /// In whose name rows are written.
  let origin: Origin
  let now: @Sendable () -> Timestamp

  /// Runs `body` in one transaction.
  @discardableResult
  func write<Result: Sendable>(
    durability: Durability = .process,
    _ body: @escaping @Sendable (borrowing Transaction<DeviceScope>) throws -> Result
  ) async throws -> Result {
    try await account.store.device.write(origin: origin, durability: durability, body)
  }

  /// The same for what is the account's alone.
  @discardableResult
  func writeRows<Result: Sendable>(
    durability: Durability = .process,
    _ body: @escaping @Sendable (borrowing Transaction<AccountScope>) throws -> Result
  ) async throws -> Result {
    try await account.write(origin: origin, durability: durability, body)
  }
}

extension FeedLink {
  /// Applies records of the server's, writes down what was settled, and keeps aside what the feed can't read.
  func apply(
    _ records: [RemoteRecord], side: ApplyContext.Side = .rules, isCurrent: Bool = false,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws -> PullCounts {
    var refused: [QuarantinedRow] = []
    let counts = try transaction.in(account) { transaction in
      var counts = PullCounts()
      let context = ApplyContext(side: side, isCurrent: isCurrent, sent: try sent(in: transaction))
      for record in records {
        let applied = try feed.apply(record, context, transaction)
        counts.add(applied)
        if case .conflict(let settlement) = applied {
          try transaction.upsert(SyncConflict(settlement, of: record, in: feed, at: now()))
        }
        if case .refused(let reason) = applied {
          refused.append(
            QuarantinedRow(
              id: feed.quarantineID(of: record.id, account.id), domain: domain, account: account.id,
              entity: "feed \(feed.name)", content: try JSONValue.object(record.content ?? [:]).text(),
              reason: reason, at: now()))
        }
      }
      return counts
    }
    try keepAside(refused, of: records, in: transaction)
    return counts
  }

  /// What was sent of the feed and not answered.
  func sent<Source: Reading & ~Copyable>(in reading: borrowing Source) throws -> SentContents
  where Source.Scope == AccountScope {
    var contents = SentContents()
    for change in try reading.fetch(SentChange.where { $0.feed == feed.name }) {
      contents.add(change.record, change.digest)
    }
    return contents
  }

  /// How many local changes are in the outbox and aren't sent, since the server never takes them.
  func held<Source: Reading & ~Copyable>(in reading: borrowing Source) throws -> (puts: Int, deletes: Int)
  where Source.Scope == AccountScope {
    var (puts, deletes) = (0, 0)
    for change in try reading.fetch(HeldChange.where { $0.feed == feed.name }) {
      guard let entry = try reading.outboxEntry(of: feed.table, change.record),
        entry.sequence == change.sequence
      else { continue }
      if entry.operation == .put { puts += 1 } else { deletes += 1 }
    }
    return (puts, deletes)
  }

  /// Keeps what was refused, and no longer what was refused once and has been taken now.
  private func keepAside(
    _ refused: [QuarantinedRow], of records: [RemoteRecord],
    in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let kept = try transaction.fetch(
      QuarantinedRow.where {
        $0.domain == domain && $0.account == account.id.description && $0.entity == "feed \(feed.name)"
      })
    var rest = refused
    if !kept.isEmpty {
      // By bytes: two ids may differ in their canonical form only.
      let seen = Set(records.map { Array(feed.quarantineID(of: $0.id, account.id).utf8) })
      for row in kept where seen.contains(Array(row.id.utf8)) {
        let isSame: (QuarantinedRow) -> Bool = { new in
          new.id.utf8.elementsEqual(row.id.utf8) && new.content == row.content && new.reason == row.reason
        }
        if rest.contains(where: isSame) {
          // Seen again, as at the start of each pull: it stays as it is.
          rest.removeAll(where: isSame)
        } else {
          try transaction.delete(QuarantinedRow.self, row.id)
        }
      }
    }
    try transaction.upsert(rest)
  }
}
