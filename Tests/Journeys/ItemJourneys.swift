import FerryKernel
import FerryStore
import TestKit
import Testing

@Suite(.waitsOnThreads) struct ItemJourneys {
  private func keys(_ demo: Demo, _ arguments: String...) throws -> [String] {
    let outcome = try demo.run(
      Tool.cli,
      ["item"] + arguments + ["--json"] + (arguments.contains("--limit") ? [] : ["--limit", "1000"]),
      [:])
    guard outcome.status == 0 else { throw GoldenFault("\(arguments): \(outcome)") }
    return try outcome.json.list("rows").map { try $0.text("id") }
  }

  private func count(_ demo: Demo, _ arguments: String...) throws -> Int {
    try Int(demo.run(Tool.cli, ["item", "count"] + arguments + ["--json"], [:]).json.integer("count"))
  }

  @Test func `A list takes filters, and counts what it lists`() throws {
    let demo = try Demo.migrated()
    for filter in [
      [], ["--unread"], ["--starred"], ["--unfiled"], ["--folder", "i1"], ["--folder", "alice inbox"],
      ["--folder", "i1", "--unread"], ["--attached"], ["--folder", "i4", "--attached", "--starred"],
    ] {
      let rows = try demo.run(Tool.cli, ["item", "list", "--json", "-n", "1000"] + filter, [:]).json.list(
        "rows")
      let counted = try demo.run(Tool.cli, ["item", "count", "--json"] + filter, [:]).json
      #expect(Int64(rows.count) == (try counted.integer("count")), "\(filter)")
      if filter.contains("--unread") { #expect(rows.allSatisfy { $0["is_read"]?.boolValue == false }) }
      if filter.contains("--starred") { #expect(rows.allSatisfy { $0["is_starred"]?.boolValue == true }) }
      if filter.contains("--folder"), !filter.contains("i4") {
        #expect(!rows.isEmpty)
        #expect(rows.allSatisfy { $0["folder"]?.stringValue == "i1" })
      }
    }
    let attached = try keys(demo, "list", "--attached")
    #expect(!attached.isEmpty)
    let attachments = try demo.cli("attachment", "list", "--json", "-n", "1000").json.list("rows")
    let items = Set(attachments.compactMap { $0["item"]?.stringValue })
    #expect(Set(attached) == items.intersection(try keys(demo, "list")))
  }

  @Test func `A list for a person has a line for each item, and says how to go on`() throws {
    let demo = try Demo.migrated()
    let shown = try demo.cli("item", "list", "--limit", "3")
    #expect(shown.lines.count == 4)
    let last = try #require(try keys(demo, "list", "--limit", "3").last)
    #expect(shown.lines.last?.hasPrefix(last) == true)
    #expect(shown.errors.contains("--after \(last) goes on."))
    #expect(try keys(demo, "list", "--limit", "3", "--after", last).count == 3)
    #expect(try demo.cli("item", "list", "--tag", "no such tag").errors.contains("There are none."))
  }

  @Test func `A search finds words, Hangul included, and shows where`() throws {
    let demo = try Demo.migrated()
    let key = try #require(try keys(demo, "list", "--limit", "1").first)
    try demo.cli("item", "tag", key, "--add", "신도쿄역")
    let shown = try demo.cli("item", "search", "도쿄")
    #expect(shown.lines.count == 2)
    #expect(shown.lines.last?.contains("신«도쿄»역") == true)
    let row = try #require(try demo.cli("item", "search", "도쿄", "--json").json.list("rows").first)
    let match = try #require(try row.list("matches").first)
    #expect(try match.text("column") == "tags")
    #expect(try match.list("snippet").map { try $0.text("text") } == ["신", "도쿄", "역"])
    #expect(try match.list("snippet").map { $0["found"]?.boolValue } == [false, true, false])
    #expect(try keys(demo, "search", "도쿄", "--account", "bob").isEmpty)
    #expect(try keys(demo, "search", "도쿄", "--starred", "--unread", "--tag", "none").isEmpty)
    #expect(try demo.cli("item", "search").status == 64)
    #expect(try demo.cli("item", "search", "…").status == 64)
    #expect(
      try demo.cli("item", "search", "🎉").errors.contains("Only letters and digits are searched for, not 🎉."))
    #expect(try demo.cli("item", "search", "도쿄 🎉").errors.contains("not 🎉."))
    // An item is marked once, however often it is named.
    #expect(try demo.cli("item", "mark", "i3", "i3", "--unread").output.hasPrefix("1 item "))
  }

  @Test func `Items are marked, starred, tagged, moved and deleted, one or many`() throws {
    let demo = try Demo.migrated()
    let bob = try demo.content().filter { $0.key.hasPrefix("bob@home/") }
    let three = try keys(demo, "list", "--unread", "--limit", "3")
    let marked = try demo.run(Tool.cli, ["item", "mark", "--read"] + three, [:])
    #expect(marked.output == "3 items marked as read.\n")
    let again = try demo.run(Tool.cli, ["item", "mark", "--read"] + three, [:])
    #expect(again.output == "0 items marked as read. 3 items left as before.\n")
    #expect(try demo.cli("item", "mark", three[0], "--unread").output == "1 item marked as unread.\n")
    #expect(try demo.cli("item", "star", three[0], three[1]).status == 0)
    #expect(try demo.cli("item", "star", three[0], "--off").status == 0)
    let starred = try keys(demo, "list", "--starred")
    #expect(starred.contains(three[1]) && !starred.contains(three[0]))
    #expect(try demo.cli("item", "tag", three[0], three[1], "--add", "x", "--add", "y").status == 0)
    #expect(try demo.cli("item", "tag", three[1], "--remove", "x").status == 0)
    #expect(try keys(demo, "list", "--tag", "x") == [three[0]])
    #expect(try Set(keys(demo, "list", "--tag", "y")) == [three[0], three[1]])
    let moved = try demo.cli("item", "move", three[0], three[1], "--to", "i4", "--json")
    #expect(try moved.json.integer("changed") <= 2)
    #expect(try demo.cli("item", "show", three[0], "--json").json["row"]?.text("folder") == "i4")
    #expect(try demo.cli("item", "move", three[0], "--out").status == 0)
    #expect(try keys(demo, "list", "--unfiled").contains(three[0]))
    #expect(try demo.cli("item", "delete", three[0], three[2]).output == "2 items deleted.\n")
    #expect(try count(demo) == 299)
    #expect(try demo.content().filter { $0.key.hasPrefix("bob@home/") } == bob)
  }

  @Test func `All that a filter leaves is changed in one go, and deleted only with a yes`() throws {
    let demo = try Demo.migrated()
    let unread = try count(demo, "--folder", "i1", "--unread")
    #expect(unread > 0)
    let marked = try demo.cli("item", "mark", "--all", "--read", "--folder", "i1", "--json")
    #expect(try marked.json.integer("changed") == Int64(unread))
    #expect(try count(demo, "--folder", "i1", "--unread") == 0)
    #expect(try count(demo, "--unread") > 0)
    let inbox = try count(demo, "--folder", "i1")
    #expect(try demo.cli("item", "tag", "--all", "--folder", "i1", "--add", "done").status == 0)
    #expect(try count(demo, "--tag", "done") == inbox)
    let asked = try demo.cli("item", "delete", "--all", "--tag", "done")
    #expect(asked.output == "Would go: \(inbox) items.\n")
    #expect(asked.errors.contains("--yes"))
    #expect(try count(demo) == 301)
    #expect(try demo.cli("item", "delete", "--all", "--tag", "done", "--yes").status == 0)
    #expect(try count(demo) == 301 - inbox)
  }

  @Test func `What can't be is refused in a sentence, and nothing is changed`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let key = try #require(try keys(demo, "list", "--limit", "1").first)
    for (arguments, status, sentence) in [
      (["mark", key], 64, "It isn't said how to mark them."),
      (["mark", key, "--read", "--unread"], 64, "can't be said together."),
      (["mark", "--read"], 64, "It isn't said which items."),
      (["mark", key, "--all", "--read"], 64, "Keys and --all can't be said together."),
      (["star", key, "--folder", "i1"], 64, "no option can leave some out"),
      (["mark", key, "nothing", "--read"], 1, "There is no item with the key \"nothing\" for alice@home."),
      (["tag", key], 64, "It isn't said which tags."),
      (["tag", key, "--add", " "], 1, "A tag can't be empty."),
      (["move", key], 64, "It isn't said where to."),
      (["move", key, "--to", "nothing"], 1, "There is no folder with the key \"nothing\""),
      (["delete"], 64, "It isn't said which items."),
      (["delete", key, "nothing"], 1, "There is no item with the key \"nothing\""),
      (["list", "--folder", "i1", "--unfiled"], 64, "can't be said together."),
      (["list", "--folder", "nothing"], 1, "There is no folder with the key \"nothing\""),
    ] {
      let outcome = try demo.run(Tool.cli, ["item"] + arguments, [:])
      #expect(outcome.status == Int32(status), "\(arguments): \(outcome)")
      #expect(outcome.errors.contains(sentence), "\(arguments): \(outcome)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try demo.content() == before)
  }
}
