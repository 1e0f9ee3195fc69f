import FerryKernel
import Foundation
import TestKit
import Testing

/// What an account's secret is, nobody sees but its server.
@Suite(.waitsOnThreads) struct `A secret` {
  private static let secret = "s3cr3t-\u{fc}nlikely-tale"

  /// What an HTTP server is told of it.
  private static let sent = Data("alice:\(secret)".utf8).base64EncodedString()

  /// A demo that has crossed, on a Kinto server that knows nothing of secrets, with alice alone.
  private func demo(_ server: HoldingServer) throws -> Demo {
    let demo = try Demo.migrated()
    try demo.replace("directory: remote", with: "kinto: \(server.url)", in: "ferry.yaml")
    #expect(try demo.cli("account", "sign-out", "bob").status == 0)
    return demo
  }

  private func write(_ demo: Demo, mode: Int = 0o600) throws {
    try demo.write(Self.secret + "\n", to: "the.secret")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: demo.folder.path("the.secret"))
  }

  /// Every place where one could be written by mistake.
  private func check(_ demo: Demo, _ texts: String...) throws {
    for text in texts {
      for trace in [Self.secret, Self.sent, "s3cr3t"] { #expect(!text.contains(trace)) }
    }
    for (name, bytes) in try demo.files() where name != "the.secret" && !name.hasSuffix(".secret") {
      for trace in [Self.secret, Self.sent] { #expect(bytes.range(of: Data(trace.utf8)) == nil, "\(name)") }
    }
  }

  @Test(arguments: ["--secret-file", "--secret-command", "--secret-env", "ferry.yaml"])
  func `goes to the server, and appears in no output, log, command line or other file`(place: String) throws {
    let server = try HoldingServer()
    let demo = try demo(server)
    try write(demo)
    let words: [String]
    switch place {
    case "--secret-file": words = [place, "the.secret"]
    case "--secret-command": words = [place, "cat", "--", demo.folder.path("the.secret")]
    case "--secret-env": words = [place, "THE_SECRET"]
    default:
      words = []
      let text = try demo.text("ferry.yaml")
      try demo.write(text + "    secrets: {alice: {file: the.secret}}\n", to: "ferry.yaml")
    }
    let environment = place == "--secret-env" ? ["THE_SECRET": Self.secret] : [:]
    let added = try demo.run(Tool.cli, ["account", "add", "alice@home", "--offline"] + words, environment)
    try #require(added.status == 0, "\(added)")

    let worker = try demo.start(Tool.worker, ["--json"], environment: environment)
    let request = try #require(try server.next())
    #expect(request.head.contains("Authorization: Basic \(Self.sent)"))
    #if os(Linux)
      let line = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(worker.id)/cmdline"))
      #expect(line.range(of: Data(Self.secret.utf8)) == nil)
    #endif
    request.answer(401, "{\"code\":401,\"errno\":104,\"message\":\"Please authenticate.\"}")
    let (status, errors) = try worker.end()
    #expect(status == 77)
    #expect(errors.contains("alice@home"))
    try check(demo, added.output, added.errors, errors, worker.line() ?? "")
    if place.hasPrefix("--") {
      #expect(try demo.cli("account", "sign-out", "alice").status == 0)
      #expect(!demo.exists("store/secrets/alice@home.place"))
    }
  }

  @Test func `that others may read isn't used, and is told by its path alone`() throws {
    let server = try HoldingServer()
    let demo = try demo(server)
    try write(demo, mode: 0o644)
    let outcome = try demo.cli("account", "add", "alice@home", "--secret-file", "the.secret", "--json")
    #expect(outcome.status == 77)
    #expect(try outcome.error.text("code") == "secret.open")
    #expect(try outcome.error.text("remedy").hasPrefix("Run: chmod 600 "))
    #expect(try !server.hasAnother())
    try check(demo, outcome.output, outcome.errors)
  }

  @Test func `that the server doesn't accept isn't kept`() throws {
    let server = try HoldingServer()
    let demo = try demo(server)
    try write(demo)
    let add = try demo.start(Tool.cli, ["account", "add", "alice@home", "--secret-file", "the.secret"])
    try #require(try server.next()).answer(401)
    #expect(try add.end().status == 77)
    #expect(!demo.exists("store/secrets"))
  }

  @Test func `is never said on the command line`() throws {
    let demo = try Demo.migrated()
    for words in [["--secret", "x"], ["--password", "x"], ["x"], ["--", "x"]] {
      let outcome = try demo.run(Tool.cli, ["account", "add", "alice@home"] + words, [:])
      #expect(outcome.status == 64, "\(outcome)")
    }
  }

  @Test func `that nobody can be asked for is an error that says what to do`() throws {
    let server = try HoldingServer()
    let demo = try demo(server)
    let outcome = try demo.cli("account", "add", "alice@home", "--json")
    #expect(outcome.status == 77)
    #expect(try outcome.error.text("code") == "account.noSecret")
    let worker = try demo.worker("--json")
    #expect(worker.status == 77)
    #expect(try worker.error.text("remedy").contains("app-cli account add alice@home"))
    let lines = try demo.cli("log", "query", "--limit", "3").output
    #expect(lines.contains(try worker.error.text("message")), "\(lines)")
    #expect(try !server.hasAnother())
  }
}
