import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

@testable import KintoRemote

/// What holds for every request: who asks, how often, and for how long a server is left alone.
@Suite struct `A request to Kinto` {
  private static let greeting = #"""
    {"settings":{"batch_max_requests":200,"readonly":false},"capabilities":{"attachments":{}},
     "user":{"id":"account:alice","bucket":"b1"}}
    """#

  private func session(_ replies: ScriptedClient.Reply...) async throws -> (Rig, RemoteSession) {
    let rig = try Rig(replies: replies)
    return (rig, try await rig.remote.session(of: rig.alice))
  }

  @Test func `first learns who it is taken for and what is allowed`() async throws {
    let (rig, session) = try await session(.json(200, Self.greeting))
    #expect(
      session
        == RemoteSession(user: "account:alice", batchLimit: 50, isReadOnly: false, keepsBlobs: true))
    #expect(rig.client.lines == ["GET /"])
  }

  @Test func `with a wrong secret is an error of its own, though Kinto greets everyone`() async throws {
    let rig = try Rig(.json(200, #"{"settings":{"batch_max_requests":25}}"#))
    let error = await #expect(throws: RemoteError.self) { try await rig.remote.session(of: rig.alice) }
    #expect(error?.code == "sync.unauthorized")
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func `goes to the bucket itself on a server that takes no changes`() async throws {
    let rig = try Rig(
      .json(
        200,
        #"{"settings":{"batch_max_requests":25,"readonly":true},"user":{"id":"account:alice","bucket":"b1"}}"#
      ),
      .json(200, #"{"data":[]}"#))
    #expect(try await rig.remote.session(of: rig.alice).isReadOnly)
    _ = try await rig.page()
    #expect(rig.client.lines[1].hasPrefix("GET /buckets/b1/collections/notes"))
  }

  @Test(arguments: [
    ScriptedClient.Reply.fault(.notSent(why: "no route to host")), .fault(.lost(why: "it was cut")),
    .error(503, 201),
    .error(500, 999), .answer(502, ["Content-Type": "text/html"], "<html>Bad Gateway</html>"),
    .answer(504, ["Content-Type": "text/html"], ""), .error(429, 117), .error(409, 122),
  ])
  func `is made again after what may pass, and then not again`(reply: ScriptedClient.Reply) async throws {
    let healed = try Rig(reply, reply, reply, .json(200, #"{"data":[]}"#))
    _ = try await healed.page()
    #expect(healed.clock.sleeps.count == 3)
    #expect(healed.client.isSpent)
    let down = try Rig(reply, reply, reply, reply)
    let error = await #expect(throws: RemoteError.self) { try await down.page() }
    #expect(error?.code == "sync.unreachable")
    #expect(down.client.isSpent)
  }

  @Test func `is made once more of a server that takes it and says nothing`() async throws {
    let silence = ScriptedClient.Reply.fault(.silent(why: "timeout was reached"))
    let rig = try Rig(silence, silence)
    let error = await #expect(throws: RemoteError.self) { try await rig.page() }
    #expect(error?.code == "sync.unreachable")
    #expect(rig.client.isSpent)
  }

  @Test func `has an hour for a file, and two minutes for anything else`() async throws {
    let file = try GoldenFolder()
    try Data("file".utf8).write(to: URL(fileURLWithPath: file.path("a.txt")))
    let rig = try Rig(.json(200, #"{"data":{"id":"n-1","last_modified":3}}"#), .error(413))
    await #expect(throws: RemoteError.self) {
      try await rig.remote.upload(
        BlobFile(path: file.path("a.txt"), name: "a.txt", mediaType: "text/plain"), to: "1", in: "notes",
        of: rig.alice)
    }
    #expect(rig.client.requests.map(\.timeout) == [.seconds(120), .seconds(3600)])
  }

  @Test func `waits as long as it is asked to before it is made again`() async throws {
    let rig = try Rig(
      .error(503, 201, "no", ["Retry-After": "7"]),
      .error(
        503, 201, "no",
        ["Date": "Mon, 30 Nov 2026 08:00:00 GMT", "Retry-After": "Mon, 30 Nov 2026 08:00:09 GMT"]),
      .json(200, #"{"data":[]}"#))
    _ = try await rig.page()
    #expect(rig.clock.sleeps[0] >= .seconds(7) && rig.clock.sleeps[0] < .seconds(8))
    #expect(rig.clock.sleeps[1] >= .seconds(9) && rig.clock.sleeps[1] < .seconds(10))
  }

  @Test func `takes a date by our own clock where the server doesn't say its own`() async throws {
    // The rig's clock is at 1970-01-01 00:16:40.
    let rig = try Rig(
      .error(503, 201, "no", ["Retry-After": "Thu, 01 Jan 1970 00:16:49 GMT"]), .json(200, #"{"data":[]}"#))
    _ = try await rig.page()
    #expect(rig.clock.sleeps[0] >= .seconds(9) && rig.clock.sleeps[0] < .seconds(10))
  }

  @Test func `doesn't fill the memory with what a server says`() async throws {
    let answer = ScriptedClient.Reply.json(200, #"{"data":[]}"#)
    let rig = try Rig(answer, answer) { $0.largestAnswer = 11 }
    #expect(try await rig.page().records.isEmpty)
    let small = try Rig(answer) { $0.largestAnswer = 10 }
    let error = await #expect(throws: RemoteError.self) { try await small.page() }
    #expect(error?.code == "sync.badAnswer")
  }

  @Test func `isn't made again where more time is asked for than a run has: that is written down`()
    async throws
  {
    let rig = try Rig(.error(503, 201, "no", ["Retry-After": "3600"]))
    await #expect(throws: RemoteError.self) { try await rig.page() }
    #expect(rig.clock.sleeps.isEmpty)
    #expect(rig.remote.notice(of: rig.alice).notBefore == Timestamp(nanoseconds: 4600 * 1_000_000_000))
  }

  @Test func `that is answered well may ask for time too, and the longest wish counts`() async throws {
    let rig = try Rig(
      .json(200, #"{"data":[]}"#, ["Backoff": "30"]), .json(200, #"{"data":[]}"#, ["backoff": "10"]))
    #expect(rig.remote.notice(of: rig.alice) == RemoteNotice())
    _ = try await rig.page()
    _ = try await rig.page()
    #expect(rig.remote.notice(of: rig.alice).notBefore == Timestamp(nanoseconds: 1030 * 1_000_000_000))
  }

  @Test(arguments: [
    (#"{"code":"soft-eol","message":"It ends in May.","url":"https://x"}"#, "It ends in May. https://x"),
    ("not json", "not json"),
  ])
  func `hears what is announced`(header: String, text: String) async throws {
    let rig = try Rig(.json(200, #"{"data":[]}"#, ["Alert": header]))
    _ = try await rig.page()
    #expect(rig.remote.notice(of: rig.alice).alert == text)
  }

  @Test func `is counted, with the bytes of both bodies`() async throws {
    let rig = try Rig(.json(200, #"{"data":[]}"#), .json(200, #"{"responses":[]}"#))
    _ = try await rig.page()
    _ = try await rig.push(.create("a", [:]))
    #expect(rig.remote.traffic.requests == 2)
    #expect(rig.remote.traffic.received == 11 + 16)
    #expect(rig.remote.traffic.sent == Int64(rig.client.requests[1].text.utf8.count))
  }

  @Test func `ends where its task is cancelled, and isn't made again`() async throws {
    let rig = try Rig(
      .from { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return .error(503)
      })
    let task = Task { try await rig.page() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(rig.client.requests.count == 1)
  }

  @Test func `that has no secret fails with where it was looked for`() async throws {
    let rig = try Rig()
    let remote = KintoRemote(
      server: try KintoServer(name: "home", url: Rig.base), client: rig.client,
      secret: { _ in throw SecretError.noSecret(place: "the file x") }, now: { Timestamp(nanoseconds: 0) })
    await #expect(throws: SecretError.noSecret(place: "the file x")) {
      try await remote.session(of: rig.alice)
    }
    #expect(rig.client.requests.isEmpty)
  }

  @Test func `puts a mark on a feed, and takes the one that another device put there first`() async throws {
    let fresh = try Rig(.error(404, 111), .json(201))
    #expect(try await fresh.remote.setMark("m", of: "notes", of: fresh.alice) == "m")
    #expect(fresh.client.requests[1].header("If-None-Match") == "*")
    #expect(fresh.client.requests[1].text == #"{"data":{"epoch":"m"}}"#)
    let unmarked = try Rig(.json(200, #"{"data":{"id":"notes","last_modified":5,"schema":{}}}"#), .json(200))
    // The mark is made of what it starts from: two devices that patch at once write the same.
    let made = try await unmarked.remote.setMark("m", of: "notes", of: unmarked.alice)
    #expect(made == StableHash.of("mark", "notes", "5"))
    #expect(unmarked.client.requests[1].text == #"{"data":{"epoch":"\#(made)"}}"#)
    // A patch, which leaves what others keep there.
    #expect(unmarked.client.lines[1] == "PATCH /buckets/default/collections/notes")
    #expect(unmarked.client.requests[1].header("If-Match") == "\"5\"")
    let late = try Rig(
      .error(404, 111), .error(412, 114), .json(200, #"{"data":{"last_modified":6,"epoch":"theirs"}}"#))
    #expect(try await late.remote.setMark("m", of: "notes", of: late.alice) == "theirs")
    let read = try Rig(.json(200, #"{"data":{"last_modified":6,"epoch":"theirs"}}"#), .error(404, 111))
    #expect(try await read.remote.mark(of: "notes", of: read.alice) == "theirs")
    #expect(try await read.remote.mark(of: "notes", of: read.alice) == nil)
  }
}
