import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct `app-cli log` {
  private func messages(_ outcome: Tool.Outcome) throws -> [String] {
    try outcome.json.list("entries").map { try $0.text("message") }
  }

  /// A demo that has crossed and whose spill has a line that isn't drained.
  private func logged() throws -> Demo {
    let demo = try Demo.migrated()
    let spill = try LogSpill(path: demo.folder.path("store/log.spill"))
    spill.append(
      LogLine(
        at: Timestamp(nanoseconds: 1_790_000_000_000_000_000), level: .fault, category: "test",
        message: "Not drained \u{1b}[31m한글", account: try AccountID(server: "home", user: "bob"),
        fields: ["rows": 7]))
    return demo
  }

  @Test func `query finds lines of table and spill, by what is asked for`() throws {
    let demo = try logged()
    let first = try demo.cli("log", "query", "--text", "not DRAINED", "--json").json
    #expect(first["version"]?.integerValue == 1 && first["more"]?.boolValue == false)
    let entry = try #require(try first.list("entries").first)
    #expect(try entry.text("level") == "fault" && entry.text("account") == "bob@home")
    #expect(entry["fields"] == ["rows": 7])
    #expect(try entry.text("at") == "2026-09-21T14:13:20Z")
    #expect(try messages(demo.cli("log", "query", "--category", "test", "--json")).count == 1)
    #expect(try messages(demo.cli("log", "query", "--account", "alice", "-n", "1000", "--json")).count == 50)
    #expect(try messages(demo.cli("log", "query", "-a", "bob@home", "-n", "1000", "--json")).count == 51)
    #expect(
      try messages(
        demo.cli(
          "log", "query", "--since", "2026-09-21", "--until", "2026-09-21T14:13:20.1Z", "--category", "test",
          "--json")
      ).count == 1)
    #expect(try messages(demo.cli("log", "query", "--until", "2000-01-01", "--json")).isEmpty)
    #expect(
      try messages(demo.cli("log", "query", "--since", "1h", "--category", "crossing", "--json")).contains(
        "log: done"))
    let page = try demo.cli("log", "query", "--limit", "3", "--json").json
    #expect(try page.list("entries").count == 3)
    #expect(page["more"]?.boolValue == true)
    let table = try demo.cli("log", "query", "--level", "fault")
    #expect(table.output.contains("Message") && table.output.contains("한글 {\"rows\":7}"))
    #expect(!table.output.contains("\u{1b}"))
  }

  @Test func `export writes every line once, oldest first`() throws {
    let demo = try logged()
    let output = try demo.cli("log", "export")
    #expect(output.status == 0)
    let lines = try output.lines.map { try JSONValue.parse(text: String($0)) }
    let times = try lines.map { try $0.text("at") }
    #expect(lines.count > 100 && times.count { $0 > "2026-09-21T14:13:20" } >= 1)
    #expect(Set(try lines.map { try $0.text("id") }).count == lines.count)
    #expect(try lines.count { try $0.text("category") == "test" } == 1)
    let bob = try demo.cli("log", "export", "--account", "bob", "--to", "bob.ndjson")
    #expect(bob.status == 0 && bob.output.isEmpty && bob.errors.contains("51 lines"))
    let text = try demo.text("bob.ndjson")
    #expect(text.split(separator: "\n").count == 51 && !text.contains("alice@home"))
    // What is there is not overwritten.
    #expect(try demo.cli("log", "export", "--to", "bob.ndjson").status == 1)
    #expect(try demo.text("bob.ndjson") == text)
  }

  @Test func `follow prints each new line as it comes`() async throws {
    let demo = try logged()
    let spill = try LogSpill(path: demo.folder.path("store/log.spill"))
    let feeding = Task {
      while !Task.isCancelled {
        for category in ["other", "followed"] {
          spill.append(
            LogLine(at: FixedClock.now(), level: .info, category: category, message: "new"))
        }
        await Task.yield()
      }
    }
    let outcome = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try demo.cli("log", "follow", "--category", "followed", "--count", "3", "--json")
          })
      }
    }
    feeding.cancel()
    await feeding.value
    #expect(outcome.status == 0, "\(outcome)")
    let lines = try outcome.lines.map { try JSONValue.parse(text: String($0)) }
    #expect(try lines.map { try $0.text("category") } == Array(repeating: "followed", count: 3))
    #expect(Set(try lines.map { try $0.text("id") }).count == 3)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `follow ends when it is told to, without an error`(signal: Int32, code: Int32) throws {
    let demo = try logged()
    let outcome = try demo.stopCLI(["log", "follow"], at: "Following", signal: signal)
    #expect(outcome.status == code)
    #expect(!outcome.errors.contains("error"))
  }

  @Test func `refuses bad input with a sentence`() throws {
    let demo = try Demo.migrated()
    for arguments in [
      ["query", "--level", "loud"], ["query", "--since", "yesterday"], ["query", "--since", "2026-02-30"],
      ["query", "--limit", "0"], ["follow", "--count", "0"], ["export", "--until", "12:00"],
      ["query", "--since", "2026-13-01"], ["query", "--since", "-5d"],
    ] {
      let outcome = try demo.run(Tool.cli, ["log"] + arguments, [:])
      #expect(outcome.status == 64, "\(arguments) \(outcome)")
      #expect(outcome.output.isEmpty)
    }
    let empty = try demo.cli("log", "query", "--since", "2026-02-01", "--until", "2026-01-01", "--json")
    #expect(empty.status == 1)
    #expect(try empty.error.text("code") == "log.emptyPeriod")
    #expect(try demo.cli("log", "query", "--account", "nobody").status == 1)
  }

  @Test func `keeps as much as the settings say, from the next run on`() throws {
    let demo = try Demo.migrated()
    try demo.cli("setting", "set", "log-lines", "20")
    #expect(try demo.worker().status == 0)
    #expect(try demo.cli("log", "count").output == "20\n")
    try demo.cli("setting", "reset", "log-lines")
    try demo.cli("setting", "set", "log-days", "0")
    #expect(try demo.worker().status == 0)
    #expect(try demo.cli("log", "count").output == "0\n")
  }

  @Test func `a run that fails has put its lines away as one that doesn't`() throws {
    let demo = try Demo.migrated()
    try demo.append("nonsense", to: "remote/alice/folders.ndjson")
    #expect(try demo.worker().status == 3)
    let found = try demo.cli("log", "list", "--limit", "1000", "--json").json.list("rows")
    #expect(try found.contains { try $0.text("category") == "sync" })
    // Spill and table have it once.
    let told = try messages(demo.cli("log", "query", "--category", "sync", "--json"))
    #expect(told.count { $0.hasPrefix("folders:") } == 1, "\(told)")
  }

  @Test func `looking makes no spill, and no file at all`() throws {
    let demo = try Demo.migrated()
    try FileManager.default.removeItem(atPath: demo.folder.path("store/log.spill"))
    // What SQLite keeps beside a store while somebody looks is its own.
    func files() throws -> [String] {
      try demo.files().keys.filter { !$0.hasPrefix("store/ferry.sqlite-") }.sorted()
    }
    let before = try files()
    #expect(try messages(demo.cli("log", "query", "-n", "1000", "--json")).count > 100)
    #expect(try demo.cli("log", "export").status == 0)
    #expect(try files() == before)
  }
}
