import FerryKernel
import FerryStore
import FerrySync
import Foundation
import ItemDomain
import TestKit
import Testing

/// What a worker never does, whatever happens to it or to the server.
@Suite(.waitsOnThreads) struct `A worker` {

  private func edit(
    _ demo: Demo, _ account: String = "alice@home",
    _ change: (borrowing Transaction<AccountScope>) throws -> Void
  ) throws {
    try demo.store().account(AccountID(account)).blockingWrite { try change($0) }
  }

  private func retitle(_ demo: Demo, _ ids: [String], _ account: String = "alice@home", _ title: String)
    throws
  {
    try edit(demo, account) { transaction in
      for id in ids {
        let key = try #require(ItemID(id))
        var item = try #require(try transaction.find(Item.self, key))
        item.title = title
        try transaction.upsert(item)
      }
    }
  }

  /// What the folder that is the server holds at last, by account and feed: records by id.
  private func served(_ demo: Demo, _ folder: String = "remote", _ users: [String] = Golden.users) throws
    -> [String:
    JSONValue]
  {
    var records: [String: JSONValue] = [:]
    for user in users {
      for feed in Golden.feeds {
        let path = demo.folder.path("\(folder)/\(user)/\(feed).ndjson")
        for line in try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0a) {
          let change = try JSONValue.parse(line)
          records["\(user)/\(feed)/\(try change.text("id"))"] = change["record"] ?? .null
        }
      }
    }
    return records
  }

  /// What is in the store of the domains, row by row.
  private func rows(_ demo: Demo) throws -> [String: [[StoredValue]]] {
    try demo.content().filter { name, _ in
      name.contains("@home/") && !name.hasSuffix("/sync_feed") && !name.hasSuffix("/sync_last")
    }
  }

  /// A demo in which both sides have something to tell the other.
  private func busy() throws -> Demo {
    let demo = try Demo.migrated()
    for user in Golden.users {
      let lines = (0..<40).map { number in
        let record = #"{"title":"theirs \#(number)","isRead":false,"updatedAt":1,"tags":["t"]}"#
        return #"{"id":"n\#(number)","revision":\#(5000 + number),"record":\#(record)}"#
      }
      try demo.append(lines.joined(separator: "\n"), to: "remote/\(user)/items.ndjson")
      try demo.append(#"{"id":"i4","revision":6000,"deleted":true}"#, to: "remote/\(user)/items.ndjson")
      try retitle(demo, ["i6", "i7", "i8"], "\(user)@home", "mine")
    }
    return demo
  }

  @Test func `that only shows its plan changes no byte, and what it shows is what the run then does`() throws
  {
    let demo = try busy()
    let before = try demo.files()
    let plan = try demo.worker("--dry-run", "--json")
    try #require(plan.status == 0, "\(plan)")
    let after = try demo.files().filter { !$0.key.hasSuffix("-shm") && !$0.key.hasSuffix("-wal") }
    #expect(after == before.filter { !$0.key.hasSuffix("-shm") && !$0.key.hasSuffix("-wal") })
    #expect(try plan.json["dryRun"]?.boolValue == true)
    let text = try demo.worker("--dry-run")
    #expect(text.output.contains("Would be:"))
    let run = try demo.worker("--json")
    try #require(run.status == 0, "\(run)")
    let members = [
      "pulled", "pushed", "conflicts", "written", "deleted", "refused", "pushedWrites", "pushedDeletes",
    ]
    for (planned, done) in zip(try plan.json.list("feeds"), try run.json.list("feeds")) {
      #expect(try planned.text("outcome") == "planned")
      #expect(try done.text("outcome") == "synced")
      for member in members { #expect(try planned.integer(member) == done.integer(member), "\(planned)") }
    }
    #expect(try plan.json.integer("pulled") == 82)
    #expect(try plan.json.integer("pushed") == 34)
    // And then there is nothing left to plan.
    let rest = try demo.worker("--dry-run", "--json").json
    #expect(try ["pulled", "pushed"].map(rest.integer) == [0, 0])
  }

  @Test func `killed anywhere is gone on with by the next, to the same end on both sides`() throws {
    let straight = try busy()
    #expect(try straight.worker().status == 0)
    #expect(try straight.worker().status == 0)
    let (rows, served) = (try rows(straight), try served(straight))
    for pause in stride(from: 10, through: 330, by: 32) {
      let demo = try busy()
      try demo.runAndKill(Tool.worker, ["--once"], afterMilliseconds: pause)
      try demo.runAndKill(Tool.worker, ["--once"], afterMilliseconds: pause * 2)
      let outcome = try demo.worker()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try demo.worker().status == 0)
      #expect(try self.rows(demo) == rows, "killed after \(pause) ms")
      #expect(try self.served(demo) == served, "killed after \(pause) ms")
    }
  }

  @Test func `of two accounts with one user's name and equal keys on two servers lets nothing cross`() throws
  {
    let demo = try Demo()
    try demo.replace("user: bob", with: "user: alice", in: "ferry.yaml")
    let ferry = try demo.text("ferry.yaml")
    let second = ferry.replacing(
      "file: bob.realm\n    account: {server: home", with: "file: bob.realm\n    account: {server: work")
    try demo.write(second + "  work:\n    directory: remote-work\n", to: "ferry.yaml")
    try demo.folder.makeFolder("remote-work")
    try demo.move("remote/bob", to: "remote-work/alice")
    try #require(try demo.cli("migrate").status == 0)
    #expect(try demo.worker().status == 0)
    let (home, work) = (try served(demo, "remote", ["alice"]), try served(demo, "remote-work", ["alice"]))
    // The same keys, edited on both: each server hears of its own.
    try retitle(demo, ["i6"], "alice@home", "at home")
    try retitle(demo, ["i6"], "alice@work", "at work")
    let deleted = try #require(ItemID("i7"))
    try edit(demo, "alice@home") { _ = try $0.delete(Item.self, deleted) }
    #expect(try demo.worker().status == 0)
    let after = (try served(demo, "remote", ["alice"]), try served(demo, "remote-work", ["alice"]))
    #expect(after.0["alice/items/i6"]?["title"]?.stringValue == "at home")
    #expect(after.1["alice/items/i6"]?["title"]?.stringValue == "at work")
    #expect(after.0["alice/items/i7"] == .null)
    #expect(after.1["alice/items/i7"] == work["alice/items/i7"])
    #expect(after.0.filter { home[$0.key] != $0.value }.count == 2)
    #expect(after.1.filter { work[$0.key] != $0.value }.count == 1)
    // One server is wiped: the other's account goes on, and neither loses a row.
    let rows = try demo.content()
    try demo.move("remote-work/alice", to: "away")
    try demo.folder.makeFolder("remote-work/alice")
    let outcome = try demo.worker("--json")
    #expect(outcome.status != 0)
    for feed in try outcome.json.list("feeds") {
      #expect(try feed.text("outcome") == (feed.text("account") == "alice@home" ? "synced" : "failed"))
    }
    #expect(try demo.content()["alice@work/item"] == rows["alice@work/item"])
  }

  @Test func `syncs the account and the feed that are named, and no other`() throws {
    let demo = try busy()
    let before = try served(demo)
    let outcome = try demo.worker("--json", "--account", "bob", "--feed", "items")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try outcome.json.list("feeds").map { "\(try $0.text("account")) \(try $0.text("feed"))" } == [
        "bob@home items"
      ])
    let after = try served(demo)
    #expect(after.filter { before[$0.key] != $0.value }.keys.allSatisfy { $0.hasPrefix("bob/items/") })
    #expect(try demo.cli("account", "sign-out", "bob").status == 0)
    #expect(try demo.worker("--json", "--account", "bob").error.text("code") == "store.signedOut")
    let rest = try demo.worker("--json").json.list("feeds")
    #expect(try rest.allSatisfy { try $0.text("account") == "alice@home" } && !rest.isEmpty)
  }

  @Test func `stops with a code of its own where the server was wiped, and deletes nothing`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.worker().status == 0)
    let before = try rows(demo)
    try demo.move("remote", to: "away")
    for user in Golden.users {
      for feed in Golden.feeds {
        try demo.folder.makeFolder("remote/\(user)")
        try demo.write("", to: "remote/\(user)/\(feed).ndjson")
      }
    }
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 7, "\(outcome)")
    #expect(try outcome.json.list("feeds").allSatisfy { try $0.text("kind") == "otherServer" })
    #expect(outcome.errors.contains("--from-device") && outcome.errors.contains("--from-server"))
    #expect(try rows(demo) == before)
    // The named way on: this device's state is right.
    let plan = try demo.worker("--json", "--dry-run", "--from-device")
    #expect(try plan.json.integer("pushed") > 700)
    #expect(try demo.worker("--json", "--from-device").status == 0)
    #expect(try served(demo).values.count { $0 != .null } > 700)
    #expect(try demo.worker("--json").status == 0)
  }

  @Test func `brakes with a code of its own where too much would be deleted, until it is allowed`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.worker().status == 0)
    let before = try rows(demo)
    let lines = (100..<250).map { #"{"id":"i\#($0)","revision":\#(7000 + $0),"deleted":true}"# }
    try demo.append(lines.joined(separator: "\n"), to: "remote/alice/items.ndjson")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 8, "\(outcome)")
    #expect(try demo.content()["alice@home/item"] == before["alice@home/item"])
    let deletes =
      try demo.worker("--json", "--dry-run").json.list("feeds").map { try $0.integer("deleted") }.max() ?? 0
    #expect(deletes > 100)
    #expect(outcome.errors.contains("--allow-deletes \(deletes)"))
    #expect(try demo.worker("--allow-deletes", "\(deletes - 1)").status == 8)
    #expect(try demo.worker("--allow-deletes", "\(deletes)").status == 0)
    #expect(
      try demo.content()["alice@home/item"]?.count == (before["alice@home/item"]?.count ?? 0) - Int(deletes))
  }

  @Test func `is remembered: status says when it was, what is unsent, and what the log has of it`() throws {
    let demo = try Demo.migrated()
    func alice() throws -> JSONValue {
      try #require(try demo.cli("status", "--json").json.list("accounts").first)
    }
    #expect(try alice()["lastSync"] == .null)
    #expect(try alice().integer("unsent") == 14)
    #expect(try demo.worker().status == 0)
    let synced = try alice().text("lastSync")
    #expect(try alice().integer("unsent") == 0)
    #expect(try demo.cli("status").output.contains(synced))
    try demo.move("remote", to: "away")
    #expect(try demo.worker().status == 75)
    #expect(try alice().text("lastSuccess") == synced)
    #expect(try alice().text("lastFailure").contains("can't be reached"))
    let log = try demo.cli("log", "list", "--json", "--limit", "1000").json.list("rows")
    #expect(try log.contains { try $0.text("category") == "sync" && $0.text("message").contains("pushed") })
    #expect(
      try log.contains {
        try $0.text("category") == "sync" && $0.text("message").contains("can't be reached")
      })
  }
}
