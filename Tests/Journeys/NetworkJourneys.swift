import FerryKernel
import FerryStore
import TestKit
import Testing

@Suite(.waitsOnThreads) struct NetworkJourneys {
  @Test func `A server that can't be reached makes the crossing wait, and what is here is safe`() throws {
    let demo = try Demo()
    try demo.move("remote", to: "away")
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 75)
    let document = try demo.cli("status", "--json").json
    let folder = try #require(try document.list("roadmap").first { try $0.text("domain") == "folder" })
    #expect(try folder.text("state") == "waitingForNetwork")
    #expect(try !folder.text("reason").isEmpty)
    #expect(document["gate"]?.stringValue != nil)
    #expect(try demo.cli("setting", "count").output == "6\n")
  }

  @Test func `Once it is back, another run comes to the same end as a straight one`() throws {
    let demo = try Demo()
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    #expect(try demo.cli("migrate").status == 75)
    try demo.move("away", to: "remote")
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try demo.content() == Demo.straight())
  }

  @Test func `Lost in the middle of a domain, drafts and unsent items are in the store already`() throws {
    let demo = try Demo()
    // The folders come; the items' feed is not there.
    try demo.move("remote/alice/items.ndjson", to: "items.ndjson")
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status != 0)
    let content = try demo.content()
    for user in Golden.users {
      #expect(content["\(user)@home/draft"]?.count == 8)
      #expect(content["\(user)@home/item"]?.count == 11)
      #expect(content["\(user)@home/outbox"]?.count == 11)
    }
    try demo.move("items.ndjson", to: "remote/alice/items.ndjson")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }

  @Test func `While the crossing waits the worker keeps out and says why`() throws {
    let demo = try Demo()
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    try demo.move("away", to: "remote")
    let outcome = try demo.worker()
    #expect(outcome.status == 5)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("app-cli migrate"))
  }

  @Test func `A server that answers nonsense fails the step with the line at fault, and mended it completes`()
    throws
  {
    let demo = try Demo()
    let items = try demo.text("remote/bob/items.ndjson")
    let line = items.split(separator: "\n").count + 1
    try demo.append(#"{"id":"i1","revision":"#, to: "remote/bob/items.ndjson")
    let outcome = try demo.cli("migrate")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("items.ndjson:\(line)"))
    let states = try demo.cli("status", "--json").json.list("roadmap")
    #expect(
      try states.map { try $0.text("state") } == ["done", "done", "done", "failed", "waiting", "waiting"])
    try demo.write(items, to: "remote/bob/items.ndjson")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }
}
