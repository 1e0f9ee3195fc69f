import FerryKernel

/// A feed as a server keeps it: of each record the last change, in ascending order of revision. The rules of
/// `Remote` stated once, for the remotes that are their own server.
package struct FeedHistory: Sendable {
  /// What each record's last change left; a tombstone has no content.
  package private(set) var records: [RemoteRecord] = []
  /// The revision of the last change.
  package private(set) var revision: Int64 = 0
  private let first: Int64
  private var places: [[UInt8]: Int] = [:]

  /// A feed without a change.
  ///
  /// - Parameter revision: what the feed's revision is at the start.
  package init(from revision: Int64 = 0) { (self.revision, first) = (revision, revision) }

  /// Takes a change that was made already.
  ///
  /// - Returns: false where its revision doesn't grow, and nothing was taken.
  package mutating func append(_ record: RemoteRecord) -> Bool {
    guard record.revision > revision else { return false }
    let id = Array(record.id.utf8)
    // What was superseded is left in place as a gap: moving all that follows for each change would take
    // quadratic time.
    if let place = places[id] { superseded.insert(place) }
    places[id] = records.count
    records.append(record)
    revision = record.revision
    if superseded.count > records.count / 2 + 16 { close() }
    return true
  }

  private var superseded: Set<Int> = []

  /// Each record as it is, tombstones too, in ascending order of revision.
  package var live: [RemoteRecord] { records.indices.filter { !superseded.contains($0) }.map { records[$0] } }

  /// Lets the next change have a revision above this one.
  package mutating func skip(to revision: Int64) { self.revision = max(self.revision, revision) }

  /// Removes the gaps.
  private mutating func close() {
    records = records.enumerated().filter { !superseded.contains($0.offset) }.map(\.element)
    superseded = []
    places = [:]
    for (place, record) in records.enumerated() { places[Array(record.id.utf8)] = place }
  }

  /// The record under an id, which may be a tombstone.
  package func record(_ id: String) -> RemoteRecord? { places[Array(id.utf8)].map { records[$0] } }

  /// What would become of a change, and the record that it would leave.
  package func judge(_ change: RemoteChange) -> (outcome: PushOutcome, record: RemoteRecord?) {
    let existing = record(change.id).flatMap { $0.content == nil ? nil : $0 }
    switch (change.precondition, existing) {
    case (.absent, nil): break
    case (.revision, nil): return (.gone, nil)
    case (.revision(let revision), let existing?) where existing.revision == revision: break
    case (_, let existing?):
      // The very content that was to be written: an earlier answer was lost.
      if let content = change.content, content == existing.content {
        return (.done(revision: existing.revision), nil)
      }
      return (.conflict(existing: existing), nil)
    }
    let next = RemoteRecord(id: change.id, revision: revision + 1, content: change.content)
    return (.done(revision: next.revision), next)
  }

  /// Makes a change, if its precondition holds.
  package mutating func apply(_ change: RemoteChange) -> (outcome: PushOutcome, record: RemoteRecord?) {
    let (outcome, record) = judge(change)
    if let record { _ = append(record) }
    return (outcome, record)
  }

  /// The page at a position.
  package func page(of feed: String, from position: PullPosition, limit: Int) throws -> RemotePage {
    let after = try FeedHistory.revision(position.cursor, feed)
    guard after <= revision else { throw RemoteError.wentBack(feed: feed, from: after, to: revision) }
    if after > 0, after < revision, records.last?.revision ?? 0 <= after {
      throw RemoteError.flushed(feed: feed, from: after, to: revision)
    }
    var page: [RemoteRecord] = []
    var hasMore = false
    for place in index(after: after)..<records.count where !superseded.contains(place) {
      guard page.count < limit else {
        hasMore = true
        break
      }
      page.append(records[place])
    }
    return RemotePage(
      records: page, cursor: String(page.last?.revision ?? max(after, first)), hasMore: hasMore,
      revision: revision)
  }

  /// How many records there are, tombstones not counted.
  package var count: Int {
    records.indices.count { !superseded.contains($0) && records[$0].content != nil }
  }

  package func listing(of feed: String, after cursor: String?, limit: Int) throws -> RemoteListing {
    let page = try page(of: feed, from: cursor.map(PullPosition.after) ?? .beginning, limit: limit)
    return RemoteListing(
      entries: page.records.filter { $0.content != nil }.map { .init(id: $0.id, revision: $0.revision) },
      cursor: page.hasMore ? page.cursor : nil)
  }

  private func index(after revision: Int64) -> Int {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].revision <= revision { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func revision(_ cursor: String?, _ feed: String) throws -> Int64 {
    guard let cursor else { return 0 }
    guard let revision = Int64(cursor) else {
      throw RemoteError.badAnswer(where: "The cursor \(cursor) of \(feed)", why: "it is no revision")
    }
    return revision
  }
}
