import FerryKernel
import TestKit
import Testing

@Suite(.waitsOnThreads) struct OpenJourneys {
  @Test func `A link shows its folder, and its item, for a person and for a script`() throws {
    let demo = try Demo.migrated()
    let link = "ferry://alice@home/folder/i1/item/i7"
    let document = try demo.cli("open", link, "--json").json
    #expect(document["version"]?.integerValue == 1 && document["link"]?.stringValue == link)
    #expect(document["account"]?.stringValue == "alice@home")
    #expect(document["folder"]?["name"]?.stringValue == "alice inbox")
    #expect(document["item"]?["id"]?.stringValue == "i7")
    let folder = try demo.cli("open", "FERRY://alice@home/folder/i1", "--json").json
    #expect(folder["item"]?.isNull == true && folder["folder"]?["id"]?.stringValue == "i1")
    let table = try demo.cli("open", link)
    #expect(
      table.status == 0 && table.output.contains("alice inbox") && table.output.contains("groceries notes"))
    // It only looks.
    #expect(try demo.cli("item", "show", "i7", "--json").json["row"]?["is_read"]?.boolValue == true)
  }

  private static let refusals: [(link: String, code: String, status: Int32)] = [
    ("http://alice@home/folder/i1", "screen.malformedLink", 64),
    ("ferry://alice@home/folder/-1", "screen.malformedLink", 64),
    ("ferry://alice@home/folder/i1?x", "screen.malformedLink", 64),
    ("ferry://carol@home/folder/i1", "screen.unknownAccount", 1),
    ("ferry://bob@home/folder/i1", "screen.otherAccount", 1),
    ("ferry://alice@home/folder/none", "screen.unknownFolder", 1),
    ("ferry://alice@home/folder/i1/item/none", "screen.unknownItem", 1),
    ("ferry://alice@home/folder/i-7/item/i7", "screen.unknownItem", 1),
    ("ferry://alice@home/folder/%01drafts", "screen.unknownFolder", 1),
  ]

  @Test func `A link that leads nowhere is refused with the reason`() throws {
    let demo = try Demo.migrated()
    for (link, code, status) in Self.refusals {
      let outcome = try demo.cli("open", link, "--json")
      #expect(outcome.status == status && outcome.output.isEmpty, "\(link): \(outcome)")
      #expect(try outcome.error.text("code") == code, "\(link)")
      #expect(try !outcome.error.text("remedy").isEmpty)
    }
  }

  @Test func `An account that was switched to has its links followed`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.cli("account", "use", "bob").status == 0)
    #expect(try demo.cli("open", "ferry://bob@home/folder/i1").status == 0)
    #expect(try demo.cli("open", "ferry://alice@home/folder/i1").status == 1)
  }

  @Test func `During a crossing nothing is gone to`() throws {
    let demo = try Demo()
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    let outcome = try demo.cli("open", "ferry://alice@home/folder/i1", "--json")
    #expect(outcome.status == 5)
    #expect(try outcome.error.text("code") == "screen.crossing")
    #expect(try demo.cli("open", "ferry://alice@home/folder/i1", "--config", "nowhere").status == 78)
  }
}
