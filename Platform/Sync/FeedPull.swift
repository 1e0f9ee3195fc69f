import FerryKernel
import FerryStore

/// Pulls one feed of one account, from its cursor to the end. A page's records and the cursor that covers them
/// are one transaction, so an interrupted pull goes on where it was. While a page is written the next one is on its
/// way, and no more than that one.
struct FeedPull: Sendable {
  let link: FeedLink
  /// Records a page, and so a transaction.
  var pageSize = 1000
  /// For whom differences are settled.
  var side = ApplyContext.Side.rules
  /// How many records may go; nil: however many.
  var allowance: DeleteAllowance?

  /// Called inside each page's transaction, before it commits.
  typealias OnPage = @Sendable (PullCounts, borrowing Transaction<DeviceScope>) throws -> Void

  /// - Parameters:
  ///   - pages: those that were read already, from where the pull begins.
  ///   - didCommit: told what each page did, once that is certain.
  @discardableResult
  func run(
    _ pages: [RemotePage] = [], onPage: @escaping OnPage = { _, _ in },
    didCommit: @Sendable (PullCounts) -> Void = { _ in }
  ) async throws -> PullCounts {
    let start = try await FeedPull.start(of: link)
    var total = PullCounts()
    var cursor = start.cursor
    var number = 0
    var page = try await self.page(0, of: pages, at: start.position)
    while true {
      try Task.checkCancellation()
      // The first page may well end where an earlier pull did: it began before that.
      guard !page.hasMore || number == 0 || page.cursor != cursor else {
        throw RemoteError.badAnswer(
          where: "A page of \(link.feed.name)", why: "it has more but its cursor stands still")
      }
      let (current, next) = (page, number + 1)
      async let following = current.hasMore ? self.page(next, of: pages, at: .after(current.cursor)) : nil
      let isEnd = !current.hasMore
      if !current.records.isEmpty || current.cursor != cursor || (start.isWhole && isEnd) {
        let step = Step(isWhole: start.isWhole, isStart: cursor == nil, isEnd: isEnd)
        let counts = try await commit(current, step, onPage)
        total += counts
        didCommit(counts)
      }
      guard let upcoming = try await following else { return total }
      (cursor, page, number) = (current.cursor, upcoming, next)
    }
  }

  private func page(_ number: Int, of pages: [RemotePage], at position: PullPosition) async throws
    -> RemotePage
  {
    if number < pages.count { return pages[number] }
    return try await link.remote.changes(
      in: link.feed.name, of: link.account.id, from: position, limit: pageSize)
  }

  /// Where a pull begins.
  struct Start: Sendable {
    /// Whether the table was emptied and every record is fetched again (traps K4): by a cursor of its own, so that
    /// an interrupted pull goes on where it was, and the cursor that covers no row any more counts for nothing.
    let isWhole: Bool
    let cursor: String?

    var position: PullPosition { cursor.map(PullPosition.resuming) ?? .beginning }
  }

  static func start(of link: FeedLink) async throws -> Start {
    try await link.account.read { snapshot in
      let isWhole = try snapshot.tablesToRefill().contains(link.feed.table.name)
      let name = FeedCursor.name(of: link.feed, isWhole: isWhole)
      return Start(isWhole: isWhole, cursor: try snapshot.find(FeedCursor.self, name)?.cursor)
    }
  }

  /// Where a page stands in its pull.
  private struct Step {
    let isWhole: Bool
    let isStart: Bool
    let isEnd: Bool
  }

  private func commit(_ page: RemotePage, _ step: Step, _ onPage: @escaping OnPage) async throws -> PullCounts
  {
    let counts = try await link.write { transaction in
      let counts = try link.apply(page.records, side: side, in: transaction)
      try allowance?.check(counts.deleted, link.feed)
      try transaction.in(link.account) { transaction in
        let name = FeedCursor.name(of: link.feed, isWhole: step.isWhole && !step.isEnd)
        try transaction.upsert(FeedCursor(feed: name, cursor: page.cursor))
        if step.isWhole, step.isEnd {
          try transaction.delete(FeedCursor.self, FeedCursor.name(of: link.feed, isWhole: true))
          try transaction.didRefill(link.feed.table)
        }
      }
      try onPage(counts, transaction)
      return counts
    }
    allowance?.use(counts.deleted)
    return counts
  }
}

/// How many records of a feed one run may delete here, however many pulls it makes.
final class DeleteAllowance: Sendable {
  private let deletes: Int
  private let total: Int
  private let used = Locked(0)

  /// - Parameter total: how many records there are.
  init(_ deletes: Int, of total: Int) { (self.deletes, self.total) = (deletes, total) }

  /// Stops a transaction that deletes too many.
  func check(_ count: Int, _ feed: Feed) throws {
    let sum = used.withLock { $0 } + count
    guard sum <= deletes else {
      throw SyncError.brake(feed: feed.name, .incoming, deletes: sum, of: total, allowed: deletes)
    }
  }

  /// Counts what a transaction has deleted.
  func use(_ count: Int) { used.withLock { $0 += count } }
}
