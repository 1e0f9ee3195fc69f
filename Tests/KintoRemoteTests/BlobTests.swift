import FerryDigest
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

@testable import KintoRemote

/// Files, from servers that do all kinds of things to them.
@Suite struct `A file from Kinto` {
  private let folder: GoldenFolder
  private let bytes = "0123456789abcdefghijklmnopqrstuvwxyz"

  init() throws { folder = try GoldenFolder() }

  private var target: String { folder.path("file") }
  private var part: String { PartialFile.name(target) }

  private func blob(_ stub: SocketStub, _ content: String? = nil) -> RemoteBlob {
    let content = content ?? bytes
    return RemoteBlob(
      location: "\(stub.url)/files/x", sha256: sha256(content), size: Int64(content.utf8.count),
      name: "../../etc/passwd")
  }

  private func answer(_ body: String, _ status: String = "200 OK", _ headers: String = "") -> [SocketStub
    .Step]
  {
    [.send("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")]
  }

  /// A remote whose server is elsewhere than the files.
  private func remote(_ url: String = "http://127.0.0.1:9/v1") throws -> (KintoRemote, AccountID) {
    let secret = try #require(Secret("hunter2"))
    return (
      KintoRemote(
        server: try KintoServer(name: "home", url: url), client: CurlClient(), secret: { _ in secret },
        clock: RecordingClock(), now: { Timestamp(nanoseconds: 0) }),
      try AccountID(server: "home", user: "alice")
    )
  }

  private func download(_ stub: SocketStub, _ blob: RemoteBlob? = nil) async throws {
    let (remote, alice) = try remote()
    try await remote.download(blob ?? self.blob(stub), of: alice, to: target)
  }

  private func found() throws -> String { String(decoding: try FileOperations().read(target), as: UTF8.self) }

  @Test func `comes whole, and leaves nothing else behind`() async throws {
    let stub = try SocketStub([answer(bytes, "200 OK", "ETag: \"1\"\r\n")])
    try await download(stub)
    #expect(try found() == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test func `is gone on with where a cut connection left it`() async throws {
    let stub = try SocketStub([
      [.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 36\r\n\r\n\(bytes.prefix(10))")],
      answer(String(bytes.dropFirst(10)), "206 Partial Content", "Content-Range: bytes 10-35/36\r\n"),
    ])
    try await download(stub)
    #expect(try found() == bytes)
    #expect(stub.requests.count == 2)
    #expect(stub.requests[1].contains("\r\nRange: bytes=10-\r\n"))
    // Only if it is still the same file.
    #expect(stub.requests[1].contains("\r\nIf-Range: \"1\"\r\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test func `is gone on with by another run`() async throws {
    try FileOperations().writeWhole(Array(bytes.utf8.prefix(10)), to: part)
    let stub = try SocketStub([
      answer(String(bytes.dropFirst(10)), "206 Partial Content", "Content-Range: bytes 10-35/36\r\n")
    ])
    try await download(stub)
    #expect(try found() == bytes)
    #expect(stub.requests[0].contains("\r\nRange: bytes=10-\r\n"))
  }

  @Test func `is fetched anew where it was replaced, or the server knows no ranges`() async throws {
    try FileOperations().writeWhole(Array("something else".utf8), to: part)
    let stub = try SocketStub([answer(bytes)])
    try await download(stub)
    #expect(try found() == bytes)
  }

  @Test func `is fetched anew once where the part that was there is to blame`() async throws {
    try FileOperations().writeWhole(Array("XXXXXXXXXX".utf8), to: part)
    let stub = try SocketStub([
      answer(String(bytes.dropFirst(10)), "206 Partial Content", "Content-Range: bytes 10-35/36\r\n"),
      answer(bytes),
    ])
    try await download(stub)
    #expect(try found() == bytes)
    #expect(stub.requests.count == 2)
    #expect(!stub.requests[1].contains("Range"))
  }

  @Test func `isn't asked for where all of it is there already, only checked`() async throws {
    try FileOperations().writeWhole(Array(bytes.utf8), to: part)
    let stub = try SocketStub([answer("no")])
    try await download(stub)
    #expect(try found() == bytes)
    #expect(stub.requests.isEmpty)
  }

  @Test func `is nothing where its bytes are others, fewer or more`() async throws {
    for body in [String(bytes.reversed()), String(bytes.dropLast()), bytes + "!", ""] {
      let stub = try SocketStub([answer(body)])
      let error = await #expect(throws: RemoteError.self) { try await download(stub) }
      #expect(error?.code == "sync.blobDiffers")
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }

  @Test func `that is endless is given up at its size`() async throws {
    let stub = try SocketStub([
      [
        .send(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" + String(repeating: "x", count: 64)),
        .hang,
      ]
    ])
    let error = await #expect(throws: RemoteError.self) { try await download(stub) }
    #expect(error?.code == "sync.blobDiffers")
  }

  @Test func `may be empty`() async throws {
    let stub = try SocketStub([answer("")])
    try await download(stub, blob(stub, ""))
    #expect(try found() == "")
  }

  @Test(arguments: ["404 Not Found", "410 Gone", "500 Internal Server Error"])
  func `that was replaced is told from a server that is down`(status: String) async throws {
    let stub = try SocketStub([answer("", status)])
    await #expect(throws: RemoteError.blobGone(location: "\(stub.url)/files/x")) { try await download(stub) }
    let down = try SocketStub([answer("", "503 Service Unavailable"), answer(bytes)])
    try await download(down)
    #expect(try found() == bytes)
  }

  @Test func `is asked for with the secret by nobody but the server itself`() async throws {
    let other = try SocketStub([answer(bytes)])
    try await download(other)
    #expect(!other.requests[0].contains("Authorization"))
    try FileManager.default.removeItem(atPath: target)
    let own = try SocketStub([answer(bytes)])
    let (remote, alice) = try remote("\(own.url)/v1")
    try await remote.download(blob(own), of: alice, to: target)
    #expect(own.requests[0].contains("Authorization: Basic YWxpY2U6aHVudGVyMg=="))
    // The same name with another port or scheme is somebody else.
    #expect(Origin("\(own.url)/v1") != Origin("https://127.0.0.1:\(own.port)/v1"))
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://x/y", "javascript://x"])
  func `lies nowhere but on the web`(location: String) async throws {
    let (remote, alice) = try remote()
    let blob = RemoteBlob(location: location, sha256: sha256(bytes), size: 36)
    let error = await #expect(throws: RemoteError.self) {
      try await remote.download(blob, of: alice, to: target)
    }
    #expect(error?.code == "sync.badAnswer")
  }

  @Test func `is read from a record only where what is said of it makes sense`() throws {
    let hash = sha256("x")
    let good: JSONObject = [
      "location": "l", "hash": .string(hash), "size": 1, "filename": "../../x", "mimetype": "a/b",
    ]
    func record(_ attachment: JSONValue) -> RemoteRecord {
      RemoteRecord(id: "a", revision: 1, content: ["attachment": attachment])
    }
    #expect(
      try record(.object(good)).blob()
        == RemoteBlob(location: "l", sha256: hash, size: 1, mediaType: "a/b", name: "../../x"))
    // After its file was deleted a record has null there.
    #expect(try record(.null).blob() == nil)
    #expect(try RemoteRecord(id: "a", revision: 1, content: [:]).blob() == nil)
    for (name, value) in [
      ("hash", "abc"), ("hash", .string(hash.uppercased())), ("size", -1), ("location", 5),
    ]
      as [(String, JSONValue)]
    {
      var bad = good
      bad[name] = value
      #expect(throws: JSONFault.self) { try record(.object(bad)).blob() }
    }
  }
}

/// Files on the real server.
@Suite(.waitsOnThreads) struct `A file on a Kinto server` {
  private let folder: GoldenFolder

  init() throws { folder = try GoldenFolder() }

  private func file(_ content: [UInt8], _ name: String = "photo one.jpg") throws -> BlobFile {
    try FileOperations().writeWhole(content, to: folder.path("source"))
    return BlobFile(path: folder.path("source"), name: name, mediaType: "image/jpeg")
  }

  @Test func `goes up, comes down, is replaced, and stays with its record when that is pushed`() async throws
  {
    let device = try await Device(.shared(.memory))
    let made = try #require(try await device.push(.create("a", ["n": 1]))[0].revision)
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let (blob, revision) = try await device.remote.upload(
      file(content, "../../etc/passwd"), to: "a", in: "notes", of: device.account)
    #expect(revision > made)
    #expect(blob.size == 300_000)
    let record = try #require(try await device.remote.record("a", in: "notes", of: device.account))
    #expect(record.revision == revision)
    #expect(try record.blob() == blob)

    try FileOperations().writeWhole(Array(content.prefix(1000)), to: PartialFile.name(folder.path("copy")))
    let before = device.remote.traffic.received
    try await device.remote.download(blob, of: device.account, to: folder.path("copy"))
    #expect(try FileOperations().read(folder.path("copy")) == content)
    #expect(device.remote.traffic.received - before == 299_000)

    var changed = try #require(record.content)
    changed["n"] = 2
    let pushed = try #require(try await device.push(.update("a", changed, of: revision))[0].revision)
    let (other, last) = try await device.remote.upload(
      file(Array("other".utf8)), to: "a", in: "notes", of: device.account)
    #expect(last > pushed)
    let now = try #require(try await device.remote.record("a", in: "notes", of: device.account))
    #expect(now.content?["n"] == 2)
    #expect(try now.blob() == other)
    await #expect(throws: RemoteError.blobGone(location: blob.location)) {
      try await device.remote.download(blob, of: device.account, to: folder.path("old"))
    }
  }

  @Test func `is refused where it is too large, or its record isn't there`() async throws {
    let device = try await Device(.shared(.demanding))
    _ = try await device.push(.create("a", [:]))
    let error = await #expect(throws: RemoteError.self) {
      try await device.remote.upload(
        file([UInt8](repeating: 1, count: 1001)), to: "a", in: "notes", of: device.account)
    }
    #expect(error?.code == "sync.blobTooLarge")
    #expect(error?.sentence.contains("1000 bytes") == true)
    let missing = await #expect(throws: RemoteError.self) {
      try await device.remote.upload(file([1]), to: "b", in: "notes", of: device.account)
    }
    #expect(missing?.code == "sync.missingRecord")
    #expect(try await device.remote.record("b", in: "notes", of: device.account) == nil)
  }

  @Test func `is there again once it is sent again, where one in its place was refused and took it along`()
    async throws
  {
    let device = try await Device(.shared(.demanding))
    _ = try await device.push(.create("a", [:]))
    func upload(_ content: [UInt8]) async throws -> RemoteBlob {
      try await device.remote.upload(file(content), to: "a", in: "notes", of: device.account).blob
    }
    func download(_ blob: RemoteBlob) async throws {
      try await device.remote.download(blob, of: device.account, to: folder.path("copy"))
    }
    let first = try await upload([1, 2, 3])
    try await download(first)
    await #expect(throws: RemoteError.self) { try await upload([UInt8](repeating: 1, count: 1001)) }
    try FileOperations().removeIfThere(folder.path("copy"))
    // The record goes on naming it, and the server may have thrown it away before it looked at the other.
    let named = try await device.remote.record("a", in: "notes", of: device.account)?.blob()
    #expect(named == first)
    do {
      try await download(first)
    } catch {
      #expect(error as? RemoteError == .blobGone(location: first.location))
    }
    try await download(try await upload([1, 2, 3]))
    #expect(try FileOperations().read(folder.path("copy")) == [1, 2, 3])
  }
}

private func sha256(_ text: String) -> String { SHA256Digest.of(Array(text.utf8)) }
