import FerryKernel
import FerryStore
import ItemDomain
import TestKit
import Testing

@Suite(.waitsOnThreads) struct LookingJourneys {
  private static let tables: [(command: String, count: Int)] = [
    ("search-history", 6), ("setting", 6), ("folder", 7), ("item", 301), ("draft", 8), ("attachment", 60),
  ]

  @Test func `Every table can be counted, listed and looked into, for a person and for a script`() throws {
    let demo = try Demo.migrated()
    for (command, count) in Self.tables {
      #expect(try demo.cli(command, "count").output == "\(count)\n")
      #expect(try demo.cli(command, "count", "--json").json.integer("count") == Int64(count))
      let list = try demo.cli(command, "list", "--limit", "5", "--json").json
      #expect(list["version"]?.integerValue == 1)
      #expect(list["account"]?.stringValue == "alice@home")
      #expect(list["more"]?.boolValue == (count > 5))
      let rows = try list.list("rows")
      #expect(rows.count == 5)
      let key = try #require(rows.first?.objectValue?.members.first?.value.stringValue)
      let shown = try demo.cli(command, "show", "--json", "--", key)
      #expect(shown.status == 0, "\(command) \(key): \(shown)")
      #expect(try shown.json["row"]?.text() == rows.first?.text())
      #expect(try demo.cli(command, "show", "--", key).output.contains("Value"))
      #expect(try demo.cli(command, "list", "--limit", "5").lines.count >= 6)
    }
  }

  @Test func `The log is the device's, whoever is active`() throws {
    let demo = try Demo.migrated()
    let all = try demo.cli("log", "list", "--limit", "1000", "--json").json
    #expect(all["account"]?.isNull == true)
    let legacy = try all.list("rows").filter { try $0.text("category") == "legacy" }
    #expect(legacy.count == 100)
    // What the crossing itself logged is drained once the log has crossed.
    let own = try all.list("rows").filter { try $0.text("category") == "crossing" }.map {
      try $0.text("message")
    }
    #expect(own.contains("log: done"))
    #expect(own.contains("search-history: backedUp"))
    #expect(try demo.cli("log", "list", "--account", "alice").status == 64)
  }

  @Test func `A legacy key finds its row, and one that begins with a dash is no option`() throws {
    let demo = try Demo.migrated()
    let folder = try demo.cli("folder", "show", "-7", "--json").json["row"]
    #expect(folder?["id"]?.stringValue == "i-7")
    #expect(folder?["name"]?.stringValue == "Q3 plan todo 장보기")
    #expect(try demo.cli("folder", "show", "i-7").status == 0)
    #expect(try demo.cli("setting", "show", "언어").output.contains("groceries re: invoice"))
    #expect(try demo.cli("attachment", "show", "att-474f960f-92d2-42ff-f20a-4ff883cdffda").status == 0)
  }

  @Test func `Page by page, each item comes once and in order`() throws {
    let demo = try Demo.migrated()
    var keys: [String] = []
    var arguments = ["item", "list", "--json", "--limit", "70"]
    while true {
      let page = try demo.run(Tool.cli, arguments, [:]).json
      keys += try page.list("rows").map { try $0.text("id") }
      guard page["more"]?.boolValue == true, let last = keys.last, keys.count < 1000 else { break }
      arguments = ["item", "list", "--json", "--limit", "70", "--after", last]
    }
    let alice = try demo.store().account(AccountID(server: "home", user: "alice"))
    let newest = try alice.blockingRead { try ItemDAO.list($0, limit: 1000) }
    #expect(keys == newest.map(\.id.rawValue))
    #expect(keys.count == 301)
    #expect(try demo.cli("item", "list", "--json", "--limit", "1000000").json.list("rows").count == 301)
    let lost = try demo.cli("item", "list", "--after", "zzz")
    #expect(lost.status == 1)
    #expect(lost.errors.contains("There is no item with the key \"zzz\" for alice@home."))
  }

  @Test func `The note that there is more says how to go on, and is no data`() throws {
    let demo = try Demo.migrated()
    let outcome = try demo.cli("folder", "list", "--limit", "2")
    #expect(outcome.lines.count == 3)
    #expect(outcome.errors.contains("--after"))
    #expect(try demo.cli("folder", "list").errors.isEmpty)
  }

  @Test func `roadmap and status say where each step stands, before and after`() throws {
    let demo = try Demo()
    let before = try demo.files()
    let roadmap = try demo.cli("roadmap", "--json").json
    #expect(roadmap["version"]?.integerValue == 1)
    #expect(try roadmap.list("roadmap").allSatisfy { try $0.text("state") == "waiting" })
    #expect(try roadmap.list("unlisted").isEmpty)
    #expect(try demo.cli("status", "--json").json["store"]?.isNull == true)
    #expect(try demo.cli("status").output.contains("app-cli migrate"))
    #expect(try demo.files() == before)
    try demo.cli("migrate")
    let status = try demo.cli("status", "--json").json
    #expect(status["version"]?.integerValue == 1)
    #expect(status["over"]?.boolValue == true)
    #expect(status["gate"]?.isNull == true)
    #expect(try status.list("tallies").count == 14)
    #expect(try status.integer("quarantined") == 2)
    #expect(try status.list("accounts").map { try $0.integer("unsent") } == [14, 14])
    #expect(try demo.cli("roadmap").output.contains("done"))
  }

  @Test func `A domain that the roadmap leaves out is told of and is off`() throws {
    let demo = try Demo()
    let roadmap = try demo.text("roadmap.yaml")
    let start = try #require(roadmap.firstRange(of: "  - domain: attachment")?.lowerBound)
    let end = try #require(roadmap.firstRange(of: "  - domain: log")?.lowerBound)
    try demo.write(String(roadmap[..<start]) + String(roadmap[end...]), to: "roadmap.yaml")
    #expect(try demo.cli("roadmap", "--json").json.list("unlisted").map(\.stringValue) == ["attachment"])
    #expect(try demo.cli("roadmap").errors.contains("attachment"))
    #expect(try demo.cli("attachment", "list").status == 6)
  }

  @Test func `What isn't there is said by name`() throws {
    let demo = try Demo.migrated()
    for command in [
      ["item", "show", "no-such"], ["folder", "show", "-8"], ["setting", "show", "\u{1b}[2J"],
    ] {
      let outcome = try demo.run(Tool.cli, command, [:])
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(!outcome.errors.contains("\u{1b}"))
      #expect(outcome.errors.contains("list"))
    }
    #expect(try demo.cli("item", "show", "no-such", "--json").error.text("code") == "notFound")
  }

  @Test func `Before the crossing there is nothing to look at, and that is said`() throws {
    let demo = try Demo()
    for command in [["item", "list"], ["account", "list"], ["account", "use", "alice"], ["log", "count"]] {
      let outcome = try demo.run(Tool.cli, command, [:])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("app-cli migrate"))
    }
    #expect(!demo.exists("store"))
  }
}
