import FerryKernel
import Foundation
import TestKit
import Testing

/// What becomes of attachments and their files when items go, and when they are synced.
@Suite(.waitsOnThreads) struct `An attachment's life at the command line` {
  private static let key = "att-474f960f-92d2-42ff-f20a-4ff883cdffda"

  private let demo: Demo

  init() throws { demo = try Demo.migrated() }

  private func count(_ table: String, of account: String = "alice") throws -> String {
    try demo.cli(table, "count", "-a", account).output
  }

  @Test func `ends with its item's, on the server too, and leaves no file`() throws {
    #expect(try demo.cli("attachment", "open", Self.key).status == 0)
    let item = try #require(try demo.cli("attachment", "show", "--json", Self.key).json["row"]).text("item")
    let gone = try demo.cli("item", "delete", item, "--json")
    #expect(try gone.json.integer("changed") == 1 && gone.json.integer("attachments") == 1)
    #expect(try demo.cli("attachment", "show", Self.key).status == 1)
    #expect(try (count("attachment"), count("attachment", of: "bob")) == ("59\n", "60\n"))
    let left = try demo.cli("attachment", "orphans", "--json").json
    #expect(try left.list("withoutAttachment").count == 1 && left.list("files").isEmpty)
    let synced = try demo.worker("--json")
    #expect(synced.status == 0, "\(synced)")
    #expect(
      try demo.text("remote/alice/attachments.ndjson").split(separator: "\n").contains {
        $0.contains("474f960f") && $0.contains("\"deleted\":true")
      })
    #expect(try demo.cli("attachment", "orphans", "--remove").status == 0)
    #expect(try demo.cli("attachment", "orphans", "--json").json.list("withoutAttachment").isEmpty)
    #expect(try demo.cli("attachment", "evict", "-b", "0", "--json").json.integer("kept") == 0)
  }

  @Test func `ends with the folder that its item lies in`() throws {
    let attached = try demo.cli("item", "count", "--attached", "-f", "i6", "--json").json.integer("count")
    let before = try #require(Int64(count("attachment").dropLast()))
    let gone = try demo.cli("folder", "delete", "i6", "--with-contents", "--json").json
    let deleted = try gone.integer("attachmentsDeleted")
    #expect(attached > 0 && deleted >= attached)
    #expect(try count("attachment") == "\(before - deleted)\n")
    #expect(
      try demo.cli("attachment", "list", "-n", "100").output.split(separator: "\n").count == before - deleted
        + 1)
  }

  @Test func `begins with a file that the next sync sends, and that comes back when it was evicted`() throws {
    try demo.write("my own words", to: "own.txt")
    let key = try #require(
      try demo.cli("attachment", "add", "own.txt", "--item", "202", "--json").json["row"]?.text("id"))
    let synced = try demo.worker("--json")
    #expect(synced.status == 0, "\(synced)")
    #expect(try synced.json.integer("filesSent") == 1 && synced.json.integer("filesFailed") == 0)
    let file = try #require(try demo.cli("attachment", "show", "--json", "--", key).json["file"])
    #expect(file["was_on_server"]?.boolValue == true)
    #expect(try demo.cli("attachment", "evict", "-b", "0", "--json").json.integer("files") == 1)
    let path = try demo.cli("attachment", "open", "--json", "--", key).json.text("path")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "my own words")
    #expect(try demo.worker("--json").json.integer("filesSent") == 0)
  }

  @Test
  func `whose file can't be sent makes the sync a partial one, which says so, and the next one sends it`()
    throws
  {
    try demo.write("my own words", to: "own.txt")
    #expect(try demo.cli("attachment", "add", "own.txt", "--item", "202").status == 0)
    let path = try demo.cli("attachment", "open", "--json", "--", added()).json.text("path")
    try demo.move(relative(path), to: "elsewhere")
    let failed = try demo.worker("--json")
    #expect(failed.status == 3, "\(failed)")
    #expect(try failed.json.integer("filesFailed") == 1)
    #expect(failed.errors.contains("wasn't sent"))
    #expect(try demo.cli("status").output.contains("never synced: A file wasn't sent"))
    #expect(
      try demo.cli("log", "query", "--category", "sync", "--level", "error").output.contains("The file of"))
    try demo.move("elsewhere", to: relative(path))
    let sent = try demo.worker("--json")
    #expect(sent.status == 0, "\(sent)")
    #expect(try sent.json.integer("filesSent") == 1)
  }

  private func added() throws -> String {
    let rows = try demo.cli("attachment", "list", "--item", "202", "--json").json.list("rows")
    return try #require(rows.first { $0["file_name"]?.stringValue == "own.txt" }).text("id")
  }

  /// Below the demo's folder.
  private func relative(_ path: String) -> String {
    String(path[(path.range(of: "/store/").map { path.index(after: $0.lowerBound) } ?? path.startIndex)...])
  }

  @Test func `whose file a sync may be sending isn't sent beside it`() throws {
    do {
      let lock = try ProcessLock(path: demo.folder.path("store/ferry.lock"))
      #expect(try demo.cli("attachment", "send").status == 4)
      withExtendedLifetime(lock) {}
    }
    #expect(try demo.cli("attachment", "send").status == 0)
  }

  @Test func `outlives an item that was deleted while attachments were off, until a person says so`() throws {
    let (on, off) = ("domain: attachment\n", "domain: attachment\n    enabled: false\n")
    let item = try #require(try demo.cli("attachment", "show", "--json", Self.key).json["row"]).text("item")
    try demo.replace(on, with: off, in: "roadmap.yaml")
    #expect(try demo.cli("item", "delete", item).status == 0)
    try demo.replace(off, with: on, in: "roadmap.yaml")
    #expect(
      try demo.cli("attachment", "orphans").output.contains(
        "\(Self.key), an attachment whose item was deleted"))
    #expect(try demo.cli("attachment", "list", "--item", item).output.contains(Self.key))
    #expect(try demo.cli("attachment", "orphans", "--remove").status == 0)
    #expect(try demo.cli("attachment", "show", "--", Self.key).status == 1)
    #expect(try demo.cli("attachment", "orphans", "--json").json.list("withoutItem").isEmpty)
  }

  @Test func `isn't touched by a look at the plan`() throws {
    try demo.write("my own words", to: "own.txt")
    #expect(try demo.cli("attachment", "add", "own.txt", "--item", "202").status == 0)
    // SQLite makes these two for whoever reads.
    func files() throws -> [String: Data] {
      try demo.files().filter { !$0.key.hasSuffix("-shm") && !$0.key.hasSuffix("-wal") }
    }
    let before = try files()
    let plan = try demo.worker("--json", "--dry-run")
    #expect(plan.status == 0)
    #expect(try plan.json.integer("filesSent") == 0 && plan.json.integer("filesToSend") == 1)
    #expect(try demo.worker("--dry-run").output.contains("1 files to send"))
    #expect(try files() == before)
  }
}
