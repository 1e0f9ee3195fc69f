import FerryStore

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
  /// The row is new, or has taken what the server changed, its own changes kept where there were some.
  case written
  case deleted
  case unchanged
  /// The row and the record were both changed since they last agreed, and it is settled.
  case conflict(Settlement)
  /// The record isn't one of the feed; it is quarantined.
  case refused(String)
}

/// How a conflict was settled, with what it was about.
public struct Settlement: Sendable, Equatable {
  public enum Decision: String, Sendable {
    /// The server's record is what both have now.
    case server
    /// This device's record is what both will have.
    case local
    /// Some fields are the server's, others this device's.
    case fields
    /// The server's record is what both have now, and this device's is one of its own.
    case copy
    /// One side deleted it, the other changed it, and it stays.
    case kept
    /// One side deleted it, the other changed it, and it is gone.
    case deleted
    /// It isn't settled yet.
    case open
  }

  /// Whose value a field has now.
  public enum Side: String, Sendable { case server, local, union, copy }

  public struct Field: Sendable, Equatable {
    public let name: String
    public let side: Side
  }

  public let decision: Decision
  /// The record as it was here; nil where it was deleted here.
  public let local: JSONObject?
  /// The fields that both sides changed.
  public let fields: [Field]

  init(_ decision: Decision, local: JSONObject?, fields: [Field] = []) {
    (self.decision, self.local, self.fields) = (decision, local, fields)
  }
}

/// What it takes to judge a server's record, beside the record and the row.
public struct ApplyContext: Sendable {
  /// Whose side a difference is settled for.
  public enum Side: Sendable {
    /// The feed's rules say.
    case rules
    /// This device's: the server lost what it had acknowledged, or is another one that is to get everything.
    case device
    /// Nobody's yet: while a crossing has the store, what it carried over stays as it is, and the first sync compares.
    case later
  }

  public var side = Side.rules
  /// Whether the record is what the server holds at this moment. Otherwise one that isn't newer than what was seen
  /// of it already says nothing.
  public var isCurrent = false
  /// What was sent and perhaps arrived.
  public var sent = SentContents()

  public init(side: Side = .rules, isCurrent: Bool = false, sent: SentContents = SentContents()) {
    (self.side, self.isCurrent, self.sent) = (side, isCurrent, sent)
  }
}

/// What was sent to a server whose answer didn't come: the server's record may be this device's own.
public struct SentContents: Sendable, Equatable {
  private var digests: [NameBytes: [String]] = [:]

  public init() {}

  /// Whether nothing is open.
  public var isEmpty: Bool { digests.isEmpty }

  /// Takes note of a record's digest.
  public mutating func add(_ record: String, _ digest: String) {
    digests[NameBytes(name: record), default: []].append(digest)
  }

  func contains(_ record: RemoteRecord) throws(JSONFault) -> Bool {
    guard let sent = digests[NameBytes(name: record.id)] else { return false }
    return sent.contains(try SentContents.digest(of: record.content))
  }

  /// What tells one content from another: the same for the same members in whatever order. A file that is attached
  /// to the record is left out, since the server alone says what it is.
  ///
  /// - Parameter content: nil for a deletion.
  public static func digest(of content: JSONObject?) throws(JSONFault) -> String {
    guard var content else { return "deletion" }
    content["attachment"] = nil
    return StableHash.of(try JSONValue.object(content).text(order: .sorted))
  }
}
