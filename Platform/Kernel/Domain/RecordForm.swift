import FerryStore

/// A feed with its record's type: what the engine does with it, key by key.
struct RecordForm<R: Record, Kind>: Sendable where R.Scope == AccountScope, R.Key == Identifier<Kind> {
  let feed: String
  let rules: ConflictRules
  let encode: @Sendable (R) -> JSONObject
  let decode: @Sendable (Identifier<Kind>, JSONReader) throws -> R

  /// What a server's record leads to: judged by reading alone, so that a plan can say it beforehand.
  struct Move {
    enum Row {
      case none, delete
      case write(R)
    }
    enum Outbox {
      case none, dequeue
      case pending(OutboxEntry.Operation, BaseRevision)
    }
    var applied = Applied.unchanged
    var state: RemoteState?
    var row = Row.none
    var outbox = Outbox.none
    /// This device's record under a key of its own.
    var copy: R?
    /// What waited to be pushed of the row: of one that crossed and was never compared, the row itself.
    var pendingBefore: OutboxEntry.Operation?

    /// How many records more or fewer will be pushed.
    func change(of operation: OutboxEntry.Operation) -> Int {
      var after = pendingBefore
      switch outbox {
      case .none where state == nil: break
      case .none, .dequeue: after = nil
      case .pending(let pending, _): after = pending
      }
      let copies = copy != nil && operation == .put ? 1 : 0
      return (after == operation ? 1 : 0) - (pendingBefore == operation ? 1 : 0) + copies
    }
  }

  func apply(
    _ remote: RemoteRecord, _ context: ApplyContext, in transaction: borrowing Transaction<AccountScope>
  ) throws -> Applied {
    let move = try judge(remote, context, in: transaction)
    if let state = move.state { try transaction.setRemoteState(state, of: R.table.declaration, remote.id) }
    switch move.row {
    case .none: break
    case .delete: if let key = Identifier<Kind>(remote.id) { try transaction.delete(R.self, key) }
    case .write(let record): try transaction.upsert(record)
    }
    switch move.outbox {
    case .none: break
    case .dequeue: try transaction.dequeue(of: R.table.declaration, remote.id)
    case .pending(let operation, let base):
      try transaction.setPending(operation, base: base, of: R.table.declaration, remote.id)
    }
    if let copy = move.copy {
      try transaction.upsert(copy)
      try transaction.enqueue(R.self, R.table.key(of: copy), base: .absent)
    }
    return move.applied
  }

  /// The whole record to send.
  func outgoing(_ key: String, in transaction: borrowing Transaction<AccountScope>) throws -> JSONObject? {
    guard let key = Identifier<Kind>(key), let row = try transaction.find(R.self, key) else { return nil }
    guard let known = try transaction.remoteState(of: R.self, key)?.json else { return encode(row) }
    return overlaid(encode(row), on: try JSONValue.parse(text: known).objectValue ?? [:], key)
  }

  /// The server's members, with those of the feed's own that differ here in their place. One that says the same
  /// stays in the server's words.
  func overlaid(_ local: JSONObject, on server: JSONObject, _ key: Identifier<Kind>) -> JSONObject {
    let theirs = form(of: server, key) ?? [:]
    var content = server
    for member in theirs.members where local[member.name] == nil { content[member.name] = nil }
    for member in local.members where theirs[member.name] != member.value {
      content[member.name] = member.value
    }
    return content
  }

  /// A server's record as this feed writes it; nil where it isn't one of the feed's.
  func form(of content: JSONObject, _ key: Identifier<Kind>) -> JSONObject? {
    let record = try? read(content, key)  // why: what can't be read is no common ground, and no base
    return record.map(encode)
  }

  func read(_ content: JSONObject, _ key: Identifier<Kind>) throws -> R {
    try decode(key, JSONReader(.object(content), of: feed, named: key.rawValue))
  }
}
