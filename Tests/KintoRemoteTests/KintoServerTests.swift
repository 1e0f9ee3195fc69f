import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

@testable import KintoRemote

/// What the real server does with what we send, in memory.
@Suite(.waitsOnThreads) struct `A Kinto server` {
  private func device() async throws -> Device { try await Device(.shared(.memory)) }

  @Test func `says who the account is, and refuses a wrong secret by name`() async throws {
    let device = try await device()
    let session = try await device.remote.session(of: device.account)
    #expect(session.user == "account:\(device.user.name)")
    #expect(session.batchLimit == 50 && session.keepsBlobs && !session.isReadOnly)
    let wrong = try await Device(device.fixture, KintoUser(name: device.user.name, password: "wrong"))
    let greeting = await #expect(throws: RemoteError.self) {
      try await wrong.remote.session(of: wrong.account)
    }
    #expect(greeting?.code == "sync.unauthorized")
    let pull = await #expect(throws: RemoteError.self) { try await wrong.pull() }
    #expect(pull?.code == "sync.unauthorized")
    // The outer answer to this one is 200.
    let push = await #expect(throws: RemoteError.self) { try await wrong.push(.create("a", [:])) }
    #expect(push?.code == "sync.unauthorized")
  }

  @Test func `gives back what it was given, whatever the key and the members`() async throws {
    let device = try await device()
    let content: JSONObject = [
      "text": "e\u{301} \u{e9} 언어 🧳 \u{2028} \u{feff}", "big": 9_223_372_036_854_775_807,
      "least": -9_223_372_036_854_775_808,
      "float": 0.1, "whole": 1000.0, "null": .null, "list": [1, "two", ["three": false]],
      "unknown": ["x": ["y": 1]],
    ]
    for key in ["i3", "-7", "언어", "a b/c", "_", "A", "a"] {
      let revision = try #require(try await device.push(.create(key, content))[0].revision)
      #expect(
        try await device.remote.record(key, in: "notes", of: device.account)
          == RemoteRecord(id: key, revision: revision, content: content))
    }
    let (records, _) = try await device.pull(limit: 2)
    #expect(records.map(\.id) == ["i3", "-7", "언어", "a b/c", "_", "A", "a"])
    #expect(records.allSatisfy { $0.content == content })
    #expect(try await device.remote.count(in: "notes", of: device.account) == 7)
    let witness = try await device.witness("GET", "/records/notes__-7")
    #expect(witness.body["data"]?["text"] == content["text"])
  }

  @Test func `keeps to preconditions: two devices that change one record`() async throws {
    let one = try await device()
    let two = try await Device(one.fixture, one.user)
    let first = try #require(try await one.push(.create("a", ["n": 1]))[0].revision)
    let second = try #require(try await one.push(.update("a", ["n": 2], of: first))[0].revision)
    let there = RemoteRecord(id: "a", revision: second, content: ["n": 2])
    #expect(
      try await two.push(.update("a", ["n": 3], of: first), .delete("a", of: first), .create("a", ["n": 3]))
        == [
          .conflict(existing: there), .conflict(existing: there), .conflict(existing: there),
        ])
    // Both made the same change.
    #expect(try await two.push(.update("a", ["n": 2], of: first)) == [.done(revision: second)])
    let deletion = try #require(try await one.push(.delete("a", of: second))[0].revision)
    #expect(deletion > second)
    #expect(
      try await two.push(
        .update("a", ["n": 4], of: second), .delete("a", of: second), .delete("never", of: 5))
        == [.gone, .gone, .gone])
    // Over a tombstone it is made anew.
    let again = try #require(try await two.push(.create("a", ["n": 5]))[0].revision)
    #expect(try await one.pull().records == [RemoteRecord(id: "a", revision: again, content: ["n": 5])])
  }

  @Test func `sends tombstones to who pulls from the beginning, and after a cursor`() async throws {
    let device = try await device()
    let made = try #require(try await device.push(.create("a", [:]), .create("b", [:]))[0].revision)
    let (_, cursor) = try await device.pull()
    _ = try await device.push(.delete("a", of: made))
    #expect(try await device.pull().records.map { $0.content == nil } == [false, true])
    let (records, next) = try await device.pull(.resuming(cursor))
    #expect(records.last?.id == "a" && records.last?.content == nil)
    #expect(try await device.remote.count(in: "notes", of: device.account) == 1)
    let listing = try await device.remote.listing(of: "notes", of: device.account, after: nil, limit: 10)
    #expect(listing.entries.map(\.id) == ["b"])
    #expect(next > cursor)
  }

  @Test func `acknowledges what was done before the answer was lost`() async throws {
    let device = try await device()
    let made = try await device.push(.create("a", ["n": 1]), .create("b", ["n": 1])).compactMap(\.revision)
    let changes: [RemoteChange] = [
      .create("c", ["n": 1]), .update("a", ["n": 2], of: made[0]), .delete("b", of: made[1]),
    ]
    let lossy = KintoRemote(
      server: try KintoServer(name: "home", url: device.fixture.url), client: LosingClient(losses: 1),
      secret: { [user = device.user] _ in try #require(Secret(user.password)) }, clock: RecordingClock(),
      now: { Timestamp(nanoseconds: 0) })
    let outcomes = try await lossy.push(changes, to: "notes", of: device.account)
    let records = try await device.pull().records
    #expect(outcomes[0] == .done(revision: try #require(records.first { $0.id == "c" }).revision))
    #expect(outcomes[1] == .done(revision: try #require(records.first { $0.id == "a" }).revision))
    #expect(outcomes[2] == .gone)
    #expect(records.first { $0.id == "b" }?.content == nil)
    #expect(try await device.remote.count(in: "notes", of: device.account) == 2)
  }

  @Test func `keeps accounts apart, also with the same record ids`() async throws {
    let alice = try await device()
    let bob = try await Device(alice.fixture)
    _ = try await alice.push(.create("a", ["of": "alice"]))
    _ = try await bob.push(.create("a", ["of": "bob"]))
    #expect(try await alice.pull().records.map(\.content) == [["of": "alice"]])
    #expect(try await bob.pull().records.map(\.content) == [["of": "bob"]])
    let bucket = try #require(
      try await alice.fixture.request("GET", "/", as: alice.user).body["user"]?["bucket"]?.stringValue)
    let intruder = try await Device(alice.fixture, bob.user, bucket: bucket).remote
    for attempt in [
      { _ = try await intruder.changes(in: "notes", of: bob.account, from: .beginning, limit: 9) },
      { _ = try await intruder.push([.create("b", [:])], to: "notes", of: bob.account) },
      { _ = try await intruder.record("a", in: "notes", of: bob.account) },
      { _ = try await intruder.setMark("m", of: "notes", of: bob.account) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: RemoteError.self) { try await attempt() }
      #expect(error?.code == "sync.forbidden")
    }
    #expect(try await alice.pull().records.count == 1)
  }

  @Test func `says which collection of a named bucket isn't there, and makes it for the mark`() async throws {
    let device = try await device()
    let bucket = "b-\(device.user.name)"
    #expect(
      try await device.fixture.request("PUT", "/buckets/\(bucket)", as: device.user, ["data": [:]]).status
        == 201)
    let remote = try await Device(device.fixture, device.user, bucket: bucket).remote
    let missing = RemoteError.missingFeed(feed: "notes", account: device.account)
    await #expect(throws: missing) {
      try await remote.changes(in: "notes", of: device.account, from: .beginning, limit: 9)
    }
    await #expect(throws: missing) {
      try await remote.push([.create("a", [:])], to: "notes", of: device.account)
    }
    #expect(try await remote.mark(of: "notes", of: device.account) == nil)
    #expect(try await remote.setMark("m", of: "notes", of: device.account) == "m")
    #expect(try await remote.push([.create("a", [:])], to: "notes", of: device.account)[0].revision != nil)
  }

  @Test func `keeps one mark, whoever sets it, until the collection is made anew`() async throws {
    let device = try await device()
    _ = try await device.push(.create("a", [:]))
    let marks = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<4 {
        group.addTask { try await device.remote.setMark("mark \(number)", of: "notes", of: device.account) }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(marks.count == 1)
    #expect(try await device.remote.mark(of: "notes", of: device.account) == marks.first)
    let (_, cursor) = try await device.pull()
    #expect(try await device.witness("DELETE").status == 200)
    #expect(try await device.remote.mark(of: "notes", of: device.account) == nil)
    let error = await #expect(throws: RemoteError.self) { try await device.pull(.resuming(cursor)) }
    #expect(error?.code == "sync.flushed")
  }

  @Test func `takes what breaks the schema from nobody, and the rest`() async throws {
    let alone = try await device()
    // In the bucket `default` the server looks at no schema.
    let bucket = "b-\(alone.user.name)"
    _ = try await alone.fixture.request("PUT", "/buckets/\(bucket)", as: alone.user, ["data": [:]])
    let device = try await Device(alone.fixture, alone.user, bucket: bucket)
    let schema: JSONValue = ["type": "object", "properties": ["title": ["type": "string", "maxLength": 5]]]
    #expect(try await device.witness("PUT", "", ["data": ["schema": schema]]).status < 300)
    let outcomes = try await device.push(
      .create("a", ["title": "short"]), .create("b", ["title": "too long"]), .create("c", [:]))
    guard case .poisoned(let reason) = outcomes[1] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(reason.contains("too long"))
    // The server adds a member `schema`; it isn't ours.
    #expect(try await device.pull().records.map(\.content) == [["title": "short"], [:]])
  }

  @Test func `breaks on what is nested too deep, and is got past it`() async throws {
    let device = try await device()
    var remote = device.remote
    remote.checksBeforeSending = false
    var deep = JSONObject()
    for _ in 0..<495 {
      var outer = JSONObject()
      outer["a"] = .object(deep)
      deep = outer
    }
    let changes = (0..<6).map { RemoteChange.create("\($0)", $0 == 3 ? deep : ["n": 1]) }
    let outcomes = try await remote.push(changes, to: "notes", of: device.account)
    for (index, outcome) in outcomes.enumerated() {
      if index == 3 {
        guard case .poisoned = outcome else {
          Issue.record("\(outcome)")
          continue
        }
      } else {
        #expect(outcome.revision != nil)
      }
    }
  }

  @Test func `of which another client set times in the future is pulled all the same`() async throws {
    let device = try await device()
    _ = try await device.push(.create("a", [:]))
    #expect(
      try await device.witness("PUT", "/records/notes__x", ["data": ["last_modified": 9_999_999_999_999]])
        .status
        < 300)
    let (records, cursor) = try await device.pull()
    #expect(records.map(\.id) == ["a", "x"])
    let (again, next) = try await device.pull(.resuming(cursor))
    #expect(again.contains { $0.id == "x" })
    #expect(next == cursor)
  }

  @Test func `that asks for time does so with answers that are well`() async throws {
    let fixture = try await KintoFixture.shared(.demanding)
    let device = try await Device(fixture)
    let before = Date().timeIntervalSince1970
    _ = try await device.push(.create("a", [:]))
    let time = try #require(device.remote.notice(of: device.account).notBefore)
    #expect(Double(time.nanoseconds) / 1e9 >= before + 17)
  }

  @Test func `ends with whoever started it`() async throws {
    var fixture: KintoFixture? = try await .own(.memory)
    let (url, server) = try (#require(fixture).url, #require(fixture).server)
    let request = HTTPRequest(.get, "\(url)/", timeout: .seconds(60))
    #expect(try await CurlClient().send(request) { _, _ in }.status == 200)
    #expect(kill(server, 0) == 0)
    fixture = nil
    // The process, not its port, which may be another's by now.
    #expect(kill(server, 0) != 0 && errno == ESRCH)
  }

  @Test func `in memory that was restarted knows the account no more, which isn't an empty feed`()
    async throws
  {
    let fixture = try await KintoFixture.own(.memory)
    let device = try await Device(fixture)
    _ = try await device.push(.create("a", [:]))
    let (_, cursor) = try await device.pull()
    try await fixture.killServer()
    let down = await #expect(throws: RemoteError.self) { try await device.pull(.resuming(cursor)) }
    #expect(down?.code == "sync.unreachable")
    try await fixture.startServer()
    let gone = await #expect(throws: RemoteError.self) { try await device.pull(.resuming(cursor)) }
    #expect(gone?.code == "sync.unauthorized")
    // Somebody registers the name again: same bucket, new and empty.
    _ = try await fixture.request(
      "PUT", "/accounts/\(device.user.name)", ["data": ["password": .string(device.user.password)]])
    let empty = await #expect(throws: RemoteError.self) { try await device.pull(.resuming(cursor)) }
    #expect(empty?.code == "sync.flushed")
  }
}

/// HTTP that works, but loses the answers to the first posts.
private final class LosingClient: HTTPClient {
  private let inner = CurlClient()
  private let losses: Locked<Int>

  init(losses: Int) { self.losses = Locked(losses) }

  func send(_ request: HTTPRequest, receive: @escaping HTTPReceiver) async throws -> HTTPHead {
    let isLost =
      request.method == .post
      && losses.withLock { losses in
        losses -= 1
        return losses >= 0
      }
    let head = try await inner.send(request) { head, bytes in
      if !isLost { try receive(head, bytes) }
    }
    if isLost { throw HTTPFault.lost(why: "it was cut") }
    return head
  }
}

extension KintoFixture.Kind {
  /// A server that asks for time with each answer, and takes small files only.
  static let demanding = KintoFixture.Kind.memory.with("kinto.backoff", "17")
    .with("kinto.attachment.max_size_bytes", "1000")
}
