import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

@testable import KintoRemote

/// What only a database does: transactions, races, purges, backups. The server has eight threads and no cure,
/// as a plain installation has.
@Suite(.waitsOnThreads) struct `A Kinto server on PostgreSQL` {
  private func device() async throws -> Device { try await Device(.shared(.postgresql)) }

  /// Where the rows of a device's feed are.
  private func place(_ device: Device) async throws -> String {
    let bucket = try await device.fixture.request("GET", "/", as: device.user).body["user"]?["bucket"]?
      .stringValue
    return "resource_name = 'record' AND parent_id = '/buckets/\(try #require(bucket))/collections/notes'"
  }

  @Test func `answers 503 for ever to a NUL, and is got past it`() async throws {
    let device = try await device()
    let changes = (0..<8).map { RemoteChange.create("\($0)", ["t": $0 == 5 ? "a\u{0}b" : "fine"]) }
    // On a clock that doesn't wait: the server asks for three seconds each time.
    var quick = KintoRemote(
      server: device.remote.server, client: CurlClient(),
      secret: { [user = device.user] _ in try #require(Secret(user.password)) }, clock: RecordingClock(),
      now: { Timestamp(nanoseconds: 0) })
    quick.checksBeforeSending = false
    let outcomes = try await quick.push(changes, to: "notes", of: device.account)
    for (index, outcome) in outcomes.enumerated() where index != 5 { #expect(outcome.revision != nil) }
    guard case .poisoned(let reason) = outcomes[5] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(reason.contains("503"))
    #expect(try await device.pull().records.count == 7)
  }

  /// Plain, and with the lock that lets one write at a time through.
  static let servers = [KintoFixture.Kind.postgresql, .lockedPostgresql]

  @Test(arguments: servers)
  func `undoes what it acknowledged before a 409, and what was undone is pushed again`(
    kind: KintoFixture.Kind
  ) async throws {
    let one = try await Device(.shared(kind))
    _ = try await one.pull()
    // Two devices at once, in batches: their records collide on one timestamp sooner or later.
    let acknowledged = try await withThrowingTaskGroup(of: (ids: Set<String>, unknown: Int).self) { group in
      for number in 0..<2 {
        group.addTask {
          let device = try await Device(one.fixture, one.user)
          var (left, ids, unknown) = ((0..<100).map { "w\(number)-\($0)" }, Set<String>(), 0)
          while !left.isEmpty {
            let batch = Array(left.prefix(25))
            let outcomes = try await device.remote.push(
              batch.map { .create($0, ["of": .integer(Int64(number))]) }, to: "notes", of: device.account)
            for (id, outcome) in zip(batch, outcomes) {
              switch outcome {
              case .done:
                ids.insert(id)
                left.removeAll { $0 == id }
              case .unknown, .retry: unknown += 1
              default: Issue.record("\(id): \(outcome)")
              }
            }
          }
          return (ids, unknown)
        }
      }
      return try await group.reduce(into: (ids: Set<String>(), unknown: 0)) {
        $0 = ($0.ids.union($1.ids), $0.unknown + $1.unknown)
      }
    }
    #expect(acknowledged.ids.count == 200)
    // The cure: nothing collides, so nothing is undone.
    if kind == .lockedPostgresql { #expect(acknowledged.unknown == 0) }
    let listing = try await one.remote.listing(of: "notes", of: one.account, after: nil, limit: 1000)
    // Every write that was taken for done is there: the witness is the server itself.
    #expect(Set(listing.entries.map(\.id)) == acknowledged.ids)
    #expect(try await one.remote.count(in: "notes", of: one.account) == 200)
  }

  @Test func `hides no record from who steps back, though writers commit out of order`() async throws {
    let one = try await device()
    _ = try await one.pull()
    let isOver = Locked(false)
    let seen = try await withThrowingTaskGroup(of: Set<String>.self) { group in
      group.addTask {
        var (seen, position) = (Set<String>(), PullPosition.beginning)
        while true {
          let isLast = isOver.withLock { $0 }
          let (records, cursor) = try await one.pull(position)
          seen.formUnion(records.map(\.id))
          position = .resuming(cursor)
          if isLast { return seen }
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for number in 0..<3 {
          writers.addTask {
            let device = try await Device(one.fixture, one.user)
            for batch in 0..<2 {
              var left = (0..<25).map { "w\(number)-\(batch)-\($0)" }
              while !left.isEmpty {
                let outcomes = try await device.remote.push(
                  left.map { .create($0, [:]) }, to: "notes", of: device.account)
                left = zip(left, outcomes).filter { $0.1.revision == nil }.map(\.0)
              }
            }
          }
        }
        try await writers.waitForAll()
      }
      isOver.withLock { $0 = true }
      return try await group.next() ?? []
    }
    #expect(seen.count == 150)
  }

  @Test func `has one mark, though it lets two devices win that mark it at once`() async throws {
    let fixture = try await KintoFixture.shared(.postgresql)
    for round in 0..<5 {
      let device = try await Device(fixture)
      _ = try await device.pull()
      let marks = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<6 {
          let other = try await Device(fixture, device.user)
          group.addTask { try await other.remote.setMark("mark \(number)", of: "notes", of: other.account) }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      let mark = try await device.remote.mark(of: "notes", of: device.account)
      #expect(marks == Set([mark].compactMap(\.self)), "round \(round)")
    }
  }

  @Test func `that was restored from a backup is noticed by its revision`() async throws {
    let device = try await device()
    _ = try await device.push(.create("a", [:]), .create("b", [:]))
    let (records, cursor) = try await device.pull()
    try await device.fixture.sql(
      "DELETE FROM objects WHERE \(try await place(device)) AND id = 'notes__b'")
    await #expect(
      throws: RemoteError.wentBack(feed: "notes", from: records[1].revision, to: records[0].revision)
    ) { try await device.pull(.resuming(cursor)) }
  }

  @Test func `whose tombstones were purged is noticed by the count, and told by the ids`() async throws {
    let device = try await device()
    let made = try await device.push(.create("a", [:]), .create("b", [:]), .create("c", [:]))
    let (_, cursor) = try await device.pull()
    _ = try await device.push(.delete("a", of: try #require(made[0].revision)))
    _ = try await device.push(.update("c", ["n": 1], of: try #require(made[2].revision)))
    try await device.fixture.sql("DELETE FROM objects WHERE \(try await place(device)) AND deleted")
    let (records, _) = try await device.pull(.resuming(cursor))
    #expect(!records.contains { $0.id == "a" && $0.content == nil })
    #expect(try await device.remote.count(in: "notes", of: device.account) == 2)
    let listing = try await device.remote.listing(of: "notes", of: device.account, after: nil, limit: 9)
    #expect(listing.entries.map(\.id) == ["b", "c"])
  }

  @Test func `says that nothing changed, once that can be relied on`() async throws {
    let device = try await device()
    // On a busy machine its answer may be lost, and what was sent be there only later.
    while try await device.push(.create("a", [:]))[0].revision == nil {}
    let place = try await place(device)
    try await device.fixture.sql(
      """
      SET session_replication_role = replica;
      UPDATE objects SET last_modified = last_modified - interval '5 minutes' WHERE \(place);
      UPDATE timestamps SET last_modified = last_modified - interval '5 minutes' WHERE \(place)
      """)
    let (_, cursor) = try await device.pull()
    #expect(cursor.hasSuffix("!"))
    let before = device.remote.traffic.received
    #expect(try await device.pull(.resuming(cursor)).records.isEmpty)
    #expect(device.remote.traffic.received == before)
    _ = try await device.push(.create("b", [:]))
    #expect(try await device.pull(.resuming(cursor)).records.last?.id == "b")
  }

  @Test func `pages through thousands of records while others change them, and misses none`() async throws {
    let device = try await device()
    _ = try await device.push(.create("first", [:]))
    try await device.fixture.sql(
      """
      SET session_replication_role = replica;
      INSERT INTO objects (id, parent_id, resource_name, last_modified, data, deleted)
      SELECT 'notes__r' || i, parent_id, 'record', last_modified - interval '1 hour' + i * interval '1 millisecond',
        jsonb_build_object('n', i), false
      FROM objects, generate_series(1, 3000) AS i WHERE \(try await place(device)) AND id = 'notes__first'
      """)
    let writer = try await Device(device.fixture, device.user)
    var (seen, position) = ([String: Int64](), PullPosition.beginning)
    var number = 0
    while true {
      let page = try await device.remote.changes(in: "notes", of: device.account, from: position, limit: 500)
      for record in page.records { seen[record.id] = record.revision }
      if !page.hasMore { break }
      position = .after(page.cursor)
      number += 1
      // One behind and one ahead of the page.
      for id in ["r\(number)", "r\(3000 - number)"] {
        let record = try #require(try await writer.remote.record(id, in: "notes", of: writer.account))
        #expect(try await writer.push(.update(id, ["changed": true], of: record.revision))[0].revision != nil)
      }
    }
    let listing = try await device.remote.listing(of: "notes", of: device.account, after: nil, limit: 5000)
    #expect(seen.count == 3001)
    #expect(listing.entries.allSatisfy { seen[$0.id] == $0.revision })
  }

  @Test func `that dies with its database loses nothing that it acknowledged`() async throws {
    let fixture = try await KintoFixture.own(.postgresql)
    let device = try await Device(fixture) { $0.patience.tries = 2 }
    #expect(try await device.push(.create("a", ["n": 1]))[0].revision != nil)
    let (_, cursor) = try await device.pull()
    try await fixture.killDatabase()
    let down = await #expect(throws: RemoteError.self) { try await device.pull(.resuming(cursor)) }
    #expect(down?.code == "sync.unreachable")
    // It is for another time, and nothing is taken for poison.
    #expect(try await device.push(.create("b", ["n": 2])) == [.retry])
    try await fixture.startDatabase()
    #expect(try await device.push(.create("b", ["n": 2]))[0].revision != nil)
    try await fixture.killServer()
    await #expect(throws: RemoteError.self) { try await device.push(.create("c", ["n": 3])) }
    try await fixture.startServer()
    #expect(try await device.push(.create("c", ["n": 3]))[0].revision != nil)
    #expect(try await device.pull(.resuming(cursor)).records.suffix(2).map(\.id) == ["b", "c"])
  }
}
