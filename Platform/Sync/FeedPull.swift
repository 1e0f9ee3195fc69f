import FerryKernel
import FerryStore

/// Pulls one feed of one account, from its cursor to the end. A page's records and the cursor that covers them
/// are one transaction, so an interrupted pull goes on where it was.
struct FeedPull: Sendable {
  let feed: Feed
  /// The domain that the feed is of.
  let domain: String
  let account: AccountStore
  let remote: any Remote
  let origin: Origin
  let now: @Sendable () -> Timestamp

  /// Records a page, and so a transaction.
  static let pageSize = 500

  /// Called inside each page's transaction, before it commits.
  typealias OnPage = @Sendable (PullCounts, borrowing Transaction<DeviceScope>) throws -> Void

  func run(onPage: @escaping OnPage = { _, _ in }) async throws -> PullCounts {
    var counts = PullCounts()
    let (isWhole, start) = try await account.read { [feed] in
      let isWhole = try $0.tablesToRefill().contains(feed.table.name)
      return (isWhole, try $0.find(FeedCursor.self, FeedCursor.name(of: feed, isWhole: isWhole))?.cursor)
    }
    var cursor = start
    var position = start.map(PullPosition.resuming) ?? .beginning
    while true {
      try Task.checkCancellation()
      let page = try await remote.changes(
        in: feed.name, of: account.id, from: position, limit: FeedPull.pageSize)
      let isEnd = !page.hasMore
      if !page.records.isEmpty || page.cursor != cursor || (isWhole && isEnd) {
        let step = Step(isWhole: isWhole, isStart: cursor == nil, isEnd: isEnd)
        counts += try await commit(page, step, onPage)
      }
      guard page.hasMore else { return counts }
      guard page.cursor != cursor else {
        throw RemoteError.badAnswer(
          where: "A page of \(feed.name)", why: "it has more but its cursor stands still")
      }
      cursor = page.cursor
      position = .after(page.cursor)
    }
  }

  /// Where a page stands in its pull.
  private struct Step {
    /// Whether the table was emptied and every record is fetched again (traps K4): by a cursor of its own, so that
    /// an interrupted pull goes on where it was, and the cursor that covers no row any more counts for nothing.
    let isWhole: Bool
    let isStart: Bool
    let isEnd: Bool
  }

  private func commit(_ page: RemotePage, _ step: Step, _ onPage: @escaping OnPage) async throws -> PullCounts
  {
    try await account.store.device.write(origin: origin) { transaction in
      let (counts, refused) = try transaction.in(account) { transaction in
        if step.isWhole, step.isStart {
          try transaction.delete(SyncConflict.where { $0.feed == feed.name })
        }
        let result = try apply(page.records, in: transaction)
        let name = FeedCursor.name(of: feed, isWhole: step.isWhole && !step.isEnd)
        try transaction.upsert(FeedCursor(feed: name, cursor: page.cursor))
        if step.isWhole, step.isEnd {
          try transaction.delete(FeedCursor.self, FeedCursor.name(of: feed, isWhole: true))
          try transaction.didRefill(feed.table)
        }
        return result
      }
      try settle(page.records, refused, in: transaction)
      try onPage(counts, transaction)
      return counts
    }
  }

  /// Keeps what was refused aside, and no longer what was refused once and has been taken now.
  private func settle(
    _ records: [RemoteRecord], _ refused: [QuarantinedRow], in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let kept = try transaction.fetch(
      QuarantinedRow.where {
        $0.domain == domain && $0.account == account.id.description && $0.entity == "feed \(feed.name)"
      })
    if !kept.isEmpty {
      // By bytes: two ids may differ in their canonical form only.
      let taken = Set(records.map { Array(feed.quarantineID(of: $0.id, account.id).utf8) })
      for row in kept where taken.contains(Array(row.id.utf8)) {
        try transaction.delete(QuarantinedRow.self, row.id)
      }
    }
    try transaction.upsert(refused)
  }

  private func apply(_ records: [RemoteRecord], in transaction: borrowing Transaction<AccountScope>) throws
    -> (PullCounts, [QuarantinedRow])
  {
    var counts = PullCounts()
    var refused: [QuarantinedRow] = []
    for record in records {
      switch try feed.apply(record, transaction) {
      case .written: counts.written += 1
      case .deleted: counts.deleted += 1
      case .unchanged: counts.unchanged += 1
      case .conflict:
        counts.conflicts += 1
        try transaction.upsert(
          SyncConflict(
            id: "\(feed.name)/\(record.id)", feed: feed.name, record: record.id, revision: record.revision,
            content: try record.content.map { try JSONValue.object($0).text() }, at: now()))
      case .refused(let reason):
        counts.refused += 1
        refused.append(
          QuarantinedRow(
            id: feed.quarantineID(of: record.id, account.id), domain: domain, account: account.id,
            entity: "feed \(feed.name)", content: try JSONValue.object(record.content ?? [:]).text(),
            reason: reason, at: now()))
      }
    }
    return (counts, refused)
  }
}

/// What a pull did, in records.
public struct PullCounts: Sendable, Equatable {
  public var written = 0
  public var deleted = 0
  public var unchanged = 0
  /// Records that differ from a row here that the server hasn't seen; see `SyncConflict`.
  public var conflicts = 0
  /// Records that are none of the feed's; they are quarantined.
  public var refused = 0

  public init() {}

  public static func += (left: inout PullCounts, right: PullCounts) {
    left.written += right.written
    left.deleted += right.deleted
    left.unchanged += right.unchanged
    left.conflicts += right.conflicts
    left.refused += right.refused
  }
}
