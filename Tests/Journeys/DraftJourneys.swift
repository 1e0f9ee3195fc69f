import FerryKernel
import FerryStore
import TestKit
import Testing

@Suite(.waitsOnThreads) struct DraftJourneys {
  private func draft(_ demo: Demo, _ arguments: String...) throws -> JSONValue {
    let outcome = try demo.run(Tool.cli, ["draft"] + arguments + ["--json"], [:])
    guard outcome.status == 0, let draft = try outcome.json["draft"] else { throw GoldenFault("\(outcome)") }
    return draft
  }

  /// An item that lies in the folder i1.
  private func item(_ demo: Demo) throws -> String {
    let rows = try demo.cli("item", "list", "--folder", "i1", "--limit", "1", "--json").json.list("rows")
    return try #require(try rows.first?.text("id"))
  }

  @Test func `A draft is begun, written over itself, and made an item where it belongs`() throws {
    let demo = try Demo.migrated()
    let about = try item(demo)
    let begun = try draft(demo, "new", "--about", about, "--title", "Re: Plan")
    let key = try begun.text("id")
    #expect(try begun.text("item") == about)
    #expect(try begun.text("body") == "")
    let written = try draft(demo, "write", key, "--body", "First.\nSecond: 한글")
    #expect(try written.text("title") == "Re: Plan")
    #expect(try written.text("created_at") == begun.text("created_at"))
    let newest = try demo.cli("draft", "list", "--limit", "1")
    #expect(newest.lines.last?.hasPrefix(key) == true)
    #expect(newest.errors.contains("There are more"))
    #expect(try demo.cli("draft", "show", key).output.contains("Second: 한글"))
    #expect(try demo.cli("draft", "count").output == "9\n")
    let promoted = try demo.cli("draft", "promote", key, "--json")
    #expect(promoted.status == 0, "\(promoted)")
    let item = try #require(try promoted.json["item"])
    #expect(try item.text("title") == "Re: Plan")
    #expect(try item.text("folder") == "i1")
    #expect(
      try demo.cli("item", "search", "한글 second", "--json").json.list("rows").map { try $0.text("id") } == [
        item.text("id")
      ])
    #expect(try demo.cli("draft", "show", key).status == 1)
    #expect(try demo.cli("draft", "count").output == "8\n")
    #expect(try demo.cli("draft", "count", "--account", "bob").output == "8\n")
    #expect(
      try demo.content()["alice@home/outbox"]?.contains([.text("item"), .text(item.text("id")), .text("put")])
        == true)
  }

  @Test func `A text comes from standard input where that is said`() throws {
    let demo = try Demo.migrated()
    let shell = try Tool(path: "/bin/sh").run(
      ["-c", #"printf 'one\ntwo' | "$0" draft new --title t --body - --json"#, Tool(Tool.cli).path],
      in: demo.folder.path)
    #expect(try shell.json["draft"]?.text("body") == "one\ntwo")
    let bad = try Tool(path: "/bin/sh").run(
      ["-c", #"printf '\377' | "$0" draft new --body -"#, Tool(Tool.cli).path], in: demo.folder.path)
    #expect(bad.status == 64)
    #expect(bad.errors.contains("isn't UTF-8"))
  }

  @Test func `Drafts are listed page by page`() throws {
    let demo = try Demo.migrated()
    let all = try demo.cli("draft", "list", "--json").json.list("rows").map { try $0.text("id") }
    var paged: [String] = []
    var after: [String] = []
    for _ in all {
      let page = try demo.run(Tool.cli, ["draft", "list", "-n", "3", "--json"] + after, [:]).json
      paged += try page.list("rows").map { try $0.text("id") }
      guard page["more"]?.boolValue == true, let last = paged.last else { break }
      after = ["--after=\(last)"]
    }
    #expect(all.count > 3 && paged == all)
    #expect(try demo.cli("draft", "list", "--after", "gone").status == 1)
    #expect(try demo.cli("draft", "list", "-n", "3").errors.contains("--after \(all[2])"))
  }

  @Test func `A draft is discarded, and one of another account isn't`() throws {
    let demo = try Demo.migrated()
    let key = try draft(demo, "new", "--account", "bob", "--title", "mine").text("id")
    #expect(try demo.cli("draft", "discard", key).status == 1)
    #expect(try draft(demo, "discard", key, "--account", "bob").text("title") == "mine")
    #expect(try demo.cli("draft", "discard", key, "--account", "bob").status == 1)
  }

  @Test func `What can't be is refused in a sentence, and nothing is changed`() throws {
    let demo = try Demo.migrated()
    let key = try draft(demo, "new").text("id")
    let before = try demo.content()
    for (arguments, status, sentence) in [
      (["new", "--about", "nothing"], 1, "There is no item with the key \"nothing\" for alice@home."),
      (["write", key], 64, "There is nothing to write."),
      (["write", "nothing", "--title", "x"], 1, "There is no draft with the key \"nothing\""),
      (["promote", key], 1, "has neither a title nor a text."),
      (["promote", key, "--folder", "nothing"], 1, "There is no folder with the key \"nothing\""),
      (["promote", key, "--folder", "i1", "--unfiled"], 64, "can't be said together."),
      (["discard", "nothing"], 1, "There is no draft with the key \"nothing\""),
    ] {
      let outcome = try demo.run(Tool.cli, ["draft"] + arguments, [:])
      #expect(outcome.status == Int32(status), "\(arguments): \(outcome)")
      #expect(outcome.errors.contains(sentence), "\(arguments): \(outcome)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try demo.content() == before)
  }
}
