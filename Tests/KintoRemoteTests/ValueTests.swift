import FerryStore
import Foundation
import TestKit
import Testing

@testable import KintoRemote

/// Where a pull stands.
@Suite struct `A cursor` {
  @Test(arguments: ["0", "1796007401748", "5~9", "1796007401748!", "5~9!"])
  func `is what its text says`(text: String) throws {
    #expect(try #require(KintoCursor(text)).text == text)
  }

  @Test(arguments: ["", "x", "-1", "5~", "5~5", "5~4", "1~2~3", "!", "~4", "5!!"])
  func `is no other text`(text: String) {
    #expect(KintoCursor(text) == nil)
  }
}

/// `Retry-After` and `Backoff`.
@Suite struct `How long a server asks to be left alone` {
  // 1994-11-06 08:49:37 UTC is 784,111,777 seconds after 1970: the example of RFC 9110.
  private let example: Int64 = 784_111_777

  @Test(arguments: [
    ("3", 3), (" 120 ", 120), ("0", 0), ("99999999999999999999999", 604_800),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 17), ("Sunday, 06-Nov-94 08:49:37 GMT", 17),
    ("Sun Nov  6 08:49:37 1994", 17), ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
    ("Fri, 31 Dec 1999 23:59:59 GMT", 604_800),
  ])
  func `is seconds or a date`(text: String, seconds: Int64) {
    #expect(RetryAfter.seconds(text, now: example - 17) == seconds)
  }

  @Test(arguments: [
    "", "soon", "-3", "3.5", "Sun, 06 Nov 1994 08:49:37", "Sun, 36 Nov 1994 08:49:37 GMT", "1e3",
  ])
  func `is nothing else`(text: String) {
    #expect(RetryAfter.seconds(text, now: 0) == nil)
  }

  @Test func `agrees with Foundation on any date`() throws {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let seconds = Int64.random(in: 0..<7_000_000_000, using: &random)
      let text = format.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(HTTPDate.seconds(text) == seconds, "\(text)")
    }
  }
}

/// How long is paused between two tries.
@Suite struct `The pause between two tries` {
  @Test func `doubles the bound of a random pause up to a longest one`() {
    var patience = Patience()
    (patience.firstPause, patience.longestPause) = (.seconds(1), .seconds(20))
    var random = SeededGenerator(seed: 3)
    for (number, bound) in [(1, 1.0), (2, 2), (3, 4), (5, 16), (6, 20), (60, 20)] {
      var pauses: [Double] = []
      for _ in 0..<2000 {
        pauses.append(patience.pause(after: number, wish: nil, random: &random) / .seconds(1))
      }
      #expect(pauses.allSatisfy { (0..<bound).contains($0) })
      // Full jitter: the whole range is used, evenly.
      let mean = pauses.reduce(0, +) / 2000
      #expect(abs(mean - bound / 2) < bound / 20)
      #expect((pauses.min() ?? 1) < bound / 100)
    }
  }

  @Test func `never pauses for less than the server asked for`() {
    var random = SeededGenerator(seed: 3)
    #expect(Patience().pause(after: 1, wish: .seconds(7), random: &random) == .seconds(7))
  }
}

/// Where passwords come from, and where they don't go.
@Suite(.waitsOnThreads) struct `A secret` {
  private let folder: GoldenFolder

  init() throws { folder = try GoldenFolder() }

  private func file(_ text: String, _ mode: Int) throws -> SecretSource {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("secret")))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path("secret"))
    return .file(folder.path("secret"))
  }

  @Test func `comes from the first line of a file that only its owner may read`() throws {
    let secret = try file("Aladdin: open sesame \u{e9}\nmore", 0o600).read()
    // What Python's base64 makes of it.
    #expect(secret.authorization(user: "me") == "Basic bWU6QWxhZGRpbjogb3BlbiBzZXNhbWUgw6k=")
    #expect(try file("x", 0o400).read().authorization(user: "u") == "Basic dTp4")
    #expect(try file("xy", 0o400).read().authorization(user: "u") == "Basic dTp4eQ==")
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o610])
  func `isn't taken from a file that others may read`(mode: Int) throws {
    let source = try file("hunter2", mode)
    #expect(throws: SecretError.open(path: folder.path("secret"), mode: String(mode, radix: 8))) {
      try source.read()
    }
  }

  @Test func `comes from what a command prints, which gets no input`() throws {
    #expect(
      try SecretSource.command(["/bin/sh", "-c", "cat; echo from-command; echo more"]).read()
        .authorization(user: "u") == Secret("from-command")?.authorization(user: "u"))
  }

  @Test func `comes from a variable`() throws {
    setenv("FERRY_TEST_SECRET", "from-variable", 1)
    #expect(
      try SecretSource.environment("FERRY_TEST_SECRET").read().authorization(user: "u")
        == Secret("from-variable")?.authorization(user: "u"))
  }

  @Test func `that isn't there is an error that says where and what to do`() throws {
    let sources: [(SecretSource, String)] = [
      (.file(folder.path("none")), "secret.unreadable"), (.file(folder.path), "secret.unreadable"),
      (try file("", 0o600), "secret.none"), (try file("\nhunter2", 0o600), "secret.none"),
      (.command(["/bin/sh", "-c", "echo hunter2; exit 3"]), "secret.commandFailed"),
      (.command(["/no/such/program"]), "secret.commandFailed"), (.command([]), "secret.commandFailed"),
      (.command(["/bin/true"]), "secret.none"), (.environment("FERRY_TEST_NO_SECRET"), "secret.none"),
    ]
    for (source, code) in sources {
      let error = #expect(throws: SecretError.self) { try source.read() }
      #expect(error?.code == code)
      #expect(error?.description.contains("hunter2") == false)
      #expect(error?.remedy.isEmpty == false)
    }
  }

  /// The program's own child holds its output open; or it prints without end.
  @Test(arguments: ["sleep 1000 & sleep 1000", "exec yes"])
  func `isn't waited for where nobody waits any more`(work: String) async throws {
    let began = folder.path("began")
    let task = Task {
      try SecretSource.command(["/bin/sh", "-c", "echo hunter2; touch '\(began)'; \(work)"]).read()
    }
    while !FileManager.default.fileExists(atPath: began) { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `is dots wherever it is printed`() throws {
    struct Holder { let secret: Secret }
    let secret = try #require(Secret("hunter2"))
    var dumped = ""
    dump(Holder(secret: secret), to: &dumped)
    for text in ["\(secret)", String(describing: Holder(secret: secret)), String(reflecting: secret), dumped]
    {
      #expect(!text.contains("hunter2"), "\(text)")
    }
  }

  @Test(arguments: ["", "a\nb", "a\rb", "a\u{0}b"])
  func `can't be what no header can carry`(text: String) {
    #expect(Secret(text) == nil)
  }
}

/// What may be configured as a server.
@Suite struct `A server's address` {
  @Test(arguments: [
    ("https://sync.example.org/v1", "https://sync.example.org:443/v1"),
    ("https://sync.example.org:8443/v1/", "https://sync.example.org:8443/v1"),
    ("http://127.0.0.1:8888/v1", "http://127.0.0.1:8888/v1"),
    ("HTTP://LocalHost/a%20b/v1", "http://localhost:80/a%20b/v1"),
  ])
  func `is taken without the slash at its end`(url: String, base: String) throws {
    #expect(try KintoServer(name: "home", url: url).base == base)
  }

  @Test(arguments: [
    "", "ftp://x/v1", "sync.example.org/v1", "https://", "https://me:pw@x/v1", "https://me@x/v1",
    "https://x/v1?a=b",
    "https://x/v1#a", "https://x:99999/v1", "https://x:0/v1", "https://x", "https://x/v2",
  ])
  func `is refused where it can't be one, or holds a password`(url: String) {
    let error = #expect(throws: KintoServerError.self) { try KintoServer(name: "home", url: url) }
    #expect(error?.code == "kinto.badURL")
    #expect(error?.description.contains("pw") == false)
  }

  @Test func `is refused where passwords would be sent in clear over a network`() throws {
    #expect(throws: KintoServerError.plainHTTP(server: "home")) {
      try KintoServer(name: "home", url: "http://sync.example.org/v1")
    }
    #expect(throws: KintoServerError.plainHTTP(server: "home")) {
      try KintoServer(name: "home", url: "http://localhost.example.org/v1")
    }
    _ = try KintoServer(name: "home", url: "http://sync.example.org/v1", allowsPlainHTTP: true)
  }
}
