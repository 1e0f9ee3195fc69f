import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// An account from when it comes to when it goes, by the commands of `app-cli account`.
@Suite(.waitsOnThreads) struct AccountLifeJourneys {
  /// What of alice no server has in the demo: 11 items that were never sent, 3 settings that crossed, 8 drafts
  /// and a row in quarantine.
  private static let unsent = 23

  private func accounts(_ demo: Demo) throws -> [String] {
    try demo.cli("account", "list", "--json").json.list("accounts").map { account in
      let isActive = account["active"]?.boolValue == true
      let isOut = account["signedOut"]?.boolValue == true
      return try (isActive ? "*" : "") + account.text("account") + (isOut ? " (out)" : "")
    }
  }

  @Test func `A signed-out account isn't offered and doesn't sync, and comes back with all it had`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let outcome = try demo.cli("account", "sign-out", "alice", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.json.integer("unsent") == 14)
    #expect(try outcome.json.text("active") == "bob@home")
    #expect(try accounts(demo) == ["alice@home (out)", "*bob@home"])
    #expect(try demo.cli("account", "list").output.contains("signed out"))
    #expect(try demo.cli("folder", "show", "i1").output.contains("bob inbox"))
    let refused = try demo.cli("account", "use", "alice", "--json")
    #expect(refused.status == 1)
    #expect(try refused.error.text("code") == "store.signedOut")
    #expect(try refused.error.text("remedy").contains("app-cli account add alice@home"))
    #expect(try demo.content() == before)
    let back = try demo.cli("account", "add", "alice@home", "--json")
    #expect(back.status == 0, "\(back)")
    #expect(try back.json["new"]?.boolValue == false)
    #expect(try accounts(demo) == ["alice@home", "*bob@home"])
    #expect(try demo.content() == before)
  }

  @Test func `Nothing of a signed-out account is changed, for no server would hear of it`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.cli("account", "sign-out", "bob").status == 0)
    let before = try demo.content()
    for words in [
      ["item", "star", "--all"], ["folder", "create", "New"], ["draft", "new", "--title", "t"],
    ] {
      let outcome = try demo.run(Tool.cli, words + ["-a", "bob", "--json"], [:])
      #expect(try outcome.error.text("code") == "store.signedOut", "\(outcome)")
    }
    #expect(try demo.content() == before)
  }

  @Test func `Removing counts a file that no server has`() throws {
    let demo = try Demo.migrated()
    try demo.write("only here", to: "only.txt")
    let item = try demo.cli("item", "list", "--limit", "1", "--json").json.list("rows")[0].text("id")
    let added = try demo.cli("attachment", "add", "only.txt", "--item", item, "--json")
    #expect(added.status == 0, "\(added)")
    // Its record and itself.
    let outcome = try demo.cli("account", "remove", "alice", "--json")
    #expect(try outcome.error.text("message").contains("1 row of attachments' files"), "\(outcome)")
    #expect(try outcome.error.text("remedy").contains("--discard \(Self.unsent + 2)"))
  }

  @Test func `With every account signed out, a list says so`() throws {
    let demo = try Demo.migrated()
    for user in Golden.users { #expect(try demo.cli("account", "sign-out", user).status == 0) }
    #expect(try accounts(demo) == ["alice@home (out)", "bob@home (out)"])
    let outcome = try demo.cli("folder", "list", "--json")
    #expect(outcome.status == 1)
    #expect(try outcome.error.text("remedy").contains("account add"))
    // Whoever names one gets to see it.
    #expect(try demo.cli("folder", "show", "i1", "-a", "alice").output.contains("alice inbox"))
  }

  @Test func `Removing is refused while something is unsent, and says what and how much`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    for discard in [[], ["--discard", "0"], ["--discard", "19"], ["--discard", "21"]] {
      let outcome = try demo.run(Tool.cli, ["account", "remove", "alice", "--json"] + discard, [:])
      #expect(outcome.status == 1)
      #expect(try outcome.error.text("code") == "account.unsent")
      #expect(
        try outcome.error.text("message")
          == "No server has 14 changes, 8 rows of draft and 1 row in quarantine of alice@home.")
      #expect(try outcome.error.text("remedy").contains("--discard \(Self.unsent)"))
    }
    #expect(try demo.content() == before)
    #expect(try accounts(demo) == ["*alice@home", "bob@home"])
  }

  @Test func `A removed account leaves nothing but its name in the journal, and the other keeps every byte`()
    throws
  {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let outcome = try demo.cli("account", "remove", "alice", "--discard", "\(Self.unsent)", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try accounts(demo) == ["*bob@home"])
    let after = try demo.content()
    for (table, rows) in before where table.hasPrefix("bob@home/") {
      #expect(after[table] == rows, "\(table)")
    }
    #expect(after.keys.filter { $0.hasPrefix("alice@home/") }.isEmpty)
    for (table, rows) in after where table != "kernel_journal" {
      #expect(!rows.joined().contains { $0 == .text("alice@home") }, "\(table)")
    }
    // A distinctive word of hers, and her name: in the journal alone.
    let bytes = try Data(contentsOf: demo.folder.url.appendingPathComponent("store/ferry.sqlite"))
    #expect(bytes.range(of: Data("alice inbox".utf8)) == nil)
    #expect(bytes.range(of: Data("bob inbox".utf8)) != nil)
    // It is no error that ferry.yaml still names her, and nothing brings her back.
    #expect(try demo.cli("migrate", "--json").json["changed"]?.boolValue == false)
    #expect(try demo.worker().status == 0)
    #expect(try accounts(demo) == ["*bob@home"])
    #expect(try demo.cli("account", "remove", "alice", "--json").error.text("code") == "store.unknownAccount")
    #expect(try demo.cli("status").status == 0)
  }

  @Test func `A removed account that is added again is a new one, and gets what the server holds`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.cli("account", "remove", "alice", "--discard", "\(Self.unsent)").status == 0)
    let outcome = try demo.cli("account", "add", "alice@home", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.json["new"]?.boolValue == true)
    #expect(try demo.cli("item", "count", "-a", "alice").output == "0\n")
    #expect(try demo.worker().status == 0)
    #expect(try demo.cli("item", "count", "-a", "alice").output == "290\n")
    #expect(try demo.cli("draft", "count", "-a", "alice").output == "0\n")
  }

  @Test func `Killed anywhere on the way, the next command ends the removal or finds it never begun`() throws
  {
    let straight = try Demo.migrated()
    let whole = try straight.content()
    #expect(try straight.cli("account", "remove", "alice", "--discard", "\(Self.unsent)").status == 0)
    let end = try straight.content()
    var (wholes, ends) = (0, 0)
    for pause in stride(from: 0, through: 220, by: 20) {
      let demo = try Demo.migrated()
      try demo.runAndKill(
        Tool.cli, ["account", "remove", "alice", "--discard", "\(Self.unsent)"], afterMilliseconds: pause)
      // Any command that changes the store goes on.
      #expect(try demo.cli("account", "add", "bob@home").status == 0)
      let content = try demo.content()
      #expect(content == whole || content == end, "killed after \(pause) ms")
      if content == whole { wholes += 1 } else { ends += 1 }
      #expect(
        try demo.cli("account", "remove", "alice", "--discard", "\(Self.unsent)").status
          == (content == whole ? 0 : 1))
      #expect(try demo.content() == end)
    }
    #expect(wholes + ends == 12)
  }

  @Test(arguments: ["carol@nowhere", "alice", "@home", "a/b@home", ""])
  func `Adding an account needs a user and a server of ferry yaml`(name: String) throws {
    let demo = try Demo.migrated()
    let outcome = try demo.cli("account", "add", name, "--json")
    #expect(outcome.status == 1)
    #expect(["sync.unknownServer", "store.badAccountName"].contains(try outcome.error.text("code")))
    #expect(try accounts(demo) == ["*alice@home", "bob@home"])
  }

  @Test func `An account that the server doesn't know isn't added, unless nobody is to be asked`() throws {
    let demo = try Demo.migrated()
    let outcome = try demo.cli("account", "add", "carol@home", "--json")
    #expect(outcome.status == 77)
    #expect(try outcome.error.text("code") == "sync.unknownAccount")
    #expect(try accounts(demo) == ["*alice@home", "bob@home"])
    #expect(try demo.cli("account", "add", "carol@home", "--offline").status == 0)
    #expect(try accounts(demo) == ["*alice@home", "bob@home", "carol@home"])
    // Nothing of hers is unsent, so nothing need be given up.
    #expect(try demo.cli("account", "remove", "carol", "--discard", "1").status == 1)
    #expect(try demo.cli("account", "remove", "carol").status == 0)
  }

  @Test func `While the crossing waits an account is removed, and the others cross without it`() throws {
    let demo = try Demo()
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    // The settings that crossed.
    let removed = try demo.cli("account", "remove", "alice", "--discard", "3")
    #expect(removed.status == 0, "\(removed)")
    try demo.move("away", to: "remote")
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try accounts(demo) == ["*bob@home"])
    let (content, straight) = (try demo.content(), try Demo.straight())
    for (table, rows) in straight where table.hasPrefix("bob@home/") {
      #expect(content[table] == rows, "\(table)")
    }
  }

  @Test func `While the crossing waits the only account of a server is removed, too`() throws {
    let demo = try Demo()
    try demo.replace(
      "  - file: bob.realm\n    account: {server: home, user: bob}\n", with: "", in: "ferry.yaml")
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    // The settings that crossed.
    let removed = try demo.cli("account", "remove", "alice", "--discard", "3")
    #expect(removed.status == 0, "\(removed)")
    #expect(try accounts(demo) == [])
  }

  @Test func `Of an account of which nothing has crossed yet nothing is removed`() throws {
    let demo = try Demo()
    try demo.write(
      try demo.text("roadmap.yaml").replacing("strategy: copy", with: "strategy: copy\n    enabled: false"),
      to: "roadmap.yaml")
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    let outcome = try demo.cli("account", "remove", "alice", "--json")
    #expect(outcome.status == 5)
    #expect(try outcome.error.text("code") == "account.notCrossed")
  }

  @Test func `An account that is signed out holds up nobody but the crossing, which names the ways on`()
    throws
  {
    let demo = try Demo()
    let roadmap = try demo.text("roadmap.yaml")
    try demo.write(
      roadmap.replacing("strategy: resync", with: "strategy: resync\n    enabled: false"), to: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.cli("account", "sign-out", "alice").status == 0)
    let off = try demo.text("roadmap.yaml")
    try demo.write(roadmap, to: "roadmap.yaml")
    for command in [["migrate"], ["migrate", "--dry-run"]] {
      let outcome = try demo.run(Tool.cli, command + ["--json"], [:])
      #expect(outcome.status == 77)
      #expect(try outcome.error.text("code") == "kernel.signedOut")
      let remedy = try outcome.error.text("remedy")
      #expect(remedy.contains("account add alice@home") && remedy.contains("account remove alice@home"))
    }
    #expect(try demo.cli("status", "--json").json["gate"]?.stringValue == nil)
    try demo.write(off, to: "roadmap.yaml")
    #expect(try demo.cli("setting", "set", "theme", "dark").status == 0)
    try demo.write(roadmap, to: "roadmap.yaml")
    #expect(try demo.cli("account", "remove", "alice", "--discard", "3").status == 0)
    #expect(try demo.cli("migrate", "--json").json["over"]?.boolValue == true)
    #expect(try accounts(demo) == ["*bob@home"])
  }

  /// A demo from which alice was removed before its attachments crossed, which they may now.
  private func removedMidway() throws -> Demo {
    let demo = try Demo()
    let (on, off) = ("domain: attachment\n", "domain: attachment\n    enabled: false\n")
    try demo.replace(on, with: off, in: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.cli("account", "remove", "alice", "--discard", "\(Self.unsent)").status == 0)
    try demo.replace(off, with: on, in: "roadmap.yaml")
    return demo
  }

  @Test func `A domain that is enabled later doesn't bring a removed account back`() throws {
    let demo = try removedMidway()
    let planned = try demo.cli("migrate", "--dry-run", "--json").json.list("forecast")
    #expect(try planned.map { try $0.text("account") } == ["bob@home", "bob@home"])
    for changed in [true, false] {
      let outcome = try demo.cli("migrate", "--json")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try outcome.json["changed"]?.boolValue == changed)
    }
    #expect(try demo.cli("migrate", "--dry-run").status == 0)
    #expect(try accounts(demo) == ["*bob@home"])
    #expect(try demo.cli("attachment", "count", "-a", "bob").output == "60\n")
  }

  @Test func `The legacy file of an account that was removed goes with the others, and comes back with them`()
    throws
  {
    let demo = try removedMidway()
    #expect(try demo.cli("migrate").status == 0)
    #expect(!demo.exists("alice.realm") && demo.exists("store/legacy-archive/alice.realm"))
    let back = try demo.cli("migrate", "rollback")
    #expect(back.status == 0 && back.output.contains("alice@home was removed"), "\(back)")
    #expect(demo.exists("alice.realm"))
    try demo.replace(
      "  - file: alice.realm\n    account: {server: home, user: alice}\n", with: "", in: "ferry.yaml")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try accounts(demo) == ["*bob@home"])
    #expect(try demo.cli("migrate", "cleanup", "--yes").status == 0)
    #expect(!demo.exists("bob.realm") && !demo.exists("store/legacy-archive"))
  }

  @Test func `While another process is at work accounts stay as they are`() throws {
    let demo = try Demo.migrated()
    let lock = try ProcessLock(path: demo.folder.path("store/ferry.lock"))
    for command in [
      ["add", "carol@home", "--offline"], ["sign-out", "alice"], ["remove", "alice", "--discard", "20"],
    ] {
      let outcome = try withExtendedLifetime(lock) { try demo.run(Tool.cli, ["account"] + command, [:]) }
      #expect(outcome.status == 4)
    }
    #expect(try accounts(demo) == ["*alice@home", "bob@home"])
  }

  @Test func `A store that an earlier build made is brought up by every command that writes`() throws {
    for command in [
      ["account", "use", "bob"], ["account", "sign-out", "bob"], ["account", "add", "bob@home"],
      // That build numbered what the crossing put into the outbox together with what people changed.
      ["migrate", "cleanup", "--yes"], ["migrate", "rollback", "--discard", "22"],
    ] {
      let demo = try Demo.migrated()
      // As it was before accounts could be signed out.
      try demo.sql("DROP TABLE store_account_life")
      try demo.sql("DROP TABLE store_edits")
      try demo.sql("DELETE FROM store_schema WHERE owner = 'store' AND version >= 3")
      #expect(try demo.cli("status").status == 1)
      let outcome = try demo.run(Tool.cli, command, [:])
      #expect(outcome.status == 0, "\(command): \(outcome)")
    }
  }
}
