import FerryKernel
import FerryStore

/// Reads what a feed's next pull would bring, and makes the plan of it: which server it is, what would be written
/// and deleted on either side. Nothing is written, here or there.
struct FeedScan: Sendable {
  let link: FeedLink
  let options: SyncOptions
  let isReadOnly: Bool

  /// Pages that are kept for the pull that follows. A longer one is read twice, so that memory stays flat.
  static let keptPages = 4

  func run() async throws -> PlannedFeed {
    let (name, id) = (link.feed.name, link.account.id)
    let start = try await FeedPull.start(of: link)
    let (state, size, held, kept) = try await link.account.read { [link] snapshot in
      (
        try snapshot.find(FeedState.self, link.feed.name), try snapshot.outboxSize(of: link.feed.table),
        try snapshot.remoteSize(of: link.feed.table), try link.held(in: snapshot)
      )
    }
    let mark = try await link.remote.mark(of: name, of: id)
    if options.takeover == nil, let was = state?.mark {
      guard let mark else { throw SyncError.otherServer(feed: name, account: id, isGone: true) }
      guard mark.utf8.elementsEqual(was.utf8) else {
        throw SyncError.otherServer(feed: name, account: id, isGone: false)
      }
    }
    let takeover = options.takeover ?? state?.takeover.flatMap(Takeover.init(rawValue:))
    var planned = PlannedFeed(
      link: link, plan: FeedPlan(account: id, feed: name), mark: mark, state: state, takeover: takeover,
      isNew: options.takeover != nil)
    planned.plan.known = held.count
    if start.cursor == nil, size.deletes > options.brake.floor {
      // Deletions that crossed, of records that weren't counted yet.
      planned.plan.known = max(held.count, try await countThere())
    }
    planned.plan.takeover = options.takeover
    planned.plan.allowedDeletes = options.allowance(of: planned.plan.known)
    planned.plan.outgoing = FeedPlan.Outgoing()
    planned.plan.outgoing.written = size.puts - kept.puts
    planned.plan.outgoing.deleted = isReadOnly ? 0 : size.deletes - kept.deletes
    do {
      try await read(start, held, into: &planned)
    } catch RemoteError.missingFeed
      where mark == nil && (start.cursor == nil || planned.isNew) && !isReadOnly
    {
      // Nobody has made it yet, or not since the server was wiped: the push will.
      planned.plan.incoming = PullCounts()
      if planned.takeover != nil { try await countUnknown(of: RemoteIDs.Hashes(), in: &planned) }
    }
    return planned
  }

  private func countThere() async throws -> Int {
    do {
      return try await link.remote.count(in: link.feed.name, of: link.account.id)
    } catch RemoteError.missingFeed {
      return 0
    }
  }

  private func read(
    _ start: FeedPull.Start, _ held: (count: Int, last: Int64), into planned: inout PlannedFeed
  ) async throws {
    // Only a row that the server is known to hold can be deleted by it, and only a pull that begins anew brings what
    // a takeover is about.
    let isCounted = options.isDryRun || planned.takeover != nil || held.count > options.brake.floor
    var incoming = PullCounts()
    var position = planned.isNew ? .beginning : start.position
    var (pages, isWhole) = ([RemotePage](), true)
    while true {
      try Task.checkCancellation()
      let page = try await link.remote.changes(
        in: link.feed.name, of: link.account.id, from: position, limit: options.pageSize)
      // What this device pushed last is behind its cursor, and must be there all the same.
      if !planned.isNew, let revision = page.revision, revision < held.last {
        throw RemoteError.wentBack(feed: link.feed.name, from: held.last, to: revision)
      }
      if pages.count < FeedScan.keptPages { pages.append(page) } else { isWhole = false }
      guard isCounted else { break }
      try await count(page, planned.takeover, into: &incoming, &planned.plan.outgoing)
      guard page.hasMore else { break }
      if case .after(page.cursor) = position {
        throw RemoteError.badAnswer(
          where: "A page of \(link.feed.name)", why: "it has more but its cursor stands still")
      }
      position = .after(page.cursor)
    }
    if isCounted {
      planned.plan.incoming = incoming
      planned.plan.outgoing.written += try await uncomparedRows()
    }
    if planned.takeover != nil { try await countUnknown(of: RemoteIDs(of: link).ids, in: &planned) }
    // What was read of a longer one would be old by the time it is read to its end.
    planned.pages = isWhole || !isCounted ? pages : []
  }

  private func count(
    _ page: RemotePage, _ takeover: Takeover?, into incoming: inout PullCounts,
    _ outgoing: inout FeedPlan.Outgoing
  ) async throws {
    guard !page.records.isEmpty else { return }
    let counts = try await link.account.read { [link] snapshot in
      var (incoming, outgoing) = (PullCounts(), FeedPlan.Outgoing())
      let context = ApplyContext(
        side: takeover == .fromDevice ? .device : .rules, isCurrent: takeover != nil,
        sent: try link.sent(in: snapshot))
      for record in page.records {
        let preview = try link.feed.preview(record, context, snapshot)
        incoming.add(preview.applied)
        outgoing.written += preview.puts
        outgoing.deleted += preview.deletions
      }
      return (incoming, outgoing)
    }
    incoming += counts.0
    outgoing.written += counts.1.written
    outgoing.deleted += counts.1.deleted
  }

  /// How many rows crossed and were never compared; each that the pull speaks of is taken off.
  private func uncomparedRows() async throws -> Int {
    try await link.account.read { [link] in try link.feed.uncomparedRows($0) }
  }

  /// Counts the rows that are on one side only, where one side is to be right.
  private func countUnknown(of there: RemoteIDs.Hashes, in planned: inout PlannedFeed) async throws {
    let rows = try await unknownRows(there)
    if planned.takeover == .fromServer {
      planned.plan.incoming?.deleted += rows
    } else {
      planned.plan.outgoing.written += rows
    }
  }

  /// How many rows were synced once, weren't changed since, and aren't on the server that is to be right.
  private func unknownRows(_ there: RemoteIDs.Hashes) async throws -> Int {
    try await link.account.read { [link] snapshot in
      var count = 0
      for areVoid in [false, true] {
        var last: String?
        while true {
          let keys = try snapshot.remoteKeys(of: link.feed.table, areVoid: areVoid, after: last, limit: 1000)
          for (key, _) in keys where !there.contains(key) {
            guard try snapshot.remoteState(of: link.feed.table, key)?.json != nil else { continue }
            if try snapshot.outboxEntry(of: link.feed.table, key) == nil { count += 1 }
          }
          guard let end = keys.last?.key else { break }
          last = end
        }
      }
      return count
    }
  }
}

extension Feed {
  /// How many rows crossed and were never compared with what a server holds. It gets those that it doesn't have.
  public func uncomparedRows(_ snapshot: borrowing Snapshot<AccountScope>) throws -> Int {
    var (count, last) = (0, String?.none)
    while true {
      let keys = try snapshot.uncomparedKeys(of: table, after: last, limit: 1000)
      guard let end = keys.last else { return count }
      for key in keys where try travels(key, snapshot) { count += 1 }
      last = end
    }
  }
}

/// A feed whose plan is made.
struct PlannedFeed: Sendable {
  let link: FeedLink
  var plan: FeedPlan
  /// The pull's first pages, where they were kept.
  var pages: [RemotePage] = []
  /// The mark that the feed has on the server; nil where it has none.
  let mark: String?
  /// What was known of the feed.
  let state: FeedState?
  /// What is under way.
  let takeover: Takeover?
  /// Whether it begins with this run.
  let isNew: Bool
}

/// Which records a server holds, as hashes: a listing of 100,000 takes some megabytes. Where two ids had one hash, a
/// record that is lost would be held for one that is there; nothing else follows from it.
struct RemoteIDs: Sendable {
  private(set) var ids = Hashes()
  /// Those whose revision isn't the one that is known here, or that aren't known here.
  private(set) var differing: [String] = []
  /// Whether there are more of them than are worth fetching one by one.
  private(set) var isFarOff = false

  static let mostFetched = 1000

  struct Hashes: Sendable {
    private var hashes: Set<Int> = []

    func contains(_ id: String) -> Bool { hashes.contains(Hashes.hash(id)) }

    mutating func add(_ id: String) { hashes.insert(Hashes.hash(id)) }

    private static func hash(_ id: String) -> Int {
      var hasher = Hasher()
      for byte in id.utf8 { hasher.combine(byte) }
      return hasher.finalize()
    }
  }

  init(of link: FeedLink) async throws {
    var cursor: String?
    repeat {
      try Task.checkCancellation()
      let page = try await link.remote.listing(
        of: link.feed.name, of: link.account.id, after: cursor, limit: 5000)
      for entry in page.entries { ids.add(entry.id) }
      differing += try await link.account.read { snapshot in
        try page.entries.filter { entry in
          try snapshot.remoteState(of: link.feed.table, entry.id).map {
            $0.json == nil || $0.revision != entry.revision
          } ?? true
        }.map(\.id)
      }
      if differing.count > RemoteIDs.mostFetched { (differing, isFarOff) = ([], true) }
      cursor = page.cursor
    } while cursor != nil
  }
}
