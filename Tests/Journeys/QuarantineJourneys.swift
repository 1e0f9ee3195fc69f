import FerryKernel
import FerryStore
import ItemDomain
import TestKit
import Testing

@Suite(.waitsOnThreads) struct QuarantineJourneys {
  private static let id = "item/alice@home/item/18"

  private func tally(_ demo: Demo) throws -> [Int64] {
    let tallies = try demo.cli("status", "--json").json.list("tallies")
    let found = try tallies.first { try $0.text("account") == "alice@home" && $0.text("entity") == "item" }
    let tally = try #require(found)
    let parts = try ["written", "merged", "quarantined", "leftToServer", "discarded"].map {
      try tally.integer($0)
    }
    #expect(try parts.reduce(0, +) == tally.integer("read"))
    return parts
  }

  @Test func `A row is listed and shown whole`() throws {
    let demo = try Demo.migrated()
    let rows = try demo.cli("quarantine", "list", "--json").json.list("rows")
    #expect(try rows.map { try $0.text("id") } == [Self.id, "item/bob@home/item/22"])
    #expect(
      try rows.map { try $0.text("reason") } == Array(repeating: "the server did not return it", count: 2))
    let row = try demo.cli("quarantine", "show", Self.id, "--json").json["row"]
    let content = try JSONValue.parse(text: try #require(row?["content"]?.stringValue))
    #expect(content["id"]?.integerValue == 19)
    #expect(content["tags"]?.arrayValue?.isEmpty == true)
  }

  @Test func `Tried again it is written and waits to be pushed, and the accounts stay balanced`() throws {
    let demo = try Demo.migrated()
    #expect(try tally(demo) == [11, 0, 1, 288, 0])
    #expect(try demo.cli("item", "show", "i19").status == 1)
    let outcome = try demo.cli("quarantine", "retry", Self.id, "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.json.text("outcome") == "written")
    #expect(try tally(demo) == [12, 0, 0, 288, 0])
    #expect(try demo.cli("item", "show", "i19").status == 0)
    #expect(
      try demo.content()["alice@home/outbox"]?.contains([.text("item"), .text("i19"), .text("put")]) == true)
    let before = try demo.content()
    let again = try demo.cli("quarantine", "retry", Self.id)
    #expect(again.status == 1)
    #expect(again.errors.contains("There is no row \"\(Self.id)\" in quarantine."))
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == before)
  }

  @Test func `A row whose key is taken is refused in a sentence, and stays`() throws {
    let demo = try Demo.migrated()
    let store = try demo.store()
    let key = try #require(ItemID("i19"))
    try store.account(AccountID(server: "home", user: "alice")).blockingWrite { transaction in
      _ = try transaction.upsert(
        Item(
          id: key, remoteID: nil, folder: nil, title: "made since", preview: nil, isRead: false,
          isStarred: nil,
          updatedAt: Timestamp(nanoseconds: 0), score: nil, tags: []))
    }
    let outcome = try demo.cli("quarantine", "retry", Self.id)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.hasPrefix(
        "error: \(Self.id) can't be written: there is another row with the key i19.\n  → Look at both."))
    #expect(try tally(demo) == [11, 0, 1, 288, 0])
  }

  @Test func `Dropping one says what goes, and needs the whole id and a yes`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let asked = try demo.cli("quarantine", "drop", Self.id)
    #expect(asked.status == 0)
    #expect(asked.lines.first == "Would go: \(Self.id)")
    #expect(asked.output.contains("the server did not return it"))
    #expect(asked.output.contains(#"{"id":19,"#))
    #expect(asked.errors.contains("--yes"))
    #expect(try demo.cli("quarantine", "drop", "item/alice@home/item", "--yes").status == 1)
    #expect(try demo.cli("quarantine", "drop", "--yes").status == 64)
    #expect(try demo.content() == before)
    let dropped = try demo.cli("quarantine", "drop", Self.id, "--yes", "--json").json
    #expect(dropped["dropped"]?.boolValue == true)
    #expect(try dropped["content"]?.integer("id") == 19)
    #expect(try tally(demo) == [11, 0, 0, 288, 1])
    #expect(try demo.cli("quarantine", "count").output == "1\n")
  }

  @Test func `Without a store nothing is made`() throws {
    let demo = try Demo()
    let before = try demo.files()
    for command in ["retry", "drop"] {
      #expect(try demo.cli("quarantine", command, Self.id).status == 1)
    }
    #expect(try demo.cli("quarantine", "drop", Self.id, "--yes").status == 1)
    #expect(try demo.files() == before)
  }
}
