import FerryKernel
import FerryStore
import FerrySync
import Foundation
import Testing

@testable import KintoRemote

/// What becomes of each change of a batch.
@Suite struct `A push to Kinto` {
  typealias Reply = ScriptedClient.Reply

  private static func batch(_ parts: String...) -> Reply {
    .json(200, "{\"responses\":[\(parts.joined(separator: ","))]}")
  }

  private static func done(_ revision: Int64, _ status: Int = 201) -> String {
    #"{"status":\#(status),"body":{"data":{"id":"notes__x","last_modified":\#(revision)}}}"#
  }

  private static func refused(_ status: Int, _ errno: Int = 0, _ more: String = "") -> String {
    #"{"status":\#(status),"body":{"code":\#(status),"errno":\#(errno),"message":"no"\#(more)}}"#
  }

  private static func existing(_ members: String) -> String {
    #"{"status":412,"body":{"code":412,"details":{"existing":{"id":"notes__a","last_modified":8\#(members)}}}}"#
  }

  private static func greeting(_ limit: Int) -> Reply {
    .json(200, #"{"settings":{"batch_max_requests":\#(limit)},"user":{"id":"account:alice","bucket":"b"}}"#)
  }

  /// A server that can't take some records, answers as Kinto does to a batch with one of them, and is well otherwise.
  private static func sick(_ status: Int, _ poison: String, from limit: Int = 400) -> Reply {
    .from { request in
      if request.url.hasSuffix("/__heartbeat__") { return .json(200) }
      if request.url.hasSuffix("/v1/") { return greeting(50) }
      guard !request.text.contains(poison) else {
        return .error(status, 201, "bad", status == 503 ? ["Retry-After": "3"] : [:])
      }
      let count = request.text.components(separatedBy: #""method""#).count - 1
      return .json(200, "{\"responses\":[\((0..<count).map { done(Int64($0) + 1) }.joined(separator: ","))]}")
    }
  }

  @Test func `is one batch, each part with what it takes the server to hold`() async throws {
    let rig = try Rig(Self.batch(Self.done(11), Self.done(12, 200), Self.done(13, 200)))
    let outcomes = try await rig.push(
      .create("a", ["n": 1]), .update("b", ["n": 2], of: 5), .delete("-7", of: 6))
    #expect(outcomes == [.done(revision: 11), .done(revision: 12), .done(revision: 13)])
    #expect(rig.client.lines == ["POST /batch"])
    let records = "/buckets/default/collections/notes/records"
    let sent = try JSONValue.parse(text: rig.client.requests[0].text)
    #expect(
      sent == [
        "requests": [
          [
            "method": "PUT", "path": .string("\(records)/notes__a"), "headers": ["If-None-Match": "*"],
            "body": ["data": ["n": 1]],
          ],
          [
            "method": "PUT", "path": .string("\(records)/notes__b"), "headers": ["If-Match": "\"5\""],
            "body": ["data": ["n": 2]],
          ],
          ["method": "DELETE", "path": .string("\(records)/notes__-7"), "headers": ["If-Match": "\"6\""]],
        ]
      ])
    #expect(rig.client.requests[0].header("Content-Type") == "application/json")
  }

  @Test func `of nothing asks nothing`() async throws {
    let rig = try Rig()
    #expect(try await rig.push() == [])
    #expect(rig.client.requests.isEmpty)
  }

  @Test func `finds what another device wrote, and gives it whole`() async throws {
    let rig = try Rig(Self.batch(Self.existing(#","n":9,"schema":4"#), Self.existing(#","n":9"#)))
    let theirs = RemoteRecord(id: "a", revision: 8, content: ["n": 9])
    #expect(
      try await rig.push(.update("a", ["n": 1], of: 5), .create("a", ["n": 1]))
        == [.conflict(existing: theirs), .conflict(existing: theirs)])
  }

  @Test func `whose answer was lost is done where the server holds the very content`() async throws {
    let rig = try Rig(
      .fault(.lost(why: "it was cut")),
      Self.batch(
        Self.existing(#","n":1,"schema":4"#), Self.existing(#","n":1"#), Self.refused(404, 110)))
    #expect(
      try await rig.push(.create("a", ["n": 1]), .update("a", ["n": 1], of: 5), .delete("b", of: 6))
        == [.done(revision: 8), .done(revision: 8), .gone])
  }

  @Test func `whose answer was lost gives the record where a file was attached to it since`() async throws {
    let rig = try Rig(
      .fault(.lost(why: "it was cut")), Self.batch(Self.existing(#","n":1,"attachment":{"hash":"x"}"#)))
    // Taken for done, the next edit would push it without its file.
    let there = RemoteRecord(id: "a", revision: 8, content: ["n": 1, "attachment": ["hash": "x"]])
    #expect(try await rig.push(.create("a", ["n": 1])) == [.conflict(existing: there)])
  }

  @Test func `of a deletion that collides with an edit is a conflict`() async throws {
    let rig = try Rig(Self.batch(Self.existing(#","n":9"#)))
    #expect(
      try await rig.push(.delete("a", of: 5))
        == [.conflict(existing: RemoteRecord(id: "a", revision: 8, content: ["n": 9]))])
  }

  @Test func `of an edit of what was deleted finds it gone`() async throws {
    let rig = try Rig(Self.batch(Self.refused(412, 114), Self.refused(404, 110)))
    #expect(try await rig.push(.update("a", ["n": 1], of: 5), .delete("b", of: 5)) == [.gone, .gone])
  }

  @Test func `takes everything up to the last 409 for unknown: PostgreSQL has undone it`() async throws {
    let rig = try Rig(
      Self.batch(
        Self.done(1), Self.refused(409, 122), Self.done(3), Self.refused(409, 122), Self.done(5),
        Self.existing(#","n":9"#)))
    let changes = (0..<6).map { RemoteChange.create("\($0)", ["n": 1]) }
    #expect(
      try await rig.remote.push(changes, to: "notes", of: rig.alice) == [
        .unknown, .unknown, .unknown, .unknown, .done(revision: 5),
        .conflict(existing: RemoteRecord(id: "a", revision: 8, content: ["n": 9])),
      ])
    #expect(rig.client.requests.count == 1)
  }

  @Test func `is refused as a whole where all parts are, though the answer says 200`() async throws {
    let alice = try Rig().alice
    let cases: [(String, RemoteError)] = [
      (Self.refused(401, 104), .unauthorized(alice, why: "no")),
      (Self.refused(403, 121), .forbidden(alice, what: "change notes")),
      (Self.refused(404, 111), .missingFeed(feed: "notes", account: alice)),
      (Self.refused(405, 115), .readOnly(server: "home")),
    ]
    for (part, expected) in cases {
      let rig = try Rig(Self.batch(part, part))
      let error = await #expect(throws: RemoteError.self) {
        try await rig.push(.create("a", [:]), .create("b", [:]))
      }
      #expect(error == expected)
    }
  }

  @Test(arguments: [
    (405, "sync.readOnly"), (401, "sync.unauthorized"), (410, "sync.retired"), (404, "sync.refused"),
  ])
  func `that the server takes from nobody is an error`(status: Int, code: String) async throws {
    let rig = try Rig(.error(status))
    let error = await #expect(throws: RemoteError.self) { try await rig.push(.create("a", [:])) }
    #expect(error?.code == code)
  }

  @Test func `that never left is an error, and one whose answer was lost is unknown`() async throws {
    let never = Reply.fault(.notSent(why: "no route to host"))
    let lost = Reply.fault(.lost(why: "it was cut"))
    let unsent = try Rig(never, never, never, never)
    await #expect(throws: RemoteError.unreachable(server: "home", why: "no route to host")) {
      try await unsent.push(.create("a", [:]))
    }
    for replies in [
      [lost, lost, lost, lost], [lost, never, never, never], [never, .error(502), never, never],
    ] {
      let rig = try Rig(replies: replies)
      #expect(try await rig.push(.create("a", [:]), .delete("b", of: 1)) == [.unknown, .unknown])
    }
  }

  @Test(arguments: [
    Reply.json(200, "{"), .json(200, "{}"), .json(200, #"{"responses":[]}"#),
    .answer(200, ["Content-Type": "text/html"], "<html>"),
  ])
  func `with an answer that can't be read is unknown`(reply: Reply) async throws {
    let rig = try Rig(reply)
    #expect(try await rig.push(.create("a", [:])) == [.unknown])
  }

  @Test func `to a server that is down is for another time, and poisons nothing`() async throws {
    let rig = try Rig(.error(503), .error(503), .error(503), .error(503), .error(503))
    #expect(try await rig.push(.create("a", [:]), .create("b", [:])) == [.retry, .retry])
    #expect(rig.client.lines.last == "GET /__heartbeat__")
  }

  @Test func `that is told to come back later is to be tried again`() async throws {
    let rig = try Rig(.error(429, 117, "slow down", ["Retry-After": "900"]))
    #expect(try await rig.push(.create("a", [:])) == [.retry])
    #expect(rig.remote.notice(of: rig.alice).notBefore == Timestamp(nanoseconds: 1900 * 1_000_000_000))
  }

  @Test(arguments: [503, 500, 400, 413], [0, 6, 12])
  func `goes through but for the one record that holds it up`(status: Int, place: Int) async throws {
    let rig = try Rig(replies: (0..<40).map { _ in Self.sick(status, "POISON") })
    let changes = (0..<13).map { RemoteChange.create("\($0)", ["t": $0 == place ? "POISON" : "fine"]) }
    let outcomes = try await rig.remote.push(changes, to: "notes", of: rig.alice)
    for (index, outcome) in outcomes.enumerated() {
      if index == place {
        guard case .poisoned(let reason) = outcome else {
          Issue.record("\(outcome)")
          continue
        }
        #expect(!reason.isEmpty)
      } else {
        guard case .done = outcome else {
          Issue.record("\(index): \(outcome)")
          continue
        }
      }
    }
    // Found by halves, not one by one; and pauses only for the whole, which might have been the server.
    #expect(rig.client.lines.count { $0 == "POST /batch" } <= 4 + 2 * 4 + 3)
    #expect(rig.clock.sleeps.count <= 3)
  }

  @Test func `sets nothing aside that a server refused only until it had its database back`() async throws {
    // The first answers of each of its connections, and it is well each time that it is asked.
    let well = Reply.json(200, "{}")
    for failures in 1...3 {
      var replies = [Reply.error(503, 201, "no", ["Retry-After": "900"]), well]
      for _ in 1..<failures { replies += [.error(503, 201, "no", ["Retry-After": "900"]), well] }
      replies.append(
        .json(200, #"{"responses":[{"status":201,"body":{"data":{"id":"notes__a","last_modified":5}}}]}"#))
      let rig = try Rig(replies: replies)
      #expect(try await rig.push(.create("a", [:])) == [.done(revision: 5)])
    }
  }

  @Test func `says of a record that breaks the schema what is wrong with it, and takes the others`()
    async throws
  {
    let rig = try Rig(
      Self.batch(
        Self.done(1), #"{"status":400,"body":{"message":"title in body: 'x' is too long"}}"#, Self.done(3)))
    #expect(
      try await rig.push(.create("a", [:]), .create("b", [:]), .create("c", [:])) == [
        .done(revision: 1), .poisoned(reason: "title in body: 'x' is too long"), .done(revision: 3),
      ])
  }

  @Test func `is cut by the server's limit, also where that has become smaller since`() async throws {
    let rig = try Rig(replies: [Self.greeting(30)] + (0..<9).map { _ in Self.sick(400, "never") })
    _ = try await rig.remote.session(of: rig.alice)
    let changes = (0..<70).map { RemoteChange.create("\($0)", [:]) }
    let outcomes = try await rig.remote.push(changes, to: "notes", of: rig.alice)
    #expect(outcomes.allSatisfy { if case .done = $0 { true } else { false } })
    #expect(Self.sizes(rig) == [30, 30, 10])

    let smaller = Reply.from { request in
      if request.url.hasSuffix("/v1/") { return Self.greeting(10) }
      let count = Self.parts(request)
      return count > 10
        ? .error(400, 107, "Number of requests is limited to 10")
        : .json(
          200, "{\"responses\":[\((0..<count).map { Self.done(Int64($0) + 1) }.joined(separator: ","))]}")
    }
    let shrunk = try Rig(replies: [Self.greeting(30)] + (0..<9).map { _ in smaller })
    _ = try await shrunk.remote.session(of: shrunk.alice)
    let rest = try await shrunk.remote.push(Array(changes.prefix(25)), to: "notes", of: shrunk.alice)
    #expect(rest.allSatisfy { if case .done = $0 { true } else { false } })
    #expect(Self.sizes(shrunk) == [25, 10, 10, 5])
  }

  private static func parts(_ request: HTTPRequest) -> Int {
    request.text.components(separatedBy: #""method""#).count - 1
  }

  private static func sizes(_ rig: Rig) -> [Int] {
    rig.client.requests.filter { $0.url.hasSuffix("/batch") }.map(parts)
  }

  @Test func `is cut by size too, and sends a large record alone`() async throws {
    let rig = try Rig(replies: (0..<4).map { _ in Self.sick(400, "never") }) { $0.batchBytes = 3000 }
    let large = String(repeating: "x", count: 9000)
    let small = String(repeating: "y", count: 1000)
    let outcomes = try await rig.push(
      .create("a", ["t": .string(small)]), .create("b", ["t": .string(small)]),
      .create("c", ["t": .string(large)]),
      .create("d", ["t": .string(small)]))
    #expect(outcomes.allSatisfy { if case .done = $0 { true } else { false } })
    #expect(Self.sizes(rig) == [2, 1, 1])
  }

  @Test func `that dies between two batches keeps what the first one did`() async throws {
    let never = Reply.fault(.notSent(why: "no route to host"))
    let rig = try Rig(replies: [Self.greeting(1), Self.batch(Self.done(1)), never, never, never, never])
    _ = try await rig.remote.session(of: rig.alice)
    #expect(
      try await rig.push(.create("a", [:]), .create("b", [:]), .create("c", [:])) == [
        .done(revision: 1), .retry, .retry,
      ])
  }

  static let unsendable: [JSONObject] = [
    ["t": "a\u{0}b"], ["a\u{0}b": 1], ["x": [["y": "\u{0}"]]], ["n": .number(.nan)],
    ["n": .number(.infinity)],
    ["id": "x"], ["last_modified": 1], ["deleted": true], ["schema": 1], deep(401),
  ]

  private static func deep(_ depth: Int) -> JSONObject {
    var object = JSONObject()
    for _ in 1..<depth {
      var outer = JSONObject()
      outer["a"] = .object(object)
      object = outer
    }
    return object
  }

  @Test(arguments: unsendable)
  func `holds back what no server takes, before it is sent`(content: JSONObject) async throws {
    let rig = try Rig(Self.batch(Self.done(1), Self.done(2)))
    let outcomes = try await rig.push(.create("a", [:]), .create("b", content), .create("c", [:]))
    guard case .poisoned(let reason) = outcomes[1] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(!reason.isEmpty)
    #expect(outcomes[0] == .done(revision: 1) && outcomes[2] == .done(revision: 2))
    #expect(Self.parts(rig.client.requests[0]) == 2)
  }

  @Test func `sends what is just allowed`() async throws {
    let rig = try Rig(Self.batch(Self.done(1), Self.done(2)))
    #expect(
      try await rig.push(
        .create("a", Self.deep(400)), .create("b", ["attachment": ["hash": "x"], "Deleted": true]))
        == [.done(revision: 1), .done(revision: 2)])
  }

  @Test func `never sends a time of its own, nor one of the server's`() async throws {
    let rig = try Rig(Self.batch(Self.done(1)))
    _ = try await rig.push(.update("a", ["n": 1], of: 5))
    #expect(!rig.client.requests[0].text.contains("last_modified"))
  }
}
