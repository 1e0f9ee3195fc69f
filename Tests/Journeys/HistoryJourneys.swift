import FerryKernel
import TestKit
import Testing

@Suite(.waitsOnThreads) struct `app-cli history` {
  private func texts(_ outcome: Tool.Outcome) throws -> [String] {
    try outcome.json.list("searches").map { try $0.text("text") }
  }

  @Test func `records, lists and suggests searches, for a person and for a script`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.cli("history", "record", "Ferry 메모").status == 0)
    let recorded = try demo.cli("history", "record", "ferries", "--json").json
    #expect(recorded["account"]?.stringValue == "alice@home")
    #expect(recorded["text"]?.stringValue == "ferries")
    #expect(try texts(demo.cli("history", "recent", "--limit", "2", "--json")) == ["ferries", "Ferry 메모"])
    #expect(try texts(demo.cli("history", "suggest", "FERR", "--json")) == ["ferries", "Ferry 메모"])
    #expect(try texts(demo.cli("history", "suggest", "ferry ", "--json")) == ["Ferry 메모"])
    let table = try demo.cli("history", "recent")
    #expect(table.lines.count == 9)
    #expect(table.output.contains("Searched at") && table.output.contains("ferries"))
    // Searched for again, it moves up and is as it was typed last.
    try demo.cli("history", "record", " FERRY 메모")
    #expect(try texts(demo.cli("history", "recent", "-n", "2", "--json")) == [" FERRY 메모", "ferries"])
    #expect(try demo.cli("search-history", "count").output == "8\n")
  }

  @Test func `forgets a search, and all of them, of one account`() throws {
    let demo = try Demo.migrated()
    try demo.cli("history", "record", "Tea")
    try demo.cli("history", "record", "tea", "--account", "bob")
    #expect(try demo.cli("history", "remove", "TEA").status == 0)
    #expect(try demo.cli("history", "suggest", "tea").errors.contains("none"))
    #expect(try texts(demo.cli("history", "suggest", "tea", "-a", "bob", "--json")) == ["tea"])
    #expect(try demo.cli("history", "clear", "--json").json.integer("forgotten") == 6)
    #expect(try demo.cli("search-history", "count").output == "0\n")
    #expect(try demo.cli("search-history", "count", "-a", "bob").output == "7\n")
  }

  @Test func `keeps as many as it is told`() throws {
    let demo = try Demo.migrated()
    try demo.cli("history", "record", "new", "--bound", "3")
    #expect(try demo.cli("search-history", "count").output == "3\n")
  }

  @Test func `says in a sentence what it can't do`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let empty = try demo.cli("history", "record", "  ", "--json")
    #expect(empty.status == 1)
    #expect(try empty.error.text("code") == "searchHistory.empty")
    let unknown = try demo.cli("history", "remove", "never\u{1b}[2J")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("recent") && !unknown.errors.contains("\u{1b}"))
    for arguments in [
      ["record", "x", "--bound", "0"], ["recent", "--limit", "few"], ["record"], ["recent", "-a"],
    ] {
      #expect(try demo.run(Tool.cli, ["history"] + arguments, [:]).status == 64)
    }
    #expect(try demo.cli("history", "recent", "-a", "nobody").status == 1)
    #expect(try demo.content() == before)
  }

  @Test func `is told that there is nothing before the crossing, and that a domain is off`() throws {
    let demo = try Demo()
    let none = try demo.cli("history", "record", "x")
    #expect(none.status == 1 && none.errors.contains("app-cli migrate"))
    #expect(!demo.exists("store"))
    try demo.replace(
      "domain: search-history\n", with: "domain: search-history\n    enabled: false\n", in: "roadmap.yaml")
    #expect(try demo.cli("history", "recent").status == 6)
  }
}
