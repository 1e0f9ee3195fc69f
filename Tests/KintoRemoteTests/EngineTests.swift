import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote
import TestKit
import Testing

/// A device with a store and its account on a real server.
private struct Synced {
  let device: SyncDevice
  let fixture: KintoFixture
  let user: KintoUser
  let account: AccountID
  private let clock = HourlyClock()

  init(_ fixture: KintoFixture, _ user: KintoUser? = nil) async throws {
    self.fixture = fixture
    if let user { self.user = user } else { self.user = try await fixture.user() }
    account = try AccountID(server: "home", user: self.user.name)
    device = try await SyncDevice([account])
  }

  /// Syncs as a new process does, an hour after the last one.
  @discardableResult
  func sync(password: String? = nil, _ change: (inout SyncOptions) -> Void = { _ in }) async throws
    -> SyncReport
  {
    var options = SyncOptions()
    change(&options)
    var server = try KintoServer(name: "home", url: fixture.url)
    (server.patience.firstPause, server.patience.tries) = (.milliseconds(20), 2)
    server.patience.longestWish = .milliseconds(100)
    let secret = try #require(Secret(password ?? user.password))
    let now = clock.next()
    let remote = KintoRemote(server: server, client: CurlClient(), secret: { _ in secret }, now: now)
    return try await device.sync(remote, options: options, now: now)
  }

  /// Syncs with a server that is back: it answers 503 until it has noticed of each of its connections to the database
  /// that it is none any more.
  func syncOnceBack(_ change: (inout SyncOptions) -> Void = { _ in }) async throws -> SyncCounts {
    var total = SyncCounts()
    for _ in 0..<20 {
      let report = try await sync(change)
      total += report.total
      if report.failureKinds == [.network] { continue }
      #expect(report.failures == 0, "\(report.units)")
      return total
    }
    throw GoldenFault("the server doesn't come back")
  }

  func put(_ names: ClosedRange<Int>) throws {
    for number in names { try device.put(.make("c\(number)") { $0.title = "\(number)" }) }
  }

  /// Asks the server past all code that is under test.
  @discardableResult
  func witness(_ method: String, _ path: String = "", _ body: JSONValue? = nil) async throws
    -> KintoFixture.Answer
  {
    try await fixture.request(method, "/buckets/default/collections/cards\(path)", as: user, body)
  }

  func count() async throws -> Int {
    try await witness("GET", "/records?_limit=10000").body["data"]?.arrayValue?.count ?? -1
  }

  /// Where the rows of the feed are in the server's database.
  func place() async throws -> String {
    let bucket = try await fixture.request("GET", "/", as: user).body["user"]?["bucket"]?.stringValue
    return "resource_name = 'record' AND parent_id = '/buckets/\(try #require(bucket))/collections/cards'"
  }
}

/// What happens to a real server in its life, and what the engine makes of it.
@Suite(.waitsOnThreads) struct `A sync with Kinto` {
  private func synced(_ count: Int = 5) async throws -> Synced {
    let synced = try await Synced(.shared(.postgresql))
    try synced.put(1...count)
    #expect(try await synced.sync().total.push.written == count)
    return synced
  }

  @Test func `brings two devices together`() async throws {
    let one = try await synced()
    let two = try await Synced(one.fixture, one.user)
    #expect(try await two.sync().total.pull.written == 5)
    try two.device.edit("c1") { $0.note = "two" }
    try two.device.delete("c2")
    try one.device.edit("c1") { $0.title = "one" }
    try one.device.put(.make("언어 -7/x") { $0.title = "any key" })
    for side in [one, two, one, two] { #expect(try await side.sync().failures == 0) }
    #expect(try one.device.cards() == two.device.cards())
    #expect(try one.device.card("c1")?.title == "one" && one.device.card("c1")?.note == "two")
    #expect(try one.device.card("언어 -7/x") != nil)
    #expect(try await one.count() == 5)
    // Nothing moves any more.
    let last = try await one.sync().total
    #expect(last.push == PushCounts() && last.pull.written == 0)
  }

  @Test func `stops where the collection was made anew, and goes on as it is told`() async throws {
    let synced = try await synced()
    try synced.device.edit("c1") { $0.title = "unsent" }
    #expect(try await synced.witness("DELETE").status == 200)
    let report = try await synced.sync()
    #expect(report.failureKinds == [.otherServer])
    #expect(try synced.device.cards().count == 5)
    #expect(try await synced.count() == 0)
    let sent = try await synced.sync { $0.takeover = .fromDevice }
    #expect(sent.failures == 0 && sent.total.push.written == 5)
    #expect(try await synced.count() == 5)
    #expect(try await synced.sync().failures == 0)
  }

  @Test func `stops where a backup was restored, and takes it for right where it is told so`() async throws {
    let synced = try await synced()
    let place = try await synced.place()
    let backup = "\"backup \(synced.user.name)\""
    try await synced.fixture.sql("CREATE TABLE \(backup) AS SELECT * FROM objects WHERE \(place)")
    try synced.put(6...9)
    try await synced.sync()
    // Tombstones and live rows as they were.
    try await synced.fixture.sql(
      """
      DELETE FROM objects WHERE \(place);
      SET session_replication_role = replica;
      INSERT INTO objects SELECT * FROM \(backup);
      DROP TABLE \(backup)
      """)
    let before = try await synced.device.dump()
    let report = try await synced.sync()
    #expect(report.failureKinds == [.otherServer], "\(report.units)")
    #expect(StoreDump.differences(before, try await synced.device.dump()) == [])
    #expect(try await synced.sync { $0.takeover = .fromServer }.failures == 0)
    #expect(try synced.device.cards().count == 5)
  }

  @Test func `sends again what the server forgot without a tombstone`() async throws {
    let synced = try await synced()
    let place = try await synced.place()
    // As `kinto purge-deleted` does to live records that share an id with a tombstone elsewhere.
    try await synced.fixture.sql("DELETE FROM objects WHERE \(place) AND id = 'cards__c2'")
    let report = try await synced.sync()
    #expect(report.failures == 0, "\(report.units)")
    #expect(report.total.push.lost == 1 && report.total.push.written == 1)
    #expect(try synced.device.cards().count == 5)
    #expect(try await synced.count() == 5)
  }

  @Test func `with a password that was changed says so and keeps what is unsent`() async throws {
    let synced = try await synced()
    try synced.device.edit("c1") { $0.title = "unsent" }
    let report = try await synced.sync(password: "old")
    #expect(report.failureKinds == [.authorization])
    #expect(try synced.device.outbox().count == 1)
    #expect(try await synced.sync().total.push.written == 1)
  }

  @Test func `sets a record aside that the server can't keep, and sends the others`() async throws {
    let synced = try await synced()
    try synced.device.put(.make("bad") { $0.title = "a\u{0}b" })
    try synced.put(6...8)
    let report = try await synced.sync()
    #expect(report.failures == 0)
    #expect(report.total.push == PushCounts.make(written: 3, held: 1))
    #expect(try synced.device.quarantine().map(\.id) == ["push cards/\(synced.account)/bad"])
    #expect(try synced.device.outbox().map(\.key) == ["bad"])
    try synced.device.edit("bad") { $0.title = "good" }
    #expect(try await synced.sync().total.push.written == 1)
    #expect(try synced.device.quarantine().isEmpty)
  }

  @Test func `goes on where a database that stopped in its middle left it`() async throws {
    let synced = try await Synced(.own(.postgresql))
    try synced.put(1...60)
    try await synced.fixture.killDatabase()
    #expect(try await synced.sync().failureKinds == [.network])
    #expect(try synced.device.outbox().count == 60)
    try await synced.fixture.startDatabase()
    #expect(try await synced.syncOnceBack().push.written == 60)
    #expect(try synced.device.quarantine().isEmpty)
    #expect(try await synced.count() == 60)
    // And in the middle of a pull.
    let other = try await Synced(synced.fixture, synced.user)
    try await synced.fixture.killServer()
    #expect(try await other.sync { $0.pageSize = 7 }.failureKinds == [.network])
    try await synced.fixture.startServer()
    #expect(try await other.syncOnceBack { $0.pageSize = 7 }.pull.written == 60)
  }

  @Test func `takes a server in memory that was restarted for one that doesn't know it`() async throws {
    let synced = try await Synced(.own(.memory))
    try synced.put(1...3)
    try await synced.sync()
    try await synced.fixture.killServer()
    try await synced.fixture.startServer()
    #expect(try await synced.sync().failureKinds == [.authorization])
    #expect(try synced.device.cards().count == 3)
    // The account is made anew, and its bucket is empty under the same id.
    let again = try await synced.fixture.request(
      "PUT", "/accounts/\(synced.user.name)", ["data": ["password": .string(synced.user.password)]])
    #expect(again.status == 201)
    #expect(try await synced.sync().failureKinds == [.otherServer])
    #expect(try synced.device.cards().count == 3)
    #expect(try await synced.sync { $0.takeover = .fromDevice }.failures == 0)
    #expect(try await synced.count() == 3)
  }

  @Test func `doesn't mind a purge of tombstones`() async throws {
    let synced = try await synced()
    try synced.device.delete("c1")
    try await synced.sync()
    try synced.device.edit("c2") { $0.title = "newer" }
    try await synced.sync()
    let place = try await synced.place()
    try await synced.fixture.sql("DELETE FROM objects WHERE \(place) AND deleted")
    #expect(try await synced.sync().failures == 0)
    #expect(try synced.device.cards().count == 4)
    #expect(try await synced.count() == 4)
  }
}

extension PushCounts {
  fileprivate static func make(written: Int, held: Int) -> PushCounts {
    var counts = PushCounts()
    (counts.written, counts.held) = (written, held)
    return counts
  }
}
