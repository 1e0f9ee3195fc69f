import FerryStore

/// What of a table a server holds: records to JSON and back, which rows travel at all, and how what both sides
/// changed is settled.
public struct Feed: Sendable {
  /// The name of the server's collection.
  public let name: String
  /// The table it fills.
  public let table: TableDeclaration
  /// Applies one record of the server's, in the transaction that also moves the cursor. A test may wrap it.
  public package(set) var apply:
    @Sendable (RemoteRecord, ApplyContext, borrowing Transaction<AccountScope>) throws -> Applied
  /// What `apply` would do now.
  public let preview:
    @Sendable (RemoteRecord, ApplyContext, borrowing Snapshot<AccountScope>) throws -> Preview
  /// The feed's own members of the record with this key; nil where there is none.
  public let encode: @Sendable (String, borrowing Snapshot<AccountScope>) throws -> JSONObject?
  /// The whole record to send: what the server last said, with the feed's own members as they are here. What other
  /// devices and newer builds wrote beside them isn't lost. nil where there is no row.
  public let outgoing: @Sendable (String, borrowing Transaction<AccountScope>) throws -> JSONObject?
  /// Whether there is a row with this key.
  public let hasRow: @Sendable (String, borrowing Transaction<AccountScope>) throws -> Bool
  /// Whether the row with this key is one that travels.
  public let travels: @Sendable (String, borrowing Snapshot<AccountScope>) throws -> Bool
  /// Deletes the row with this key, for a server that doesn't have it any more.
  public let deleteRow: @Sendable (String, borrowing Transaction<AccountScope>) throws -> Void
  /// Puts a row that the server is to have into the outbox, if it is one that travels at all.
  public let enqueue: @Sendable (String, BaseRevision, borrowing Transaction<AccountScope>) throws -> Void
  /// Whether the server returned the row that was left to it under a key.
  let exists: @Sendable (String, borrowing Transaction<AccountScope>) throws -> Presence

  /// - Parameters:
  ///   - conflicts: how what both sides changed is settled.
  ///   - encode: the members of the server's record.
  ///   - decode: reads a record; a `JSONFault` or `RowRefusal` it throws puts the server's record into
  ///     quarantine.
  public init<R: Record, Kind>(
    _ name: String, of type: R.Type, conflicts: ConflictRules = ConflictRules(),
    encode: @escaping @Sendable (R) -> JSONObject,
    decode: @escaping @Sendable (Identifier<Kind>, JSONReader) throws -> R
  ) where R.Scope == AccountScope, R.Key == Identifier<Kind> {
    self.name = name
    table = R.table.declaration
    let form = RecordForm<R, Kind>(feed: name, rules: conflicts, encode: encode, decode: decode)
    apply = { record, context, transaction in try form.apply(record, context, in: transaction) }
    preview = { record, context, snapshot in
      let move = try form.judge(record, context, in: snapshot)
      return Preview(
        applied: move.applied, puts: move.change(of: .put), deletions: move.change(of: .delete))
    }
    self.encode = { key, snapshot in
      guard let key = Identifier<Kind>(key) else { return nil }
      return try snapshot.find(R.self, key).map(encode)
    }
    outgoing = { key, transaction in try form.outgoing(key, in: transaction) }
    hasRow = { key, transaction in
      guard let key = Identifier<Kind>(key) else { return false }
      return try transaction.find(R.self, key) != nil
    }
    travels = { key, snapshot in
      guard let key = Identifier<Kind>(key) else { return false }
      return try snapshot.find(R.self, key).map(R.table.travels) ?? false
    }
    deleteRow = { key, transaction in
      if let key = Identifier<Kind>(key) { try transaction.delete(R.self, key) }
    }
    enqueue = { key, base, transaction in
      if let key = Identifier<Kind>(key) { try transaction.enqueue(R.self, key, base: base) }
    }
    exists = { key, snapshot in
      guard let key = Identifier<Kind>(key) else { return .absent }
      let hasRow = try snapshot.find(R.self, key) != nil
      // What the server said counts, not whether there is a row: that may be another one with the same key.
      guard let state = try snapshot.remoteState(of: R.self, key) else { return hasRow ? .taken : .absent }
      if hasRow, try snapshot.outboxEntry(of: R.table.declaration, key.rawValue)?.base == .unknown {
        return .taken
      }
      if state.json == nil { return .tombstoned }
      // Without a row it was refused, unless it was deleted here and the server is to hear of it.
      return try hasRow || snapshot.isInOutbox(R.self, key) ? .present : .absent
    }
  }

  /// Applies one record by the feed's rules.
  public func apply(_ record: RemoteRecord, _ transaction: borrowing Transaction<AccountScope>) throws
    -> Applied
  {
    try apply(record, ApplyContext(), transaction)
  }

  /// Under which name a record of the server's is quarantined.
  public func quarantineID(of record: String, _ account: AccountID) -> String {
    "feed \(name)/\(account)/\(record)"
  }

  /// What applying a record would do.
  public struct Preview: Sendable, Equatable {
    public let applied: Applied
    /// How many records more, or fewer, would wait to be pushed.
    public let puts: Int
    /// How many deletions more, or fewer, would wait to be pushed.
    public let deletions: Int
  }

  enum Presence {
    case present, tombstoned, absent
    /// A row that crossed has the key, and the server's, if it sent one, was not taken.
    case taken
  }
}
