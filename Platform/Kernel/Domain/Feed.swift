import FerryStore

/// What of a table a server holds: records to JSON and back, and which rows travel at all.
public struct Feed: Sendable {
  /// The name of the server's collection.
  public let name: String
  /// The table it fills.
  public let table: TableDeclaration
  /// Applies one record of the server's, in the transaction that also moves the cursor. A test may wrap it.
  public package(set) var apply:
    @Sendable (RemoteRecord, borrowing Transaction<AccountScope>) throws -> Applied

  /// - Parameters:
  ///   - encode: the members of the server's record.
  ///   - decode: reads a record; a `JSONFault` or `RowRefusal` it throws puts the server's record into
  ///     quarantine.
  public init<R: Record, Kind>(
    _ name: String, of type: R.Type, encode: @escaping @Sendable (R) -> JSONObject,
    decode: @escaping @Sendable (Identifier<Kind>, JSONReader) throws -> R
  ) where R.Scope == AccountScope, R.Key == Identifier<Kind> {
    self.name = name
    table = R.table.declaration
    apply = { remote, transaction in
      guard let key = Identifier<Kind>(remote.id) else {
        return .refused("the id \"\(remote.id)\" is a placeholder")
      }
      let isTombstone = remote.content == nil
      let json = try remote.content.map { try JSONValue.object($0).text(order: .sorted) }
      let state = RemoteState(revision: remote.revision, json: json)
      var record: R?
      if let content = remote.content {
        do {
          record = try decode(key, JSONReader(.object(content), of: name, named: remote.id))
        } catch let refusal as RowRefusal {
          return .refused(refusal.reason)
        } catch let fault as JSONFault {
          return .refused(fault.sentence)
        }
      }
      let current = try transaction.find(R.self, key)
      let isSame =
        record.map { record in current.map { R.table.areEqual($0, record) } ?? false } ?? (current == nil)
      let known = try transaction.remoteState(of: R.self, key)
      // Base unknown: the row came over from the legacy file and was never compared with the server's.
      let isUncompared = current != nil && known == nil
      if !isSame, try transaction.isInOutbox(R.self, key) || isUncompared { return .conflict }
      try transaction.setRemoteState(state, of: R.self, key)
      if isSame {
        // The server has what waited to be pushed.
        try transaction.confirm(R.self, key)
        return .unchanged
      }
      if isTombstone {
        try transaction.delete(R.self, key)
        return .deleted
      }
      if let record { try transaction.upsert(record) }
      return .written
    }
    self.encode = { key, transaction in
      guard let key = Identifier<Kind>(key) else { return nil }
      return try transaction.find(R.self, key).map(encode)
    }
    exists = { key, snapshot in
      guard let key = Identifier<Kind>(key) else { return .absent }
      // What the server said counts, not whether there is a row: that may be another one with the same key.
      if let state = try snapshot.remoteState(of: R.self, key) {
        return state.json == nil ? .tombstoned : .present
      }
      return try snapshot.find(R.self, key) == nil ? .absent : .taken
    }
  }

  /// The server's form of the record with this key; nil where there is none.
  public let encode: @Sendable (String, borrowing Snapshot<AccountScope>) throws -> JSONObject?
  /// Whether the server returned the row that was left to it under a key.
  let exists: @Sendable (String, borrowing Transaction<AccountScope>) throws -> Presence

  /// Under which name a record of the server's is quarantined.
  public func quarantineID(of record: String, _ account: AccountID) -> String {
    "feed \(name)/\(account)/\(record)"
  }

  enum Presence {
    case present, tombstoned, absent
    /// A row that crossed has the key, and the server's, if it sent one, was not taken.
    case taken
  }
}

/// A record as a server holds it.
public struct RemoteRecord: Sendable, Equatable {
  public let id: String
  /// Grows with every change of the record on the server.
  public let revision: Int64
  /// Its members; nil for a tombstone.
  public let content: JSONObject?

  public init(id: String, revision: Int64, content: JSONObject?) {
    self.id = id
    self.revision = revision
    self.content = content
  }
}

/// What applying a server's record did.
public enum Applied: Sendable, Equatable {
  case written, deleted, unchanged
  /// The device has a row that differs and that the server hasn't seen: neither is touched.
  case conflict
  /// The record isn't one of the feed; it is quarantined.
  case refused(String)
}
