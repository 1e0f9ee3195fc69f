import FerryKernel
import FerryStore
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite(.waitsOnThreads) struct MigrateInitJourneys {
  @Test func `A first roadmap maps the demo as its own does, but for what only a person knows`() throws {
    let demo = try Demo()
    let committed = try demo.text("roadmap.yaml")
    try demo.move("roadmap.yaml", to: "committed.yaml")
    let outcome = try demo.cli("migrate", "init", "alice.realm")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.lines.first == "Wrote ./roadmap.yaml.")
    #expect(outcome.output.contains("Every field that a domain must have has a property."))
    #expect(
      outcome.output.contains("No property looked like these, which may be left out: item.folder-row.\n"))
    let lines = try demo.text("roadmap.yaml").split(separator: "\n").map {
      $0.split(separator: "#")[0].trimmed
    }
    // That the number of a folder's row is called a container's nobody can guess.
    let beyond = ["folder-row: containerRowID"]
    for line in committed.split(separator: "\n").map({
      $0.split(separator: "#", omittingEmptySubsequences: false)[0].trimmed
    })
    where line.contains(": ") && !["strategy", "preserve"].contains(where: line.hasPrefix) {
      #expect(lines.contains(line) != beyond.contains(line), "\(line)")
    }
    let marked = try Roadmap.parse(text: demo.text("roadmap.yaml")).steps.filter(\.isCore)
    #expect(
      try marked.map(\.domain.value)
        == Roadmap.parse(text: committed).steps.filter(\.isCore).map(\.domain.value))
    // It is a roadmap: the dry run takes it, and the crossing comes to its end.
    #expect(try demo.cli("migrate", "--dry-run").status == 0)
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.cli("status", "--json").json["over"]?.boolValue == true)
  }

  @Test func `It finds an item's folder by the class that the link leads to`() throws {
    let demo = try Demo()
    try demo.move("roadmap.yaml", to: "committed.yaml")
    let outcome = try demo.cli("migrate", "init", "alice.realm", "--json")
    #expect(try outcome.json.list("leftOut") == [.string("item.folder-row")])
    #expect(try demo.text("roadmap.yaml").contains("\n          folder: container\n"))
    #expect(try demo.cli("migrate").status == 0)
    let content = try demo.content()
    let place = try #require(Item.table.declaration.columns.firstIndex { $0.name == "folder" })
    let filed = try #require(content["alice@home/item"]).map { $0[place] }.filter { $0 != .null }
    let folders = try #require(content["alice@home/folder"]).map { $0[0] }
    #expect(filed.count > 20 && filed.allSatisfy(folders.contains))
  }

  @Test func `It overwrites nothing`() throws {
    let demo = try Demo()
    let before = try demo.files()
    let refused = try demo.cli("migrate", "init", "alice.realm")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("./roadmap.yaml exists."))
    #expect(try demo.files() == before)
    #expect(try demo.cli("migrate", "init", "alice.realm", "--output", "first.yaml").status == 0)
    #expect(try demo.files().filter { $0.key != "first.yaml" } == before)
    #expect(try demo.cli("migrate", "init", "alice.realm", "--output", "first.yaml").status == 1)
    #expect(try demo.cli("migrate", "init", "alice.realm", "-o", "no/such/folder.yaml").status == 1)
  }

  @Test func `Gaps are told as the check tells them`() throws {
    let demo = try Demo()
    let fixture = Golden.repository.appendingPathComponent("Tests/Fixtures/realm/formats/format-24.realm")
      .path
    let outcome = try demo.cli("migrate", "init", fixture, "--output", "first.yaml", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let gaps = try outcome.json.list("gaps").compactMap(\.stringValue)
    #expect(gaps.allSatisfy { $0.hasPrefix("first.yaml:") && $0.contains("'?'") })
    let text = try demo.text("first.yaml")
    #expect(gaps.isEmpty == !text.dropFirst(200).contains("\"?\""))
  }

  @Test func `A file that is none, or has no class, is refused, and nothing is written`() throws {
    let demo = try Demo()
    let before = try demo.files()
    let blank = Golden.folder.appendingPathComponent("blank.realm").path
    for file in ["ferry.yaml", "missing.realm", blank] {
      let outcome = try demo.cli("migrate", "init", file, "--output", "first.yaml")
      #expect(outcome.status == 1, "\(file) \(outcome)")
      #expect(outcome.errors.hasPrefix("error: "))
    }
    #expect(try demo.files() == before)
  }

  @Test func `Files may bear their account's name`() throws {
    let demo = try Demo()
    let text = try demo.text("ferry.yaml")
    let start = try #require(text.firstRange(of: "legacy:\n"))
    let end = try #require(text.firstRange(of: "# An account names"))
    let pattern = "legacy:\n  - file: '*.realm'\n    account: {server: home, user-from: file-name}\n\n"
    try demo.write(text[..<start.lowerBound] + pattern + String(text[end.lowerBound...]), to: "ferry.yaml")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first == " " { rest = rest.dropFirst() }
    while rest.last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}
