import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct RealmSalvageJourneys {
  /// A file whose active snapshot can't be found.
  private func lostTop() throws -> RealmDesk {
    let desk = try RealmDesk("app/alice")
    try desk.change("alice.realm") { bytes in
      let slot = Int(bytes[23] & 1) * 8
      for index in slot..<slot + 8 { bytes[index] = 0x7F }
    }
    return desk
  }

  @Test func `A damaged file gives what is left of it, says what is lost, and that it is not all`() throws {
    let desk = try lostTop()
    let refused = try desk.run("export", "alice.realm", "--ndjson")
    #expect(refused.status == 12)
    #expect(refused.errors.contains("--salvage reads what is left."))
    let outcome = try desk.run("export", "alice.realm", "--sqlite", "out.db", "--salvage", "--json")
    #expect(outcome.status == 3)
    let salvage = try #require(try outcome.json["salvage"])
    #expect(salvage["complete"]?.boolValue == false)
    #expect(try salvage.integer("rows") > 0)
    #expect(outcome.errors.contains("salvage: "))
    #expect(try desk.names() == ["alice.realm", "out.db"])
    #expect(try desk.run("info", "alice.realm", "--salvage").status == 3)
    #expect(try desk.run("schema", "alice.realm", "--salvage").status == 3)
  }

  @Test func `A whole file is salvaged whole`() throws {
    let desk = try RealmDesk("app/alice")
    let outcome = try desk.run("export", "alice.realm", "--json", "--salvage")
    #expect(outcome.status == 0)
    #expect(Data(outcome.output.utf8) == (try Data(contentsOf: RealmDesk.fixture("app/alice.json"))))
    #expect(outcome.errors.contains("salvage: nothing is lost."))
  }

  @Test func `An encrypted page that isn't authentic is read, and counted`() throws {
    let desk = try RealmDesk("encrypted/tiny-encrypted-writecopy")
    let file = "tiny-encrypted-writecopy.realm"
    try desk.change(file) { $0[20 * 4096 + 100] ^= 1 }
    #expect(try desk.run("export", file, "--ndjson", "--key-file", RealmDesk.key).status == 12)
    let outcome = try desk.run(
      "export", file, "--ndjson", "out", "--salvage", "--json", "--key-file", RealmDesk.key)
    #expect(outcome.status == 3)
    #expect(try outcome.json["salvage"]?.integer("unauthenticPages") == 1)
    #expect(try outcome.json.integer("rows") > 150)
  }

  @Test func `Nothing is left of some files, and salvage says so`() throws {
    let desk = try RealmDesk("app/alice")
    try desk.change("alice.realm") { $0 = Array($0[..<24]) }
    let outcome = try desk.run("export", "alice.realm", "--json", "--salvage")
    #expect(outcome.status == 12)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errors.contains("--salvage"))
  }
}
