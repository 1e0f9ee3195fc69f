import FerryKernel
import FerryStore
import FerrySync
import Foundation
import Testing

@testable import KintoRemote

/// HTTP that answers what a test wrote down, in order, and remembers what it was asked.
final class ScriptedClient: HTTPClient {
  enum Reply: Sendable {
    case answer(Int, [String: String], String)
    case fault(HTTPFault)
    /// Made from what was asked.
    case from(@Sendable (HTTPRequest) throws -> Reply)

    static func json(_ status: Int, _ body: String = "{}", _ headers: [String: String] = [:]) -> Reply {
      .answer(status, headers.merging(["Content-Type": "application/json"]) { own, _ in own }, body)
    }

    static func error(
      _ status: Int, _ errno: Int = 0, _ message: String = "no", _ headers: [String: String] = [:]
    ) -> Reply {
      .json(status, #"{"code":\#(status),"errno":\#(errno),"message":"\#(message)"}"#, headers)
    }
  }

  private let replies: Locked<[Reply]>
  private let asked = Locked<[HTTPRequest]>([])

  init(_ replies: [Reply]) { self.replies = Locked(replies) }

  var requests: [HTTPRequest] { asked.withLock { $0 } }
  /// `METHOD path` of each, seen from the server's base.
  var lines: [String] {
    requests.map { "\($0.method.rawValue) \($0.url.replacingOccurrences(of: Rig.base, with: ""))" }
  }
  /// Whether everything that was written down was asked for.
  var isSpent: Bool { replies.withLock { $0.isEmpty } }

  func send(_ request: HTTPRequest, receive: @escaping HTTPReceiver) async throws -> HTTPHead {
    asked.withLock { $0.append(request) }
    guard let reply = replies.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      Issue.record("nothing was written down for \(request.method) \(request.url)")
      throw HTTPFault.notSent(why: "the script is over")
    }
    return try give(reply, request, receive)
  }

  private func give(_ reply: Reply, _ request: HTTPRequest, _ receive: HTTPReceiver) throws -> HTTPHead {
    switch reply {
    case .fault(let fault): throw fault
    case .from(let make): return try give(make(request), request, receive)
    case .answer(let status, let headers, let body):
      let head = HTTPHead(status: status, fields: headers.map { (name: $0.key, value: $0.value) })
      if request.method != .head, !body.isEmpty {
        try Array(body.utf8).withUnsafeBytes { try receive(head, $0) }
      }
      return head
    }
  }
}

extension HTTPRequest {
  func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }
  var text: String {
    if case .bytes(let bytes)? = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }
}

/// A clock on which sleeping takes no time; it remembers for how long it was asked to.
final class RecordingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Locked((now: Duration.zero, sleeps: [Duration]()))

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var minimumResolution: Duration { .nanoseconds(1) }
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(deadline.offset - state.now)
      state.now = max(state.now, deadline.offset)
    }
  }
}

/// A remote whose HTTP is a script.
struct Rig {
  static let base = "http://127.0.0.1:9/v1"
  let client: ScriptedClient
  let clock = RecordingClock()
  let remote: KintoRemote
  let alice: AccountID

  init(
    _ replies: ScriptedClient.Reply..., bucket: String = "default",
    change: (inout KintoServer) -> Void = { _ in }
  ) throws {
    try self.init(replies: replies, bucket: bucket, change: change)
  }

  init(
    replies: [ScriptedClient.Reply], bucket: String = "default",
    change: (inout KintoServer) -> Void = { _ in }
  ) throws {
    client = ScriptedClient(replies)
    var server = try KintoServer(name: "home", url: Rig.base, bucket: bucket)
    change(&server)
    let secret = try #require(Secret("hunter2"))
    remote = KintoRemote(
      server: server, client: client, secret: { _ in secret }, clock: clock, random: SeededRandomNumbers(),
      now: { Timestamp(nanoseconds: 1_000_000_000_000) })
    alice = try AccountID(server: "home", user: "alice")
  }

  func page(_ position: PullPosition = .beginning, limit: Int = 100) async throws -> RemotePage {
    try await remote.changes(in: "notes", of: alice, from: position, limit: limit)
  }

  func push(_ changes: RemoteChange...) async throws -> [PushOutcome] {
    try await remote.push(changes, to: "notes", of: alice)
  }
}

/// The same numbers each time.
struct SeededRandomNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64 = 5
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
