import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote
import TestKit
import Testing

/// Three devices of one account on one server, and what each of them wrote.
struct KintoLab {
  private let seed: UInt64
  private let fixture: KintoFixture
  private let user: KintoUser
  private let account: AccountID
  private let devices: [SyncDevice]
  private let isCured: Bool
  private let written = Locked(Written())
  private let winners = Locked(Winners())
  private let deaths = Locked((workers: 0, servers: 0, runs: 0))

  struct Written {
    var tags: [String: String] = [:]
    /// Tags that a card had when somebody deleted it.
    var gone: Set<String> = []
    var count = 0
  }

  /// - Parameter isCured: whether the server lets one write at a time through, and so loses none.
  init(_ fixture: KintoFixture, seed: UInt64, isCured: Bool) async throws {
    (self.fixture, self.seed, self.isCured) = (fixture, seed, isCured)
    user = try await fixture.user()
    account = try AccountID(server: "home", user: user.name)
    var devices: [SyncDevice] = []
    for _ in 0..<3 { devices.append(try await SyncDevice([account])) }
    self.devices = devices
  }

  /// Whether so much has happened that there is something to be seen, however slow the machine is.
  private var isEnough: Bool {
    let (workers, servers, runs) = deaths.withLock { $0 }
    return workers > 1 && servers > 0 && runs > 12 && written.withLock { $0.tags.count } > 20
  }

  /// Everybody writes and syncs until the time is over, and longer where hardly anything happened in it.
  func play(for time: Duration) async throws {
    let end = ContinuousClock.now + time
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in devices.indices { group.addTask { try await work(number, until: end) } }
      group.addTask { try await killServers(until: end) }
      try await group.waitForAll()
    }
    let (workers, servers, runs) = deaths.withLock { $0 }
    print("FERRY_SEED=\(seed): \(runs) runs, \(workers) killed; the server \(servers) times")
  }

  /// A person who writes, beside workers that come one after the other and are killed now and then.
  private func work(_ number: Int, until end: ContinuousClock.Instant) async throws {
    var random = SplitMix64(seed: seed &* 31 &+ UInt64(number))
    let device = devices[number]
    while ContinuousClock.now < end || !isEnough {
      for _ in 0..<Int.random(in: 1...4, using: &random) { try act(device, random.next()) }
      let worker = SyncChild(device.folder.path, fixture, user, seed: random.next())
      let life = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 50...1500, using: &random) : nil
      let edits = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        (pause: Int.random(in: 0...300, using: &random), seed: random.next() as UInt64)
      }
      async let meanwhile: Void = write(edits, on: device)
      let run = try await worker.run(life.map { .milliseconds($0) })
      try await meanwhile
      winners.withLock { $0.add(run.lines, of: number) }
      deaths.withLock { deaths in
        deaths.runs += 1
        if run.isKilled { deaths.workers += 1 }
      }
      for failure in run.lines where failure["failed"] != nil {
        let isMeant = failure["failed"]?.stringValue == SyncFailure.Kind.network.rawValue
        #expect(isMeant, "FERRY_SEED=\(seed), device \(number): \(failure)")
      }
      let isWhole = run.isKilled || run.lines.last?["end"] != nil
      #expect(isWhole, "FERRY_SEED=\(seed), device \(number): \(run)")
      if Int.random(in: 0..<5, using: &random) == 0 { await device.restart() }
    }
  }

  private func write(_ edits: [(pause: Int, seed: UInt64)], on device: SyncDevice) async throws {
    for edit in edits {
      try await Task.sleep(for: .milliseconds(edit.pause))
      try act(device, edit.seed)
    }
  }

  private func killServers(until end: ContinuousClock.Instant) async throws {
    var random = SplitMix64(seed: seed &* 131)
    repeat {
      try await Task.sleep(for: .milliseconds(Int.random(in: 1500...5000, using: &random)))
      let isDatabase = Int.random(in: 0..<3, using: &random) == 0
      if isDatabase { try await fixture.killDatabase() } else { try await fixture.killServer() }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
      if isDatabase { try await fixture.startDatabase() } else { try await fixture.startServer() }
      deaths.withLock { $0.servers += 1 }
    } while ContinuousClock.now < end
  }

  /// Everybody syncs until nothing moves any more.
  func settle() async throws {
    let clock = HourlyClock()
    for _ in 0..<20 {
      var moved = false
      for device in devices {
        let now = clock.next()
        let report = try await device.sync(try remote(now), now: now)
        #expect(report.failures == 0, "FERRY_SEED=\(seed): \(report.units)")
        let total = report.total
        moved = moved || total.push != PushCounts() || total.pull.written + total.pull.deleted > 0
      }
      if !moved { return }
    }
    Issue.record("FERRY_SEED=\(seed): the devices never come to rest")
  }

  private func remote(_ now: @escaping @Sendable () -> Timestamp) throws -> any Remote {
    guard let secret = Secret(user.password) else { throw GoldenFault("no secret") }
    return KintoRemote(
      server: try KintoServer(name: "home", url: fixture.url), client: CurlClient(), secret: { _ in secret },
      now: now)
  }

  func check() async throws {
    let there = try await onServer()
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
    // With the cure the server loses nothing, and nothing is forgiven.
    let lost = isCured ? [] : winners.withLock { $0.lost }
    for (tag, card) in tags where !kept.contains(tag) && !gone.contains(tag) && !lost.contains(tag) {
      Issue.record("FERRY_SEED=\(seed): \(tag) of \(card) is lost")
    }
  }

  /// What the server holds, asked past all code that is under test.
  private func onServer() async throws -> [String: JSONObject] {
    let all = try await fixture.request(
      "GET", "/buckets/default/collections/cards/records?_limit=10000", as: user)
    var there: [String: JSONObject] = [:]
    for record in all.body["data"]?.arrayValue ?? [] {
      guard let id = record["id"]?.stringValue.flatMap(RecordName.init(server:)) else { continue }
      var content = record.objectValue ?? JSONObject()
      for name in ["id", "last_modified", "schema"] { content[name] = nil }
      there[id.key(in: "cards")] = content
    }
    return there
  }

  func close() async { for device in devices { await device.restart() } }

  /// Something that a person does.
  private func act(_ device: SyncDevice, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let name = "c\(Int.random(in: 0..<12, using: &random))"
    let number = written.withLock { written in
      written.count += 1
      return written.count
    }
    let dice = Int.random(in: 0..<10, using: &random)
    guard let key = CardID(name) else { return }
    try device.account(account).blockingWrite { [written] transaction in
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

/// Which changes the server may have taken, by the record and the revision that they started from.
private struct Winners {
  private var sent: [String: [(device: Int, tags: Set<String>)]] = [:]

  /// Adds what a worker said. What was certainly refused is taken off; of what a killed one sent nobody knows.
  mutating func add(_ lines: [JSONValue], of device: Int) {
    for line in lines {
      if let key = line["sends"]?.stringValue {
        let tags = line["tags"]?.arrayValue?.compactMap(\.stringValue) ?? []
        sent[key, default: []].append((device, Set(tags)))
      }
      if let key = line["not"]?.stringValue,
        let place = sent[key]?.lastIndex(where: { $0.device == device })
      {
        sent[key]?.remove(at: place)
      }
    }
  }

  /// What was in some of the changes that the server let win from the same revision, and not in all of them: it lost
  /// one of them.
  var lost: Set<String> {
    var lost: Set<String> = []
    for all in sent.values where Set(all.map(\.device)).count > 1 {
      let everywhere = all.dropFirst().reduce(all[0].tags) { $0.intersection($1.tags) }
      for one in all { lost.formUnion(one.tags.subtracting(everywhere)) }
    }
    return lost
  }
}
