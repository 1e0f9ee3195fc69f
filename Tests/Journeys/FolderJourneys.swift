import FerryKernel
import FerryStore
import TestKit
import Testing

@Suite(.waitsOnThreads) struct FolderJourneys {
  private func tree(_ demo: Demo, _ account: String = "alice") throws -> [String] {
    try demo.cli("folder", "tree", "--json", "--account", account).json.list("folders").map { folder in
      String(repeating: " ", count: Int(try folder.integer("depth"))) + (try folder.text("name"))
    }
  }

  @Test func `The tree shows each folder below its parent, with what lies in it`() throws {
    let demo = try Demo.migrated()
    let shown = try demo.cli("folder", "tree")
    #expect(shown.status == 0)
    #expect(shown.lines.first?.contains("Unread") == true)
    #expect(shown.lines.contains { $0.hasPrefix("alice inbox") })
    let document = try demo.cli("folder", "tree", "--json").json
    let folders = try document.list("folders")
    #expect(folders.count == 7)
    #expect(try folders.first?.text("id") == "i1")
    #expect(try folders.map { try $0.integer("depth") }.max() == 2)
    let items = try folders.reduce(0) { try $0 + $1.integer("items") }
    let unfiled = try #require(document["unfiled"])
    #expect(try items + unfiled.integer("items") == 301)
    let unread = try folders.reduce(0) { try $0 + $1.integer("unread") } + unfiled.integer("unread")
    #expect(try demo.cli("item", "count", "--unread").output == "\(unread)\n")
    #expect(try demo.cli("item", "count", "--unfiled").output == "\(try unfiled.integer("items"))\n")
  }

  @Test func `A folder is made, renamed, moved and deleted, by its key or its name`() throws {
    let demo = try Demo.migrated()
    let (before, bob) = (try tree(demo), try tree(demo, "bob"))
    let made = try demo.cli(
      "folder", "create", "Reise", "--into", "alice inbox", "--type", "archived", "--json")
    #expect(made.status == 0, "\(made)")
    let key = try #require(try made.json["folder"]?.text("id"))
    #expect(try made.json["folder"]?.text("parent") == "i1")
    #expect(try demo.cli("folder", "show", key, "--json").json["row"]?.text("type") == "archived")
    let renamed = try demo.cli("folder", "rename", "Reise", "Reisen")
    #expect(renamed.output == "\"Reise\" is called \"Reisen\" now.\n")
    #expect(try demo.cli("folder", "move", key, "--to-top", "--at", "1").status == 0)
    #expect(try tree(demo) == ["Reisen"] + before)
    #expect(try demo.cli("folder", "move", "Reisen", "--at", "99").status == 0)
    #expect(try tree(demo) == before + ["Reisen"])
    let deleted = try demo.cli("folder", "delete", "Reisen")
    #expect(deleted.output == "Deleted \"Reisen\".\n")
    #expect(try tree(demo) == before)
    #expect(try tree(demo, "bob") == bob)
  }

  @Test func `One that holds something is only deleted once it is said what becomes of that`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let refused = try demo.cli("folder", "delete", "i1", "--json")
    #expect(refused.status == 1)
    #expect(try refused.error.text("code") == "folder.notEmpty")
    #expect(try refused.error.text("remedy").contains("--move-to FOLDER"))
    #expect(try demo.content() == before)
    let items = try demo.cli("item", "count", "--folder", "i1").output
    let moved = try demo.cli("folder", "delete", "i1", "--move-to", "i4", "--json")
    #expect(moved.status == 0, "\(moved)")
    #expect("\(try moved.json.integer("itemsMoved"))\n" == items)
    #expect(try moved.json.integer("foldersMoved") == 3)
    #expect(try demo.cli("item", "count").output == "301\n")
    let gone = try demo.cli("folder", "delete", "i4", "--with-contents")
    #expect(gone.status == 0)
    #expect(try tree(demo).count == 1)
    #expect(try demo.cli("folder", "count", "--account", "bob").output == "7\n")
    #expect(try demo.cli("item", "count", "--account", "bob").output != "0\n")
  }

  @Test func `What can't be is refused in a sentence, and nothing is changed`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    for (arguments, status, sentence) in [
      (["move", "i1", "--into", "i5"], 1, "Folder \"i1\" can't go into \"i5\", which lies in it."),
      (["move", "i1", "--into", "i1"], 1, "Folder \"i1\" can't lie in itself."),
      (["create", "x", "--type", "secondry"], 64, "secondary"),
      (["create", "x", "--type", ""], 64, "primary"),
      (["move", "i1"], 64, "It isn't said where to."),
      (["move", "i1", "--into", "i5", "--to-top"], 64, "--into and --to-top can't be said together."),
      (["move", "i1", "--at", "0"], 64, "must be a whole number"),
      (["rename", "i1", "  "], 1, "A folder's name can't be empty."),
      (["rename", "nothing", "x"], 1, "There is no folder with the key \"nothing\" for alice@home."),
      (["create", ""], 1, "A folder's name can't be empty."),
      (["create", "x", "--into", "nothing"], 1, "There is no folder with the key \"nothing\""),
      (["delete", "nothing"], 1, "There is no folder with the key \"nothing\""),
      (["delete", "i1", "--move-to", "i5"], 1, "can't go into \"i5\", which lies in it."),
      (["delete", "i1", "--with-contents", "--move-out"], 64, "can't be said together."),
    ] {
      let outcome = try demo.run(Tool.cli, ["folder"] + arguments, [:])
      #expect(outcome.status == Int32(status), "\(arguments): \(outcome)")
      #expect(outcome.errors.contains(sentence), "\(arguments): \(outcome)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try demo.content() == before)
  }

  @Test func `A name that several have is told with their keys`() throws {
    let demo = try Demo.migrated()
    try demo.cli("folder", "create", "twice")
    try demo.cli("folder", "create", "twice")
    let outcome = try demo.cli("folder", "rename", "twice", "once")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("2 folders of alice@home are called \"twice\"."))
  }

  @Test func `Before the crossing and where the domain is off nothing is written`() throws {
    let demo = try Demo()
    #expect(try demo.cli("folder", "create", "x").status == 1)
    #expect(!demo.exists("store"))
    try demo.replace(
      "  - domain: attachment", with: "  - domain: attachment\n    enabled: false", in: "roadmap.yaml")
    try demo.cli("migrate")
    #expect(try demo.cli("folder", "tree").status == 0)
    #expect(try demo.cli("item", "list", "--attached").status == 6)
    #expect(try demo.cli("item", "list", "--unread").status == 0)
  }
}
