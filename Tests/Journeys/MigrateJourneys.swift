import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct MigrateJourneys {
  @Test func `From nothing, every legacy row of both accounts has one outcome`() throws {
    let demo = try Demo()
    let outcome = try demo.cli("migrate", "--json")
    try #require(outcome.status == 0, "\(outcome)")
    let document = try outcome.json
    #expect(document["version"]?.integerValue == 1)
    #expect(document["over"]?.boolValue == true)
    #expect(document["changed"]?.boolValue == true)
    let tallies = try document.list("tallies")
    #expect(tallies.count == 14)
    for tally in tallies {
      let parts = try ["written", "merged", "quarantined", "leftToServer", "discarded"].map {
        try tally.integer($0)
      }
      #expect(try parts.reduce(0, +) == tally.integer("read"), "\(tally)")
    }
    let rows: [String: Int64] = [
      "search-history": 6, "setting": 6, "folder": 6, "item": 300, "draft": 8, "attachment": 60,
      "log-entry": 50,
    ]
    for user in Golden.users {
      let read = try tallies.filter { try $0.text("account") == "\(user)@home" }
        .map { (try $0.text("entity"), try $0.integer("read")) }
      #expect(Dictionary(uniqueKeysWithValues: read) == rows)
    }
    #expect(try document.list("roadmap").map { try $0.text("state") } == Array(repeating: "done", count: 6))
  }

  @Test func `A person sees the roadmap, a line a domain and a closing table`() throws {
    let outcome = try Demo().cli("migrate")
    try #require(outcome.status == 0, "\(outcome)")
    for domain in ["search-history", "setting", "folder", "item", "attachment", "log"] {
      #expect(outcome.lines.contains { $0.contains(" \(domain) ") }, "\(domain) is not in the roadmap")
      #expect(outcome.errors.split(separator: "\n").contains { $0.hasPrefix("\(domain) ") })
    }
    for title in ["Read", "Written", "Merged", "Quarantined", "Left to server", "Discarded", "Resynced"] {
      #expect(outcome.output.contains(title))
    }
    #expect(outcome.output.contains("872"))
    #expect(!(outcome.output + outcome.errors).contains("\u{1b}"))
  }

  @Test func `A second run says that it is over and changes nothing`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let files = try demo.files().filter { !$0.key.hasPrefix("store/ferry.sqlite") }
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 0)
    #expect(try outcome.json["over"]?.boolValue == true)
    #expect(try outcome.json["changed"]?.boolValue == false)
    #expect(try demo.content() == before)
    #expect(try demo.files().filter { !$0.key.hasPrefix("store/ferry.sqlite") } == files)
    #expect(try demo.cli("migrate").output.contains("over"))
  }

  @Test func `Legacy files are only moved, and nothing is new beside where they were but the store`() throws {
    let demo = try Demo()
    let before = try demo.files()
    try #require(try demo.cli("migrate").status == 0)
    let after = try demo.files()
    let legacy = ["alice.realm", "bob.realm"]
    #expect(after.filter { before[$0.key] != nil } == before.filter { !legacy.contains($0.key) })
    for name in legacy { #expect(after["store/legacy-archive/\(name)"] == before[name]) }
    #expect(after.keys.allSatisfy { before[$0] != nil || $0 == "store" || $0.hasPrefix("store/") })
    let remaining = try demo.files().keys.filter { $0.hasSuffix(".tmp") || $0.hasSuffix(".lock") }
    #expect(remaining.sorted() == ["store/ferry.lock"])
  }

  @Test func `Nobody else on the machine can read what is in the store`() throws {
    let demo = try Demo.migrated()
    let manager = FileManager.default
    // A legacy file keeps its mode, in a folder that nobody else can enter.
    for name in try demo.files().keys
    where name == "store" || name.hasPrefix("store/") && !name.hasSuffix(".realm") {
      let path = demo.folder.path(name)
      let mode = try #require(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)
        .intValue
      let isFolder = ["store", "store/backups", "store/legacy-archive"].contains(name)
      #expect(mode == (isFolder ? 0o700 : 0o600), "\(name) is \(String(mode, radix: 8))")
    }
  }

  @Test func `A dry run changes nothing at all and forecasts what the run then does`() throws {
    let demo = try Demo()
    let before = try demo.files()
    let outcome = try demo.cli("migrate", "--dry-run", "--json")
    try #require(outcome.status == 0, "\(outcome)")
    #expect(try demo.files() == before)
    let forecast = try outcome.json.list("forecast")
    let tallies = try demo.cli("migrate", "--json").json.list("tallies")
    #expect(forecast.count == tallies.count)
    for line in forecast {
      let tally = try #require(
        try tallies.first { tally in
          try ["domain", "account", "entity"].allSatisfy { try tally.text($0) == line.text($0) }
        })
      #expect(try line.integer("read") == tally.integer("read"))
      #expect(try line.integer("copied") == tally.integer("written"))
      // Whether the server returns a row shows only once it is asked.
      #expect(
        try line.integer("leftToServer") == tally.integer("leftToServer") + tally.integer("quarantined"))
    }
  }

  @Test func `A dry run after the crossing has nothing to forecast`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    #expect(try demo.cli("migrate", "-n", "--json").json.list("forecast").isEmpty)
    #expect(try demo.cli("migrate", "-n").status == 0)
    #expect(try demo.content() == before)
  }

  @Test func `A file that was made and never used, or has no rows, crosses as nothing`() throws {
    for fixture in ["blank", "empty"] {
      let demo = try Demo()
      let source = Golden.folder.appendingPathComponent("\(fixture).realm")
      try Data(contentsOf: source).write(to: demo.folder.url.appendingPathComponent("bob.realm"))
      let document = try demo.cli("migrate", "--json").json
      #expect(document["over"]?.boolValue == true)
      let bob = try document.list("tallies").filter { try $0.text("account") == "bob@home" }
      #expect(try bob.allSatisfy { try $0.integer("read") == 0 })
    }
  }

  @Test func `The folder may be named, by an option or by the environment`() throws {
    let demo = try Demo.migrated()
    let elsewhere = try GoldenFolder()
    let tool = try Tool(Tool.cli)
    let named = try tool.run(["item", "count", "--config", demo.folder.path], in: elsewhere.path)
    #expect(named.output == "301\n")
    let told = try tool.run(
      ["item", "count"], in: elsewhere.path, environment: ["FERRY_CONFIG": demo.folder.path])
    #expect(told.output == "301\n")
  }
}
