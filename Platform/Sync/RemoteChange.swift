import FerryKernel

/// A change that a server is asked for.
public struct RemoteChange: Sendable, Equatable {
  /// What the server must hold for the change to be made.
  public enum Precondition: Sendable, Equatable {
    /// Nothing, or a tombstone: the record is new.
    case absent
    /// The record with this revision.
    case revision(Int64)
  }

  public let id: String
  /// The whole record; nil deletes it.
  public let content: JSONObject?
  public let precondition: Precondition

  /// A record that the server doesn't have.
  public static func create(_ id: String, _ content: JSONObject) -> RemoteChange {
    RemoteChange(id: id, content: content, precondition: .absent)
  }

  /// The whole of a record in place of the one with that revision. Members that the content lacks are gone
  /// from the server too.
  public static func update(_ id: String, _ content: JSONObject, of revision: Int64) -> RemoteChange {
    RemoteChange(id: id, content: content, precondition: .revision(revision))
  }

  /// A deletion of the record with that revision.
  public static func delete(_ id: String, of revision: Int64) -> RemoteChange {
    RemoteChange(id: id, content: nil, precondition: .revision(revision))
  }

  private init(id: String, content: JSONObject?, precondition: Precondition) {
    (self.id, self.content, self.precondition) = (id, content, precondition)
  }
}

/// What became of one change.
public enum PushOutcome: Sendable, Equatable {
  /// The server holds it, with this revision; also where it held the very same already, as after an answer that
  /// was lost.
  case done(revision: Int64)
  /// The server holds another record and changed nothing. `nil` where it didn't say which.
  case conflict(existing: RemoteRecord?)
  /// There is no such record on the server: it was deleted, or never was. A deletion has what it wanted; to an
  /// update it is a conflict with a deletion.
  case gone
  /// The server will never take this record as it is. Nothing was changed; the others aren't held up by it.
  case poisoned(reason: String)
  /// The server took nothing now, and asks to be left alone until `RemoteNotice.notBefore`. Ask again.
  case retry
  /// Whether it was done isn't known: the answer was lost, or the server may have undone what it
  /// acknowledged. Ask again, with the same precondition: the answer tells.
  case unknown
}
