import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote
import TestKit
import Testing

/// Three devices on one Kinto server with PostgreSQL and several threads, which all write at once, while workers
/// and the server are killed and started again.
///
///     FERRY_SEED=7 swift test --filter 'Three devices on one Kinto'
///
/// A seed chooses what everybody does; when it happens, the machine decides.
@Suite(.serialized) struct `Three devices on one Kinto server` {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seeds: [UInt64] =
    environment["FERRY_SEED"].flatMap(UInt64.init).map { [$0] }
    ?? Array(1...(environment["FERRY_KINTO_SEEDS"].flatMap(UInt64.init) ?? 3))
  private static let seconds = environment["FERRY_KINTO_SECONDS"].flatMap(Int64.init) ?? 15

  @Test(arguments: seeds)
  func `come to the same cards, and no acknowledged write is lost but what the server lost itself`(
    seed: UInt64
  )
    async throws
  {
    print("FERRY_SEED=\(seed)")
    // Every third has the lock that cures the races; the others are as a plain installation is.
    let fixture = try await KintoFixture.own(seed % 3 == 0 ? .lockedPostgresql : .postgresql)
    let lab = try await KintoLab(fixture, seed: seed)
    try await lab.play(for: .seconds(Self.seconds))
    try await lab.settle()
    try await lab.check()
    await lab.close()
  }
}

/// The devices, and what each of them wrote.
private struct KintoLab {
  private let seed: UInt64
  private let fixture: KintoFixture
  private let user: KintoUser
  private let account: AccountID
  private let devices: [SyncDevice]
  private let written = Locked(Written())
  private let winners = Locked(Winners())

  struct Written {
    var tags: [String: String] = [:]
    /// Tags that a card had when somebody deleted it.
    var gone: Set<String> = []
    var count = 0
  }

  /// Which changes the server acknowledged, by what they started from.
  struct Winners {
    var by: [String: [(device: Int, tags: [String])]] = [:]

    /// What was in changes of which the server let two win: it lost one of them.
    var lost: Set<String> {
      var lost: Set<String> = []
      for all in by.values where Set(all.map(\.device)).count > 1 { lost.formUnion(all.flatMap(\.tags)) }
      return lost
    }
  }

  init(_ fixture: KintoFixture, seed: UInt64) async throws {
    (self.fixture, self.seed) = (fixture, seed)
    user = try await fixture.user()
    account = try AccountID(server: "home", user: user.name)
    var devices: [SyncDevice] = []
    for _ in 0..<3 { devices.append(try await SyncDevice([account])) }
    self.devices = devices
  }

  private func remote(_ device: Int) throws -> any Remote {
    var server = try KintoServer(name: "home", url: fixture.url)
    server.patience.firstPause = .milliseconds(20)
    server.patience.longestWish = .seconds(1)
    server.patience.tries = 3
    guard let secret = Secret(user.password) else { throw GoldenFault("no secret") }
    let kinto = KintoRemote(
      server: server, client: CurlClient(), secret: { _ in secret }, now: FixedClock.now)
    return WinnersRemote(kinto) { [winners] change in
      guard case .revision(let base) = change.precondition else { return }
      let tags = change.content?["tags"]?.arrayValue?.compactMap(\.stringValue) ?? []
      winners.withLock { $0.by["\(change.id) \(base)", default: []].append((device, tags)) }
    }
  }

  /// Everybody writes and syncs until the time is over.
  func play(for time: Duration) async throws {
    let end = ContinuousClock.now + time
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in devices.indices { group.addTask { try await work(number, until: end) } }
      group.addTask { try await killServer(until: end) }
      try await group.waitForAll()
    }
  }

  private func work(_ number: Int, until end: ContinuousClock.Instant) async throws {
    var random = SplitMix64(seed: seed &* 31 &+ UInt64(number))
    let (device, written) = (devices[number], written)
    let base = try remote(number)
    while ContinuousClock.now < end {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        try KintoLab.act(device, account, random.next(), written)
      }
      var odds = ChaosRemote.Odds()
      (odds.hidden, odds.undone, odds.unreachable) = (0, 0, 1)
      let next = Locked(random.next() as UInt64)
      let chaos = ChaosRemote(base, seed: random.next(), odds: odds) { [account] in
        let seed = next.withLock { seed in
          seed &+= 1
          return seed
        }
        try KintoLab.act(device, account, seed, written)
      }
      let report = try await device.sync(chaos)
      for case .failed(let failure) in report.units.map(\.outcome) {
        let isMeant = failure.kind == .network || failure.reason.contains("Killed")
        #expect(isMeant, "FERRY_SEED=\(seed): \(failure)")
      }
      if Int.random(in: 0..<5, using: &random) == 0 { await device.restart() }
    }
  }

  private func killServer(until end: ContinuousClock.Instant) async throws {
    var random = SplitMix64(seed: seed &* 131)
    while true {
      try await Task.sleep(for: .milliseconds(Int.random(in: 1500...5000, using: &random)))
      guard ContinuousClock.now < end else { return }
      try await fixture.killServer()
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
      try await fixture.startServer()
    }
  }

  /// Everybody syncs until nothing moves any more.
  func settle() async throws {
    for _ in 0..<20 {
      var moved = false
      for (number, device) in devices.enumerated() {
        let report = try await device.sync(try remote(number))
        #expect(report.failures == 0, "FERRY_SEED=\(seed): \(report.units)")
        let total = report.total
        moved = moved || total.push != PushCounts() || total.pull.written + total.pull.deleted > 0
      }
      if !moved { return }
    }
    Issue.record("FERRY_SEED=\(seed): the devices never come to rest")
  }

  func check() async throws {
    let all = try await fixture.request(
      "GET", "/buckets/default/collections/cards/records?_limit=10000", as: user)
    var there: [String: JSONObject] = [:]
    for record in all.body["data"]?.arrayValue ?? [] {
      guard let id = record["id"]?.stringValue.flatMap(RecordName.init(server:)) else { continue }
      var content = record.objectValue ?? JSONObject()
      for name in ["id", "last_modified", "schema"] { content[name] = nil }
      there[id.key(in: "cards")] = content
    }
    for (number, device) in devices.enumerated() {
      let name = "FERRY_SEED=\(seed), device \(number)"
      let cards = try device.cards()
      #expect(try device.outbox().isEmpty, "\(name)")
      #expect(try device.quarantine().isEmpty, "\(name)")
      #expect(cards.map(\.id.rawValue) == there.keys.sorted(), "\(name)")
      let forms = try device.account().blockingRead { snapshot in
        try cards.map { try Domain.card.feeds[0].encode($0.id.rawValue, snapshot) }
      }
      for (card, form) in zip(cards, forms) {
        #expect(form == there[card.id.rawValue], "\(name), \(card.id)")
      }
    }
    let kept = Set(try devices[0].cards().flatMap(\.tags))
    let (tags, gone) = written.withLock { ($0.tags, $0.gone) }
    let lost = winners.withLock { $0.lost }
    for (tag, card) in tags where !kept.contains(tag) && !gone.contains(tag) && !lost.contains(tag) {
      Issue.record("FERRY_SEED=\(seed): \(tag) of \(card) is lost")
    }
    #expect(tags.count > 20, "FERRY_SEED=\(seed): hardly anything happened")
  }

  func close() async { for device in devices { await device.restart() } }

  /// Something that a person does.
  private static func act(
    _ device: SyncDevice, _ account: AccountID, _ seed: UInt64, _ written: Locked<Written>
  )
    throws
  {
    var random = SplitMix64(seed: seed)
    let name = "c\(Int.random(in: 0..<12, using: &random))"
    let number = written.withLock { written in
      written.count += 1
      return written.count
    }
    let dice = Int.random(in: 0..<10, using: &random)
    guard let key = CardID(name) else { return }
    try device.account(account).blockingWrite { transaction in
      let card = try transaction.find(Card.self, key)
      if let card, dice < 2 {
        try transaction.delete(Card.self, key)
        return written.withLock { $0.gone.formUnion(card.tags) }
      }
      var new = card ?? Card(id: key)
      new.tags.append("t\(number)")
      (new.changedAt, new.rank) = (Timestamp(nanoseconds: Int64(number)), Int64(number))
      if dice < 6 { new.title = "title \(number)" }
      if dice == 6 { new.note = "note \(number)" }
      try transaction.upsert(new)
      written.withLock { $0.tags["t\(number)"] = name }
    }
  }
}

/// Tells which changes a server acknowledged.
private struct WinnersRemote: Remote {
  private let base: any Remote
  private let didWin: @Sendable (RemoteChange) -> Void

  init(_ base: any Remote, didWin: @escaping @Sendable (RemoteChange) -> Void) {
    (self.base, self.didWin) = (base, didWin)
  }

  func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws -> [PushOutcome] {
    let outcomes = try await base.push(changes, to: feed, of: account)
    for case (let change, .done) in zip(changes, outcomes) { didWin(change) }
    return outcomes
  }

  func session(of account: AccountID) async throws -> RemoteSession { try await base.session(of: account) }
  func changes(in feed: String, of account: AccountID, from position: PullPosition, limit: Int) async throws
    -> RemotePage
  {
    try await base.changes(in: feed, of: account, from: position, limit: limit)
  }
  func count(in feed: String, of account: AccountID) async throws -> Int {
    try await base.count(in: feed, of: account)
  }
  func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing
  {
    try await base.listing(of: feed, of: account, after: cursor, limit: limit)
  }
  func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord? {
    try await base.record(id, in: feed, of: account)
  }
  func mark(of feed: String, of account: AccountID) async throws -> String? {
    try await base.mark(of: feed, of: account)
  }
  func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String {
    try await base.setMark(mark, of: feed, of: account)
  }
  func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws {
    try await base.download(blob, of: account, to: path)
  }
  func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws -> (
    blob: RemoteBlob, revision: Int64
  ) {
    try await base.upload(file, to: record, in: feed, of: account)
  }
}
