import FerryKernel
import FerryStore
import FerrySync

/// A server that a seed makes faulty, as networks, kills and Kinto on PostgreSQL are: requests that don't arrive, answers
/// that are lost, batches that are cut or undone, records that a pull doesn't show, and a process that ends at
/// any request.
public final class ChaosRemote: Remote {
  /// The process ends here: nothing after it happens.
  public struct Killed: Error {}

  /// How likely each is, in 100.
  public struct Odds: Sendable {
    public var kill = 4
    public var lost = 5
    public var unreachable = 4
    public var undone = 5
    /// A pull doesn't show what was written last, and its cursor passes it.
    public var hidden = 10
    /// Another one writes here meanwhile.
    public var meanwhile = 10

    public init() {}

    public static var none: Odds {
      var odds = Odds()
      (odds.kill, odds.lost, odds.unreachable, odds.undone, odds.hidden, odds.meanwhile) = (0, 0, 0, 0, 0, 0)
      return odds
    }
  }

  private let base: any Remote
  private let state: Locked<(random: SplitMix64, odds: Odds)>
  /// The lowest revision that a pull of this device didn't show: the next one steps back to it, as it does by
  /// time where the server is Kinto.
  private let hidden: Locked<Int64?>
  /// Called before some requests, as when a person edits on this device while it syncs.
  private let meanwhile: @Sendable () throws -> Void
  private let die: @Sendable () -> Void

  /// - Parameters:
  ///   - hidden: what this device's pulls weren't shown, kept from one run to the next.
  ///   - meanwhile: called before some requests, and after some answers.
  ///   - die: ends the process in earnest, where it is one of its own.
  package init(
    _ base: any Remote, seed: UInt64, odds: Odds, hidden: Locked<Int64?> = Locked(nil),
    meanwhile: @escaping @Sendable () throws -> Void = {}, die: @escaping @Sendable () -> Void = {}
  ) {
    (self.base, self.hidden, self.meanwhile, self.die) = (base, hidden, meanwhile, die)
    state = Locked((SplitMix64(seed: seed), odds))
  }

  private func happens(_ odds: KeyPath<Odds, Int>) -> Bool {
    state.withLock { Int.random(in: 0..<100, using: &$0.random) < $0.odds[keyPath: odds] }
  }

  private func below(_ count: Int) -> Int {
    state.withLock { Int.random(in: 0..<max(1, count), using: &$0.random) }
  }

  private func begin() throws {
    try end()
    if happens(\.unreachable) { throw RemoteError.unreachable(server: "home", why: "chaos") }
  }

  /// Whatever may come between any two things.
  private func end() throws {
    if happens(\.meanwhile) { try meanwhile() }
    guard happens(\.kill) else { return }
    die()
    throw Killed()
  }

  public func session(of account: AccountID) async throws -> RemoteSession {
    try begin()
    let session = try await base.session(of: account)
    return RemoteSession(
      user: session.user, batchLimit: 1 + below(6), isReadOnly: session.isReadOnly,
      keepsBlobs: session.keepsBlobs)
  }

  public func changes(in feed: String, of account: AccountID, from position: PullPosition, limit: Int)
    async throws
    -> RemotePage
  {
    try begin()
    var position = position
    if case .resuming(let cursor) = position, let known = Int64(cursor) {
      let back = hidden.withLock { $0 ?? known }
      position = .resuming(String(max(0, min(known, back - 1))))
    }
    let page = try await base.changes(in: feed, of: account, from: position, limit: 1 + below(9))
    try end()
    guard !page.hasMore, page.records.count > 1, happens(\.hidden) else { return page }
    // The cursor stands behind a record that this pull doesn't show: its writer hadn't committed yet.
    var records = page.records
    let revision = records.remove(at: below(records.count - 1)).revision
    hidden.withLock { $0 = min($0 ?? revision, revision) }
    return RemotePage(records: records, cursor: page.cursor, hasMore: false, revision: page.revision)
  }

  public func count(in feed: String, of account: AccountID) async throws -> Int {
    try begin()
    return try await base.count(in: feed, of: account)
  }

  public func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing
  {
    try begin()
    return try await base.listing(of: feed, of: account, after: cursor, limit: 1 + below(9))
  }

  public func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord? {
    try begin()
    return try await base.record(id, in: feed, of: account)
  }

  public func mark(of feed: String, of account: AccountID) async throws -> String? {
    try begin()
    return try await base.mark(of: feed, of: account)
  }

  public func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String {
    try begin()
    let mark = try await base.setMark(mark, of: feed, of: account)
    try end()
    return mark
  }

  public func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws
    -> [PushOutcome]
  {
    try begin()
    if happens(\.lost) {
      // As far as it came, and no word of it.
      let done = below(changes.count + 1)
      _ = try await base.push(Array(changes.prefix(done)), to: feed, of: account)
      try end()
      return changes.map { _ in .unknown }
    }
    if happens(\.undone) {
      let place = below(changes.count)
      let rest = try await base.push(Array(changes.dropFirst(place + 1)), to: feed, of: account)
      try end()
      return changes.prefix(place + 1).map { _ in .unknown } + rest
    }
    let outcomes = try await base.push(changes, to: feed, of: account)
    try end()
    return outcomes
  }

  public func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws {
    try await base.download(blob, of: account, to: path)
  }

  public func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws
    -> (
      blob: RemoteBlob, revision: Int64
    )
  {
    try await base.upload(file, to: record, in: feed, of: account)
  }

  public func notice(of account: AccountID) -> RemoteNotice { base.notice(of: account) }

  public var traffic: RemoteTraffic { base.traffic }
}
