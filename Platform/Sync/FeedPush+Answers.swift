import FerryKernel
import FerryStore

extension FeedPush {
  /// What an answer did.
  struct Result: Sendable {
    var counts = SyncCounts()
    /// How many changes are to be sent again.
    var open = 0
    /// Why the push ends here, what was answered being kept.
    var error: (any FerryError)?
  }

  /// Looks up the records of which a server said only that they are others.
  func judged(_ answers: some Sequence<(Sending, PushOutcome)>) async throws -> [(Sending, PushOutcome)] {
    var judged: [(Sending, PushOutcome)] = []
    for (sending, outcome) in answers {
      guard outcome == .conflict(existing: nil) else {
        judged.append((sending, outcome))
        continue
      }
      let id = sending.entry.key
      let existing = try await link.remote.record(id, in: link.feed.name, of: link.account.id)
      judged.append((sending, existing.map { .conflict(existing: $0) } ?? .unknown))
    }
    return judged
  }

  /// Writes down what became of some changes.
  func acknowledge(
    _ answers: [(Sending, PushOutcome)], in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Result {
    var result = Result()
    for (sending, outcome) in answers {
      switch outcome {
      case .done(let revision): try done(sending, revision, &result, in: transaction)
      case .gone where sending.change.content == nil: try done(sending, nil, &result, in: transaction)
      case .gone: try settle(sending, nil, &result, in: transaction)
      case .conflict(let existing): try settle(sending, existing, &result, in: transaction)
      case .poisoned(let reason):
        let now = try transaction.in(link.account) {
          try $0.outboxEntry(of: link.feed.table, sending.entry.key)
        }
        guard now?.sequence == sending.entry.sequence else { continue }
        try hold(sending.entry, reason, content: sending.change.content, in: transaction)
        result.counts.push.held += 1
      case .retry:
        result.error = RemoteError.unreachable(
          server: link.account.id.server, why: "it takes nothing now and asks for time")
      case .unknown: result.open += 1
      }
    }
    return result
  }

  /// The server has the change.
  ///
  /// - Parameter revision: nil where a record that was to be deleted was gone already.
  private func done(
    _ sending: Sending, _ revision: Int64?, _ result: inout Result,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let (feed, entry, content) = (link.feed, sending.entry, sending.change.content)
    let json = try content.map { try JSONValue.object($0).text(order: .sorted) }
    try transaction.in(link.account) { transaction in
      let known = try transaction.remoteState(of: feed.table, entry.key)
      try transaction.setRemoteState(
        RemoteState(revision: revision ?? known?.revision ?? 0, json: json), of: feed.table, entry.key)
      try forgetSent(entry.key, in: transaction)
      guard let now = try transaction.outboxEntry(of: feed.table, entry.key) else {
        // Deleted here before the server had answered that it has it, so that no trace was left: it is to go.
        if let revision, content != nil, try !feed.hasRow(entry.key, transaction) {
          try transaction.setPending(.delete, base: .revision(revision), of: feed.table, entry.key)
        }
        return
      }
      if now.sequence == entry.sequence || (content == nil && now.operation == .delete) {
        return try transaction.dequeue(of: feed.table, entry.key)
      }
      // Edited while it was on its way.
      let base = content == nil ? BaseRevision.absent : revision.map(BaseRevision.revision) ?? .unknown
      try transaction.setPending(now.operation, base: base, of: feed.table, entry.key)
    }
    try feed.release(entry.key, link.account, in: transaction)
    if content == nil { result.counts.push.deleted += 1 } else { result.counts.push.written += 1 }
  }

  /// The server has another record, or none.
  private func settle(
    _ sending: Sending, _ existing: RemoteRecord?, _ result: inout Result,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let (feed, key) = (link.feed, sending.entry.key)
    let known = try transaction.in(link.account) { try $0.remoteState(of: feed.table, key) }
    if let existing, let known, known.json != nil, existing.revision < known.revision {
      result.error = RemoteError.wentBack(feed: feed.name, from: known.revision, to: existing.revision)
      return
    }
    let there = existing ?? RemoteRecord(id: key, revision: known?.revision ?? 0, content: nil)
    var counts = try link.apply([there], isCurrent: true, in: transaction)
    if counts.refused > 0 {
      // Nobody can settle the row with what can't be read; that is set aside, and the next run asks once more.
      result.counts.push.held += counts.refused
      counts.refused = 0
      result.counts.pull += counts
      return
    }
    result.counts.pull += counts
    let isOpen = try transaction.in(link.account) { transaction in
      try forgetSent(key, in: transaction)
      return try transaction.outboxEntry(of: feed.table, key) != nil
    }
    if isOpen { result.open += 1 }
  }

  private func forgetSent(_ record: String, in transaction: borrowing Transaction<AccountScope>) throws {
    let name = link.feed.name
    try transaction.delete(SentChange.where { $0.feed == name && $0.record == record })
  }
}
