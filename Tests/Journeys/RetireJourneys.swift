import FerryKernel
import FerryStore
import Foundation
import SearchHistoryDomain
import TestKit
import Testing

@Suite(.waitsOnThreads) struct `After the last domain` {
  @Test func `the legacy files are in the archive, and cleanup removes them on a yes`() throws {
    let demo = try Demo.migrated()
    #expect(!demo.exists("alice.realm") && demo.exists("store/legacy-archive/alice.realm"))
    let again = try demo.cli("migrate")
    #expect(again.status == 0 && again.output.contains("legacy-archive"))
    let listed = try demo.cli("migrate", "cleanup", "--json").json
    #expect(listed["removed"]?.boolValue == false)
    let files = try listed.list("files").map { try $0.text("path") }
    #expect(files.contains { $0.hasSuffix("/legacy-archive/bob.realm") })
    #expect(files.contains { $0.hasSuffix("/backups/item.ndjson") })
    #expect(demo.exists("store/legacy-archive/alice.realm"))
    let removed = try demo.cli("migrate", "cleanup", "--yes")
    #expect(removed.status == 0 && removed.output.contains("Removed: "))
    #expect(!demo.exists("store/legacy-archive") && !demo.exists("store/backups"))
    #expect(try demo.cli("migrate").output.contains("over; nothing was changed"))
    let refused = try demo.cli("migrate", "rollback", "--json")
    #expect(try refused.status == 1 && refused.error.text("code") == "kernel.archiveRemoved")
    #expect(try demo.cli("migrate", "cleanup").output == "There is nothing to remove.\n")
  }

  @Test func `a legacy file that is there again is named, with what to do, and stays unread`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.cli("migrate", "--json").json.list("returned") == [])
    let old = try Demo()
    try FileManager.default.copyItem(
      atPath: old.folder.path("bob.realm"), toPath: demo.folder.path("alice.realm"))
    let before = try demo.content()
    func check() throws {
      let told = try demo.cli("migrate")
      #expect(told.status == 0, "\(told)")
      let lines = told.lines.filter { $0.contains("is there again") }
      #expect(lines.count == 1 && lines[0].hasPrefix("alice.realm ") && lines[0].contains("move it away"))
      #expect(told.output.contains("over; nothing was changed"))
      let report = try demo.cli("migrate", "--json", "--report", "report.html").json
      #expect(try report.list("returned") == [.string("alice.realm")])
      #expect(try demo.text("report.html").contains("is there again"))
    }
    try check()
    #expect(try demo.content() == before)
    #expect(try demo.cli("migrate", "cleanup", "--yes").status == 0)
    try check()
    try demo.move("alice.realm", to: "away.realm")
    #expect(try !demo.cli("migrate").output.contains("is there again"))
  }

  @Test func `a rollback brings them back, unless it would lose what a person changed`() async throws {
    let demo = try Demo.migrated()
    let before = try Demo().files().filter { $0.key.hasSuffix(".realm") }
    let alice = try demo.store().account(AccountID(server: "home", user: "alice"))
    try await SearchHistoryDAO.record(alice, "ferries", at: FixedClock.now())
    await alice.store.close()
    let refused = try demo.cli("migrate", "rollback", "--json")
    #expect(try refused.status == 1 && refused.error.text("code") == "kernel.laterEdits")
    #expect(try refused.error.text("remedy") == "Say `--discard 1` to give them up.")
    let done = try demo.cli("migrate", "rollback", "--discard", "1")
    #expect(done.status == 0, "\(done)")
    #expect(try demo.files().filter { $0.key.hasSuffix(".realm") } == before)
    #expect(demo.exists("store/legacy-archive/store-1/ferry.sqlite") && !demo.exists("store/ferry.sqlite"))
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }

  @Test func `a rollback counts every change since the first domain crossed, and none that no person made`()
    throws
  {
    let demo = try Demo()
    try demo.replace(
      "domain: attachment\n", with: "domain: attachment\n    enabled: false\n", in: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.cli("draft", "new", "--title", "Only here").status == 0)
    for name in ["A", "B", "alice inbox"] {
      #expect(try demo.cli("folder", "rename", "i1", name).status == 0)
    }
    try demo.replace("    enabled: false\n", with: "", in: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    // What these write isn't a person's.
    #expect(try demo.worker().status == 0)
    for _ in 1...2 {
      #expect(try demo.cli("attachment", "open", "att-474f960f-92d2-42ff-f20a-4ff883cdffda").status == 0)
    }
    try demo.write("only here", to: "own.txt")
    #expect(try demo.cli("attachment", "add", "own.txt", "--item", "202").status == 0)
    let refused = try demo.cli("migrate", "rollback", "--json")
    #expect(refused.status == 1)
    #expect(
      try refused.error.text("message")
        == "A rollback would lose 5 changes made since the first domain crossed.")
    #expect(demo.exists("store/ferry.sqlite"))
  }

  @Test func `the files of what a rollback gave up stay beside the archived store, also after a sync`() throws
  {
    let demo = try Demo.migrated()
    try demo.write("only here", to: "own.txt")
    #expect(try demo.cli("attachment", "add", "own.txt", "--item", "202").status == 0)
    let done = try demo.cli("migrate", "rollback", "--discard", "1")
    #expect(done.status == 0, "\(done)")
    #expect(!demo.exists("store/attachments"))
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.worker().status == 0)
    let kept = try demo.files().filter { $0.key.hasPrefix("store/legacy-archive/store-1/attachments/") }
    #expect(kept.values.contains(Data("only here".utf8)))
  }

  @Test func `a store that is damaged or gone is told with where the legacy files are`() throws {
    let demo = try Demo.migrated()
    func check(_ code: String) throws {
      for command in [
        ["migrate"], ["migrate", "--dry-run"], ["migrate", "rollback"], ["status"], ["item", "list"],
      ] {
        let outcome = try demo.run(Tool.cli, command + ["--json"], [:])
        #expect(try outcome.status == 1 && outcome.error.text("code") == code, "\(command): \(outcome)")
        #expect(try outcome.error.text("message").contains("legacy-archive"), "\(command)")
      }
    }
    for name in ["-wal", "-shm"] where demo.exists("store/ferry.sqlite" + name) {
      try demo.move("store/ferry.sqlite" + name, to: "was" + name)
    }
    try demo.move("store/ferry.sqlite", to: "was")
    try check("kernel.archiveAlone")
    try demo.write(String(repeating: "garbage", count: 1000), to: "store/ferry.sqlite")
    try check("kernel.archiveBeside")
    #expect(demo.exists("store/legacy-archive/alice.realm"))
  }

  @Test func `what is left of moving the legacy files is told by status, and the next crossing does it`()
    throws
  {
    let demo = try Demo()
    try FileManager.default.createDirectory(
      atPath: demo.folder.path("store"), withIntermediateDirectories: false)
    try demo.write("in the way", to: "store/legacy-archive")
    let outcome = try demo.cli("migrate")
    #expect(outcome.status == 1 && outcome.errors.contains("legacy-archive"), "\(outcome)")
    #expect(try demo.cli("status").output.contains("still to be moved into the archive"))
    #expect(try demo.cli("status", "--json").json["retired"]?.isNull == true)
    try demo.move("store/legacy-archive", to: "moved")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try !demo.cli("status").output.contains("still to be moved"))
    #expect(try demo.cli("status", "--json").json.text("retired") == "archived")
  }

  @Test func `a rollback that was begun keeps everybody from writing until it is over`() throws {
    let demo = try Demo.migrated()
    try demo.write("{\"rollback\":1}\n", to: "store/legacy-archive/rollback.json")
    for outcome in [try demo.cli("migrate"), try demo.worker(), try demo.cli("account", "use", "bob")] {
      #expect(outcome.status == 1 && outcome.errors.contains("`app-cli migrate rollback`"), "\(outcome)")
    }
    #expect(try demo.cli("migrate", "rollback").status == 0)
    #expect(demo.exists("alice.realm") && !demo.exists("store/ferry.sqlite"))
    #expect(try demo.cli("migrate", "cleanup", "--yes").output.contains("Removed: "))
    #expect(!demo.exists("store/legacy-archive") && demo.exists("alice.realm"))
  }
}

@Suite(.waitsOnThreads) struct `A crossing's report` {
  @Test func `is one page that needs nothing else, and holds what the JSON holds`() throws {
    let demo = try Demo()
    let outcome = try demo.cli("migrate", "--report", "report.html", "--json")
    let json = try outcome.json
    #expect(try json.list("times").count == 36)
    #expect(try json.list("checks").filter { try $0.text("verdict") == "broken" }.isEmpty)
    #expect(try json.list("quarantine").count == 2)
    #expect(json["retired"]?.stringValue == "archived")
    let page = try demo.text("report.html")
    for check in try json.list("checks") { #expect(try page.contains(check.text("check"))) }
    for row in try json.list("quarantine") { #expect(try page.contains(row.text("reason"))) }
    for domain in ["search-history", "setting", "folder", "item", "attachment", "log"] {
      #expect(page.contains(" \(domain)</text>"))
    }
    // Nothing is fetched from anywhere.
    for word in ["http://", "https://", "src=", "@import", "<script", "<link"] {
      #expect(!page.contains(word))
    }
  }

  @Test func `takes nothing of the data for markup`() throws {
    let demo = try Demo()
    try demo.append(
      #"{"id":"i1x","revision":9999999,"record":{"title":7,"old":"<script>alert('&')"}}"#,
      to: "remote/alice/items.ndjson")
    #expect(try demo.cli("migrate", "--report", "report.html").status == 0)
    let page = try demo.text("report.html")
    #expect(page.contains("&lt;script&gt;alert(&#39;&amp;&#39;)"))
    #expect(!page.contains("<script"))
  }

  @Test func `that can't be written is refused, and the crossing is none the worse`() throws {
    let demo = try Demo()
    let outcome = try demo.cli("migrate", "--report", "no/such/folder.html")
    #expect(outcome.status == 74 && outcome.errors.contains("no/such/folder.html"))
    let folder = try demo.cli("migrate", "--report", "store")
    #expect(folder.status == 74 && folder.errors.contains("store can't be written: it is a folder."))
    #expect(try demo.cli("migrate").output.contains("over"))
    #expect(try demo.cli("migrate", "--dry-run", "--report", "x").status == 64)
  }
}
