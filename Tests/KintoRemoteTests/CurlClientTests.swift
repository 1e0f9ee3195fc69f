import FerryStore
import Foundation
import TestKit
import Testing

@testable import KintoRemote

/// HTTP itself, against a server that does what no proper one does.
@Suite(.waitsOnThreads) struct `HTTP by libcurl` {
  private let client = CurlClient()

  private func ask(_ stub: SocketStub, _ change: (inout HTTPRequest) -> Void = { _ in }) async throws
    -> (head: HTTPHead, body: String)
  {
    var request = HTTPRequest(.get, "\(stub.url)/path", timeout: .seconds(20))
    change(&request)
    let body = Locked<[UInt8]>([])
    let head = try await client.send(request) { _, bytes in body.withLock { $0 += bytes } }
    return (head, String(decoding: body.withLock { $0 }, as: UTF8.self))
  }

  private func fault(_ steps: SocketStub.Step..., change: (inout HTTPRequest) -> Void = { _ in }) async throws
    -> HTTPFault?
  {
    let stub = try SocketStub([steps])
    return await #expect(throws: HTTPFault.self) { _ = try await ask(stub, change) }
  }

  @Test func `gives status, headers in any case, and the body`() async throws {
    let stub = try SocketStub([
      [
        .send(
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nEtag: \"5\"\r\nContent-Length: 2\r\n\r\nhi")
      ]
    ])
    let (head, body) = try await ask(stub)
    #expect(head.status == 201)
    #expect(head["ETAG"] == "\"5\"")
    #expect(head["Nope"] == nil)
    #expect(body == "hi")
  }

  @Test func `survives a 401 that asks for a password, on which URLSession hangs`() async throws {
    let stub = try SocketStub([
      [
        .send(
          "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"k\"\r\nContent-Length: 2\r\n\r\nno")
      ]
    ])
    #expect(try await ask(stub).head.status == 401)
  }

  @Test func `follows no redirect, so that no password goes elsewhere`() async throws {
    let other = try SocketStub([[.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]])
    for status in [301, 302, 307, 308] {
      let stub = try SocketStub([
        [.send("HTTP/1.1 \(status) Moved\r\nLocation: \(other.url)/\r\nContent-Length: 0\r\n\r\n")]
      ])
      #expect(try await ask(stub) { $0.headers = [("Authorization", "Basic x")] }.head.status == status)
    }
    #expect(other.requests.isEmpty)
  }

  @Test func `keeps no cookie`() async throws {
    let stub = try SocketStub([[.send("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n")]])
    for _ in 0..<2 { _ = try await ask(stub) }
    #expect(stub.requests.count == 2)
    #expect(!stub.requests.joined().lowercased().contains("cookie"))
  }

  @Test func `sends what it is given and nothing of its own making`() async throws {
    let stub = try SocketStub([[.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]])
    _ = try await ask(stub) {
      $0.method = .put
      $0.headers = [("If-Match", "\"5\""), ("Content-Type", "application/json")]
      $0.body = .bytes(Array("{}".utf8))
    }
    let head = try #require(stub.requests.first)
    #expect(head.hasPrefix("PUT /path HTTP/1.1\r\n"))
    #expect(head.contains("\r\nIf-Match: \"5\"\r\n"))
    #expect(head.contains("\r\nContent-Length: 2\r\n"))
    #expect(!head.contains("Expect"))
    #expect(!head.contains("x-www-form-urlencoded"))
  }

  @Test func `sends an empty body as one`() async throws {
    let stub = try SocketStub([[.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]])
    _ = try await ask(stub) {
      $0.method = .put
      $0.body = .bytes([])
    }
    #expect(stub.requests[0].contains("\r\nContent-Length: 0\r\n"))
  }

  @Test func `expects no body after HEAD and 304, whatever their length says`() async throws {
    let stub = try SocketStub([[.send("HTTP/1.1 200 OK\r\nTotal-Objects: 7\r\nContent-Length: 11\r\n\r\n")]])
    #expect(try await ask(stub) { $0.method = .head }.head["Total-Objects"] == "7")
    let other = try SocketStub([[.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 11\r\n\r\n")]])
    #expect(try await ask(other).head.status == 304)
  }

  @Test func `tells a server that isn't there from an answer that was lost`() async throws {
    let gone = try SocketStub([[]])
    let url = gone.url
    await #expect(throws: HTTPFault.lost(why: "server returned nothing (no headers, no data)")) {
      _ = try await ask(gone)
    }
    _ = consume gone
    let request = HTTPRequest(
      .get, url.replacingOccurrences(of: "127.0.0.1", with: "127.0.0.2"), timeout: .seconds(9))
    let error = await #expect(throws: HTTPFault.self) { _ = try await client.send(request) { _, _ in } }
    guard case .notSent? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `loses what is cut short, reset, or not HTTP at all`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
    for fault in [
      try await fault(.send(head + "only this")), try await fault(.send(head), .reset),
      try await fault(.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")),
      try await fault(.send("220 smtp.example.org ESMTP\r\n")),
    ] {
      guard case .lost(let why)? = fault else {
        Issue.record("\(String(describing: fault))")
        continue
      }
      #expect(!why.isEmpty && !why.hasSuffix("."))
    }
  }

  @Test func `gives up on a server that never answers, and on one that stops in the middle`() async throws {
    let never = try await fault(.hang) { $0.timeout = .milliseconds(300) }
    let stops = try await fault(.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"), .hang) {
      $0.stallTimeout = .seconds(1)
    }
    for fault in [never, stops] {
      guard case .silent? = fault else {
        Issue.record("\(String(describing: fault))")
        continue
      }
    }
  }

  @Test func `ends at once when its task is cancelled`() async throws {
    let stub = try SocketStub([[.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"), .hang]])
    let (isUnderWay, signal) = AsyncStream<Void>.makeStream()
    let task = Task { [client] in
      try await client.send(HTTPRequest(.get, stub.url, timeout: .seconds(60))) { _, _ in signal.yield() }
    }
    for await _ in isUnderWay { break }
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ContinuousClock.now - start < .seconds(5))
    // The same connection's worth of libcurl serves the next request.
    let next = try SocketStub([[.send("HTTP/1.1 204 No Content\r\n\r\n")]])
    #expect(try await ask(next).head.status == 204)
  }

  @Test func `ends with what the receiver throws`() async throws {
    struct Enough: Error {}
    let stub = try SocketStub([[.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"), .hang]])
    await #expect(throws: Enough.self) {
      _ = try await client.send(HTTPRequest(.get, stub.url, timeout: .seconds(20))) { _, _ in throw Enough() }
    }
  }

  @Test func `uses an open connection again, and a new one where the server has closed it`() async throws {
    let alive = "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"
    let closing = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    let stub = try SocketStub([[.send(alive)], [.send(closing)], [.send(alive)]])
    for _ in 0..<4 { #expect(try await ask(stub).head.status == 200) }
    #expect(stub.requests.count == 4)
  }

  @Test func `sends a file as a form, whatever its name`() async throws {
    let stub = try SocketStub([[.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]])
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("ferry-\(UUID().uuidString)")
      .path
    try Data("content".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try await ask(stub) {
      $0.method = .post
      $0.body = .form(field: "attachment", .init(path: path, name: "a\"b\r\nX: y", mediaType: "text/plain"))
    }
    let head = try #require(stub.requests.first)
    #expect(head.contains("Content-Type: multipart/form-data; boundary="))
    #expect(!head.contains("X: y"))
  }

  @Test func `speaks nothing but http and https`() async throws {
    let request = HTTPRequest(.get, "file:///etc/passwd", timeout: .seconds(5))
    await #expect(throws: HTTPFault.self) { _ = try await client.send(request) { _, _ in } }
  }
}
