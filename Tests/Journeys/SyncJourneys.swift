import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct SyncJourneys {
  private static let counts = ["written", "deleted", "conflicts", "refused"]

  private func counts(_ outcome: Tool.Outcome) throws -> [Int64] {
    let document = try outcome.json
    return try Self.counts.map { try document.integer($0) }
  }

  @Test func `What happened on the server is pulled once, and a second run changes nothing`() throws {
    let demo = try Demo.migrated()
    #expect(try counts(demo.worker("--json")) == [0, 0, 0, 0])
    let item = #"{"title":"new","isRead":false,"updatedAt":1760000009000000001,"tags":["a\u0301"]}"#
    try demo.append(#"{"id":"n1","revision":1001,"record":\#(item)}"#, to: "remote/alice/items.ndjson")
    try demo.append(#"{"id":"i3","revision":1002,"record":\#(item)}"#, to: "remote/alice/items.ndjson")
    try demo.append(#"{"id":"i4","revision":1003,"deleted":true}"#, to: "remote/alice/items.ndjson")
    try demo.append(
      #"{"id":"i1","revision":1001,"record":{"name":"\u001b[31mred","type":"smart_v9","sortOrder":0}}"#,
      to: "remote/bob/folders.ndjson")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.json["version"]?.integerValue == 1)
    #expect(try counts(outcome) == [3, 1, 0, 0])
    let row = try demo.cli("item", "show", "n1", "--json").json["row"]
    #expect(row?["tags"]?.arrayValue?.first?.stringValue?.utf8.elementsEqual("a\u{301}".utf8) == true)
    #expect(row?["updated_at"]?.stringValue == "2025-10-09T08:53:29.000000001Z")
    #expect(try demo.cli("item", "show", "i4").status == 1)
    #expect(try demo.cli("item", "show", "i4", "--account", "bob").status == 0)
    let folder = try demo.cli("folder", "show", "i1", "-a", "bob", "--json").json["row"]
    #expect(folder?["type"]?.stringValue == "smart_v9")
    let before = try demo.content()
    #expect(try counts(demo.worker("--json")) == [0, 0, 0, 0])
    #expect(try demo.content() == before)
  }

  @Test func `The cursor moves with what was pulled`() throws {
    let demo = try Demo.migrated()
    try demo.append(#"{"id":"i4","revision":4711,"deleted":true}"#, to: "remote/alice/items.ndjson")
    try demo.worker()
    let alice = try demo.store().account(AccountID(server: "home", user: "alice"))
    let cursor = try alice.blockingRead { try $0.find(FeedCursor.self, "items") }
    #expect(cursor?.cursor == "4711")
  }

  @Test func `A server's record under the key of a row that was never sent is a conflict, and both are kept`()
    throws
  {
    let demo = try Demo.migrated()
    let before = try demo.cli("item", "show", "i23", "--json").json["row"]?["title"]?.stringValue
    let theirs = #"{"title":"theirs","isRead":false,"updatedAt":1,"tags":[]}"#
    try demo.append(#"{"id":"i23","revision":1001,"record":\#(theirs)}"#, to: "remote/alice/items.ndjson")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 0)
    #expect(try counts(outcome) == [0, 0, 1, 0])
    // Settled by the feed's rule, the later one, with both sides on record.
    #expect(try demo.cli("item", "show", "i23", "--json").json["row"]?["title"]?.stringValue == before)
    let conflicts = try demo.cli("conflict", "list", "--json").json.list("rows")
    #expect(conflicts.count == 1)
    #expect(try conflicts.first?.text("record") == "i23")
    #expect(try conflicts.first?.text("content").contains("theirs") == true)
    #expect(try before.map { try conflicts.first?.text("local").contains($0) == true } == true)
    #expect(try counts(demo.worker("--json")) == [0, 0, 0, 0])
  }

  @Test func `A record that is none of the feed's is set aside, and the others of its page are taken`() throws
  {
    let demo = try Demo.migrated()
    let good = #"{"title":"good","isRead":false,"updatedAt":1,"tags":[]}"#
    try demo.append(#"{"id":"bad","revision":1001,"record":{"title":7}}"#, to: "remote/alice/items.ndjson")
    try demo.append(#"{"id":"good","revision":1002,"record":\#(good)}"#, to: "remote/alice/items.ndjson")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try counts(outcome) == [1, 0, 0, 1])
    #expect(try demo.cli("status", "--json").json.integer("quarantined") == 3)
    #expect(try demo.cli("item", "show", "bad").status == 1)
  }

  @Test func `One malformed feed fails alone`() throws {
    let demo = try Demo.migrated()
    try demo.append("nonsense", to: "remote/alice/folders.ndjson")
    try demo.append(#"{"id":"i4","revision":1001,"deleted":true}"#, to: "remote/alice/items.ndjson")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 3)
    #expect(try counts(outcome) == [0, 1, 0, 0])
    let feeds = try outcome.json.list("feeds")
    #expect(try feeds.count { try $0.text("outcome") == "failed" } == 1)
    let failed = try #require(try feeds.first { try $0.text("outcome") == "failed" })
    #expect(try failed.text("code") == "sync.badAnswer")
    #expect(try failed.text("reason").contains("folders.ndjson:"))
    #expect(outcome.errors.contains("alice@home folders"))
    // For a person the line says it, and the reason is on standard error.
    let told = try demo.worker()
    #expect(told.status == 3)
    #expect(told.lines.count == 1)
    #expect(told.errors.contains("folders.ndjson:"))
  }

  @Test func `Where every feed fails the run has failed`() throws {
    let demo = try Demo.migrated()
    for user in ["alice", "bob"] {
      for feed in Golden.feeds {
        try demo.append("nonsense", to: "remote/\(user)/\(feed).ndjson")
      }
    }
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 1)
    #expect(try outcome.json.list("feeds").allSatisfy { try $0.text("code") == "sync.badAnswer" })
    #expect(try outcome.json.integer("exitCode") == 1)
  }

  @Test func `Where no server can be reached it is for another time`() throws {
    let demo = try Demo.migrated()
    try demo.move("remote", to: "away")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 75)
    #expect(try outcome.json.list("feeds").allSatisfy { try $0.text("code") == "sync.unreachable" })
    try demo.move("away", to: "remote")
    #expect(try demo.worker().status == 0)
  }

  @Test func `Without a store the worker says what to do first, and makes none`() throws {
    let demo = try Demo()
    let outcome = try demo.worker()
    #expect(outcome.status == 5)
    #expect(outcome.errors.contains("app-cli migrate"))
    #expect(!demo.exists("store"))
  }

  @Test func `While another process is at work a worker leaves at once`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    try refused(Tool.worker, ["--once", "--json"], in: demo)
    #expect(try demo.content() == before)
    #expect(try demo.worker().status == 0)
  }

  @Test func `While another process is at work a crossing leaves at once`() throws {
    let demo = try Demo()
    try FileManager.default.createDirectory(
      atPath: demo.folder.path("store"), withIntermediateDirectories: false)
    try refused(Tool.cli, ["migrate", "--json"], in: demo)
    #expect(!demo.exists("store/ferry.sqlite"))
    #expect(try demo.cli("migrate").status == 0)
  }

  private func refused(_ tool: String, _ arguments: [String], in demo: Demo) throws {
    let lock = try ProcessLock(path: demo.folder.path("store/ferry.lock"))
    let outcome = try withExtendedLifetime(lock) { try demo.run(tool, arguments, [:]) }
    #expect(outcome.status == 4)
    #expect(outcome.output.isEmpty)
    #expect(try outcome.error.text("code") == "kernel.locked")
  }

  @Test func `The line for a person tells what was done`() throws {
    let demo = try Demo.migrated()
    let outcome = try demo.worker()
    #expect(outcome.lines.count == 1)
    #expect(outcome.output.contains("28 pushed, 0 unsent"))
    #expect(outcome.errors.isEmpty)
  }
}
