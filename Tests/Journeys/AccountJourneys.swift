import FerryKernel
import TestKit
import Testing

@Suite(.waitsOnThreads) struct AccountJourneys {
  @Test func `The accounts are listed, and the first is the active one`() throws {
    let demo = try Demo.migrated()
    let document = try demo.cli("account", "list", "--json").json
    #expect(document["version"]?.integerValue == 1)
    #expect(try document.list("accounts").map { try $0.text("account") } == ["alice@home", "bob@home"])
    #expect(try document.list("accounts").map { $0["active"]?.boolValue } == [true, false])
    #expect(try demo.cli("account", "list").lines.map { $0.hasPrefix("*") } == [false, true, false])
  }

  @Test(arguments: ["bob", "bob@home"])
  func `use makes another account the active one, and no data moves`(name: String) throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    #expect(try demo.cli("account", "use", name).status == 0)
    #expect(try demo.cli("folder", "show", "i1").output.contains("bob inbox"))
    let list = try demo.cli("account", "list", "--json").json.list("accounts")
    #expect(list.map { $0["active"]?.boolValue } == [false, true])
    #expect(try demo.content() == before)
    #expect(try demo.cli("migrate", "--json").json["changed"]?.boolValue == false)
    #expect(try demo.cli("account", "use", "alice", "--json").json["active"]?.boolValue == true)
    #expect(try demo.cli("folder", "show", "i1").output.contains("alice inbox"))
  }

  @Test(arguments: ["carol", "alice@work", "", "@home", "ALICE", "\u{1b}[2J"])
  func `An account that isn't there is refused by name`(name: String) throws {
    let demo = try Demo.migrated()
    for command in [["account", "use", name], ["item", "list", "--account", name]] {
      let outcome = try demo.run(Tool.cli, command, [:])
      #expect(outcome.status == 1, "\(command): \(outcome)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("alice@home"))
      #expect(!outcome.errors.contains("\u{1b}"))
    }
    #expect(try demo.cli("account", "use", name, "--json").error.text("code") == "store.unknownAccount")
  }

  @Test func `No row of alice's is bob's, in any table`() throws {
    let demo = try Demo.migrated()
    for (table, golden, property) in [("draft", "Draft", "title"), ("item", "NoteSummary", "title")] {
      for (user, other) in [("alice", "bob"), ("bob", "alice")] {
        let rows = try demo.cli(table, "list", "--json", "--limit", "1000", "-a", user).json.list("rows")
        let theirs = Set(try Golden(other).rows(of: golden).map { try $0.text(property) })
        let own = Set(try Golden(user).rows(of: golden).map { try $0.text(property) })
        let foreign = try rows.filter { row in
          let title = try row.text("title")
          return theirs.contains(title) && !own.contains(title)
        }
        #expect(foreign.isEmpty)
      }
    }
    for table in ["folder", "item", "draft", "attachment", "setting", "search-history"] {
      let lists = try ["alice", "bob"].map { user in
        Set(
          try demo.cli(table, "list", "--json", "--limit", "1000", "-a", user).json.list("rows").map {
            try $0.text()
          })
      }
      // Settings with the same key, value and scope are the one thing that both have.
      let shared = lists[0].intersection(lists[1])
      #expect(
        shared.allSatisfy { table == "setting" && ($0.contains("lastSyncToken") || $0.contains("empty")) })
    }
  }

  @Test func `One user on two servers is two accounts, and the short name is refused as unclear`() throws {
    let demo = try Demo()
    try demo.replace("user: bob", with: "user: alice", in: "ferry.yaml")
    let ferry = try demo.text("ferry.yaml")
    let second = ferry.replacing(
      "file: bob.realm\n    account: {server: home", with: "file: bob.realm\n    account: {server: work")
    try demo.write(second + "  work:\n    directory: remote-work\n", to: "ferry.yaml")
    try demo.folder.makeFolder("remote-work")
    try demo.move("remote/bob", to: "remote-work/alice")
    let outcome = try demo.cli("migrate", "--json")
    try #require(outcome.status == 0, "\(outcome)")
    let unclear = try demo.cli("folder", "list", "--account", "alice", "--json")
    #expect(unclear.status == 1)
    #expect(try unclear.error.text("code") == "store.ambiguousAccount")
    #expect(try demo.cli("folder", "show", "i1", "--account", "alice@home").output.contains("alice inbox"))
    #expect(try demo.cli("folder", "show", "i1", "--account", "alice@work").output.contains("bob inbox"))
    let straight = try Demo.straight()
    let content = try demo.content()
    for table in ["folder", "item", "draft", "attachment", "setting", "search_history", "outbox"] {
      #expect(content["alice@home/\(table)"] == straight["alice@home/\(table)"])
      #expect(content["alice@work/\(table)"] == straight["bob@home/\(table)"])
    }
  }
}
