import FerryKernel
import TestKit
import Testing

@Suite(.waitsOnThreads) struct DisabledDomainJourneys {
  /// A demo whose roadmap leaves attachments off, and that has crossed as far as it can.
  private func withoutAttachments() throws -> Demo {
    let demo = try Demo()
    try demo.replace(
      "domain: attachment\n", with: "domain: attachment\n    enabled: false\n", in: "roadmap.yaml")
    let outcome = try demo.cli("migrate", "--json")
    try #require(outcome.status == 0, "\(outcome)")
    return demo
  }

  @Test func `Everything else crosses, and the log waits and says for what`() throws {
    let demo = try withoutAttachments()
    let document = try demo.cli("status", "--json").json
    #expect(document["over"]?.boolValue == false)
    let states = try document.list("roadmap").map { "\(try $0.text("domain")) \(try $0.text("state"))" }
    #expect(
      states == [
        "search-history done", "setting done", "folder done", "item done", "attachment off", "log waiting",
      ])
    let log = try #require(try document.list("roadmap").last)
    #expect(try log.text("reason").contains("attachment"))
    #expect(try demo.cli("item", "count").output == "301\n")
    #expect(try demo.cli("log", "count").output == "0\n")
  }

  @Test func `A second run has nothing to do and says so`() throws {
    let demo = try withoutAttachments()
    let before = try demo.content()
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 0)
    #expect(try outcome.json["over"]?.boolValue == false)
    #expect(try outcome.json["changed"]?.boolValue == false)
    #expect(try demo.content() == before)
  }

  @Test(arguments: [["list"], ["show", "x"], ["count"]])
  func `Its commands say by name that it is off`(command: [String]) throws {
    let demo = try withoutAttachments()
    let outcome = try demo.run(Tool.cli, ["attachment"] + command, [:])
    #expect(outcome.status == 6)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("attachment"))
    #expect(outcome.errors.contains("enabled: true"))
    let json = try demo.run(Tool.cli, ["attachment"] + command + ["--json"], [:])
    #expect(try json.error.text("code") == "kernel.domainDisabled")
  }

  @Test func `It says so even before there is a store`() throws {
    let demo = try Demo()
    try demo.replace(
      "domain: attachment\n", with: "domain: attachment\n    enabled: false\n", in: "roadmap.yaml")
    #expect(try demo.cli("attachment", "list").status == 6)
    #expect(!demo.exists("store"))
  }

  @Test func `The worker pulls the feeds of the others`() throws {
    let demo = try withoutAttachments()
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 0, "\(outcome)")
    let feeds = try outcome.json.list("feeds")
    let names = ["settings", "folders", "items"]
    #expect(try feeds.map { try $0.text("feed") } == names + names)
    #expect(try feeds.allSatisfy { try $0.text("outcome") == "synced" })
  }

  @Test func `Enabled later, it crosses and then the log, to the same end as a straight run`() throws {
    let demo = try withoutAttachments()
    try demo.replace("    enabled: false\n", with: "", in: "roadmap.yaml")
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.json["over"]?.boolValue == true)
    #expect(try demo.content() == Demo.straight())
  }

  @Test func `Turned off again before it has crossed, it keeps nobody from writing and syncing`() throws {
    let demo = try Demo()
    for domain in ["item ", "attachment\n"] {
      let comment = domain == "item " ? "             # stands on folder, so it comes below it\n" : ""
      try demo.replace(
        "domain: \(domain)\(comment)", with: "domain: \(domain)\(comment)    enabled: false\n",
        in: "roadmap.yaml")
    }
    let off = try demo.text("roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    let on = off.replacing("    enabled: false\n", with: "", maxReplacements: 1)
    for command in [["folder", "create", "Y"], ["account", "add", "bob@home"], ["migrate"]] {
      try demo.write(on, to: "roadmap.yaml")
      #expect(try demo.cli("folder", "create", "Y").status == 5)
      try demo.write(off, to: "roadmap.yaml")
      let outcome = try demo.run(Tool.cli, command, [:])
      #expect(outcome.status == 0, "\(command): \(outcome)")
      #expect(try demo.cli("status", "--json").json["gate"]?.stringValue == nil)
      #expect(try demo.worker().status == 0)
    }
    // Whoever crosses just now may go by the other roadmap.
    try demo.write(on, to: "roadmap.yaml")
    #expect(try demo.cli("folder", "create", "Y").status == 5)
    try demo.write(off, to: "roadmap.yaml")
    let lock = try ProcessLock(path: demo.folder.path("store/ferry.lock"))
    #expect(try withExtendedLifetime(lock) { try demo.cli("folder", "create", "Y") }.status == 5)
  }

  @Test func `Between being enabled and having crossed it waits for the crossing, and the worker leaves it`()
    throws
  {
    let demo = try withoutAttachments()
    try demo.replace("    enabled: false\n", with: "", in: "roadmap.yaml")
    let list = try demo.cli("attachment", "list", "--json")
    #expect(list.status == 5, "\(list)")
    #expect(list.errors.contains("app-cli migrate"))
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 0, "\(outcome)")
    let feeds = try outcome.json.list("feeds").filter { try $0.text("feed") == "attachments" }
    #expect(try feeds.map { try $0.text("outcome") } == ["waiting", "waiting"])
  }
}
