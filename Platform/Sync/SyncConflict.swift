import FerryKernel
import FerryStore

/// A record that was changed here and on the server, both as they were, and how it was settled.
public struct SyncConflict: Record, Equatable {
  public typealias Key = String
  /// `feed/record/revision`; one of an earlier build has no revision.
  public let id: String
  public let feed: String
  public let record: String
  /// The server's.
  public let revision: Int64
  /// The server's record; nil where it is a tombstone.
  public let content: String?
  public let at: Timestamp
  /// The record as it was here; nil where it was deleted here.
  public let local: String?
  /// A `Settlement.Decision`; `open` for one of an earlier build, which settled none.
  public let decision: String
  /// The fields that both sides changed, each with whose value it has now: `title=server tags=union`.
  public let fields: String

  public static let table = Table<SyncConflict>(
    "sync_conflict", key: \.id,
    columns: Column("id", \.id), Column("feed", \.feed), Column("record", \.record),
    Column("revision", \.revision), Column("content", \.content), Column("at", \.at),
    Column("local", \.local), Column("decision", \.decision), Column("fields", \.fields),
    make: SyncConflict.init(id:feed:record:revision:content:at:local:decision:fields:))
}

extension SyncConflict {
  init(_ settlement: Settlement, of remote: RemoteRecord, in feed: Feed, at time: Timestamp) throws {
    self.init(
      id: "\(feed.name)/\(remote.id)/\(remote.revision)", feed: feed.name, record: remote.id,
      revision: remote.revision, content: try remote.content.map { try JSONValue.object($0).text() },
      at: time,
      local: try settlement.local.map { try JSONValue.object($0).text() },
      decision: settlement.decision.rawValue,
      fields: settlement.fields.map { "\($0.name)=\($0.side.rawValue)" }.joined(separator: " "))
  }
}
