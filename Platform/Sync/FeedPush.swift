import FerryKernel
import FerryStore

/// Pushes what waits in the outbox of one feed of one account, oldest first, once everything was pulled.
///
/// What is sent is written down before, and what was answered in one transaction for each request, so that a kill at
/// any point costs a repetition and no more. A row that is edited while it is on its way stays in the outbox.
struct FeedPush: Sendable {
  let link: FeedLink
  /// Changes a request.
  let limit: Int
  /// How many deletions may go.
  let allowedDeletes: Int
  /// How many records the server is known to hold.
  let known: Int
  /// What pauses between rounds are measured with.
  let clock: any Clock<Duration>

  /// How often what wasn't settled at once is tried in one run.
  static let rounds = 5

  /// - Parameter didCommit: told what each request did, once that is certain.
  func run(didCommit: @Sendable (SyncCounts) -> Void) async throws {
    try await releaseGone()
    let (size, held) = try await link.account.read { [link] snapshot in
      (try snapshot.outboxSize(of: link.feed.table), try link.held(in: snapshot))
    }
    guard size.last > 0 else { return try await forgetSent() }
    let deletes = size.deletes - held.deletes
    guard deletes <= allowedDeletes else {
      throw SyncError.brake(
        feed: link.feed.name, .outgoing, deletes: deletes, of: known, allowed: allowedDeletes)
    }
    for round in 1...FeedPush.rounds {
      if round > 1 { try await clock.sleep(for: .milliseconds(50 << round)) }
      // What is edited from now on is for the next run: somebody who types all the time would keep this one going.
      if try await pass(through: size.last, didCommit) == 0 { return try await forgetSent() }
    }
    let open = try await pass(through: size.last, didCommit)
    var counts = SyncCounts()
    counts.push.unsure = open
    didCommit(counts)
  }

  /// Sends everything once.
  ///
  /// - Returns: how many changes are to be sent again.
  private func pass(through last: Int64, _ didCommit: @Sendable (SyncCounts) -> Void) async throws -> Int {
    var (open, after) = (0, Int64(0))
    while true {
      try Task.checkCancellation()
      let start = after
      let batch = try await link.write { try prepare(after: start, through: last, in: $0) }
      didCommit(batch.counts)
      guard let end = batch.end else { return open }
      after = end
      open += batch.open
      if batch.changes.isEmpty { continue }
      let outcomes = try await link.remote.push(
        batch.changes.map(\.change), to: link.feed.name, of: link.account.id)
      guard outcomes.count == batch.changes.count else {
        throw RemoteError.badAnswer(
          where: "The answer to a push to \(link.feed.name)", why: "it has \(outcomes.count) outcomes")
      }
      let judged = try await judged(zip(batch.changes, outcomes))
      let result = try await link.write(durability: .powerLoss) { try acknowledge(judged, in: $0) }
      didCommit(result.counts)
      open += result.open
      if let error = result.error { throw error }
    }
  }

  /// Everything is answered: nothing is on its way any more.
  private func forgetSent() async throws {
    let isThere = try await link.account.read { [link] snapshot in
      try snapshot.first(SentChange.where { $0.feed == link.feed.name }) != nil
    }
    guard isThere else { return }
    try await link.writeRows { [link] in try $0.delete(SentChange.where { $0.feed == link.feed.name }) }
  }

  /// Frees what was held and isn't in the outbox any more: it was made undone.
  private func releaseGone() async throws {
    let held = try await link.account.read { [link] snapshot in
      try snapshot.fetch(HeldChange.where { $0.feed == link.feed.name }).filter { held in
        try snapshot.outboxEntry(of: link.feed.table, held.record) == nil
      }
    }
    if held.isEmpty { return }
    try await link.write { transaction in
      for change in held { try link.feed.release(change.record, link.account, in: transaction) }
    }
  }
}

extension Feed {
  /// Under which name a row that the server doesn't take is quarantined.
  public func heldID(of record: String, _ account: AccountID) -> String {
    "push \(name)/\(account)/\(record)"
  }

  /// Sends a row again that the server didn't take.
  public func sendAgain(_ record: String, of account: AccountStore) throws {
    try account.store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      try release(record, account, in: transaction)
    }
  }

  func release(_ record: String, _ account: AccountStore, in transaction: borrowing Transaction<DeviceScope>)
    throws
  {
    try transaction.delete(QuarantinedRow.self, heldID(of: record, account.id))
    try transaction.in(account) { try $0.delete(HeldChange.self, "\(name)/\(record)") }
  }
}
