import FerryKernel
import FerryStore

extension FeedPush {
  /// A local change on its way.
  struct Sending: Sendable {
    let entry: OutboxEntry
    let change: RemoteChange
  }

  /// Some local changes, oldest first, made ready.
  struct Batch: Sendable {
    var changes: [Sending] = []
    /// The number of the last local change that was looked at; nil where there was none.
    var end: Int64?
    /// How many need another round before they can be sent.
    var open = 0
    var counts = SyncCounts()
  }

  /// Reads the next local changes and makes of them what is to be sent, which is written down.
  func prepare(
    after sequence: Int64, through last: Int64, in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Batch {
    let (entries, held) = try transaction.in(link.account) { transaction in
      (
        try transaction.outbox(of: link.feed.table, after: sequence, through: last, limit: limit),
        try transaction.fetch(HeldChange.where { $0.feed == link.feed.name })
      )
    }
    var batch = Batch(end: entries.last?.sequence)
    for entry in entries {
      let isHeld = held.contains {
        $0.sequence == entry.sequence && $0.record.utf8.elementsEqual(entry.key.utf8)
      }
      if isHeld { continue }
      try prepare(entry, into: &batch, in: transaction)
    }
    return batch
  }

  private func prepare(
    _ entry: OutboxEntry, into batch: inout Batch, in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let table = link.feed.table
    let known = try transaction.in(link.account) { try $0.remoteState(of: table, entry.key) }
    if entry.base == .unknown, let known, known.revision > 0 {
      // It crossed, and the server's record came before it: now they are compared.
      let there = RemoteRecord(
        id: entry.key, revision: known.revision,
        content: try known.json.flatMap { try JSONValue.parse(text: $0).objectValue })
      batch.counts.pull += try link.apply([there], isCurrent: true, in: transaction)
      batch.open += 1
      return
    }
    let outcome = try transaction.in(link.account) { try step(entry, known, in: $0) }
    switch outcome {
    case .nothing: break
    case .send(let change): batch.changes.append(Sending(entry: entry, change: change))
    case .hold(let reason):
      try hold(entry, reason, content: nil, in: transaction)
      batch.counts.push.held += 1
    }
  }

  private enum Step {
    case nothing
    case send(RemoteChange)
    case hold(String)
  }

  private func step(
    _ entry: OutboxEntry, _ known: RemoteState?, in transaction: borrowing Transaction<AccountScope>
  ) throws -> Step {
    let table = link.feed.table
    var content: JSONObject?
    if entry.operation == .put {
      content = try link.feed.outgoing(entry.key, transaction)
      guard content != nil else {
        try transaction.dequeue(of: table, entry.key)
        return .nothing
      }
    }
    let change: RemoteChange
    switch (entry.base, content) {
    // What was deleted there, and made here once that was known, is a record of its own.
    case (.revision(let revision), let content?) where known?.json == nil && known?.revision == revision:
      change = .create(entry.key, content)
    case (.revision(let revision), let content?):
      if let known, known.revision == revision, let json = known.json,
        try JSONValue.parse(text: json).objectValue == content
      {
        // Edited, and edited back.
        try transaction.dequeue(of: table, entry.key)
        return .nothing
      }
      change = .update(entry.key, content, of: revision)
    case (.revision(let revision), nil): change = .delete(entry.key, of: revision)
    // Everything was pulled, so the server doesn't have what it didn't speak of.
    case (_, let content?): change = .create(entry.key, content)
    case (_, nil):
      try transaction.dequeue(of: table, entry.key)
      return .nothing
    }
    let digest: String
    do throws(JSONFault) { digest = try SentContents.digest(of: content) } catch {
      return .hold(error.sentence.withoutFullStop)
    }
    let id = "\(link.feed.name)/\(entry.sequence)"
    try transaction.upsert(SentChange(id: id, feed: link.feed.name, record: entry.key, digest: digest))
    return .send(change)
  }

  /// Keeps a change aside that the server never takes as it is.
  func hold(
    _ entry: OutboxEntry, _ reason: String, content: JSONObject?,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let feed = link.feed
    let text = try? content.map { try JSONValue.object($0).text() }
    // why: what can't be written is whole in its row
    try transaction.upsert(
      QuarantinedRow(
        id: feed.heldID(of: entry.key, link.account.id), domain: link.domain, account: link.account.id,
        entity: "push \(feed.name)", content: text ?? "{}", reason: reason, at: link.now()))
    try transaction.in(link.account) { transaction in
      try transaction.upsert(
        HeldChange(
          id: "\(feed.name)/\(entry.key)", feed: feed.name, record: entry.key, sequence: entry.sequence))
      try transaction.delete(SentChange.self, "\(feed.name)/\(entry.sequence)")
    }
  }
}
