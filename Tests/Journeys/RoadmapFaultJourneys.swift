import FerryKernel
import TestKit
import Testing

@Suite(.waitsOnThreads) struct RoadmapFaultJourneys {
  @Test(arguments: RoadmapFault.all)
  func `One clear error says where the roadmap is wrong, and nothing is written`(fault: RoadmapFault) throws {
    let demo = try Demo()
    let text = try fault.edit(demo.text("roadmap.yaml"))
    try demo.write(text, to: "roadmap.yaml")
    let before = try demo.files()
    let outcome = try demo.cli("migrate")
    #expect(outcome.status == 78)
    #expect(outcome.output.isEmpty)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("error: \(try fault.position(in: text)): ") == true, "\(outcome)")
    #expect(lines.first?.contains(fault.mentions) == true)
    #expect(lines.count == 2)
    #expect(lines.last?.hasPrefix("  → ") == true)
    #expect(try demo.files() == before)
  }

  @Test(arguments: RoadmapFault.all)
  func `A script gets the same as one JSON document`(fault: RoadmapFault) throws {
    let demo = try Demo()
    try demo.write(try fault.edit(demo.text("roadmap.yaml")), to: "roadmap.yaml")
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 78)
    #expect(outcome.output.isEmpty)
    #expect(try outcome.error.text("code") == fault.code)
    #expect(try !outcome.error.text("remedy").isEmpty)
  }

  @Test(arguments: ["migrate --dry-run", "roadmap", "status", "item list", "account list"])
  func `Every command refuses a wrong roadmap`(command: String) throws {
    let demo = try Demo()
    try demo.replace("domain: attachment", with: "domain: atachment", in: "roadmap.yaml")
    let before = try demo.files()
    let outcome = try demo.run(Tool.cli, command.split(separator: " ").map(String.init), [:])
    #expect(outcome.status == 78)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("'attachment'"))
    #expect(try demo.files() == before)
  }

  @Test func `The worker refuses a wrong roadmap`() throws {
    let demo = try Demo()
    try demo.replace("strategy: resync", with: "strategy: resinc", in: "roadmap.yaml")
    let outcome = try demo.worker()
    #expect(outcome.status == 78)
    #expect(outcome.output.isEmpty)
    #expect(!demo.exists("store"))
  }

  @Test func `Several faults are told at once`() throws {
    let demo = try Demo()
    try demo.replace("domain: attachment", with: "domain: atachment", in: "roadmap.yaml")
    try demo.replace("domain: setting", with: "domain: seting", in: "roadmap.yaml")
    let outcome = try demo.cli("migrate")
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("'setting'"))
    #expect(outcome.errors.contains("'attachment'"))
  }

  @Test func `A step that is done is frozen, and one that is done can't be turned off`() throws {
    let demo = try Demo.migrated()
    let roadmap = try demo.text("roadmap.yaml")
    let before = try demo.content()
    try demo.replace("mime-type: mimeType", with: "mime-type: fileName", in: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 78)
    try demo.write(roadmap, to: "roadmap.yaml")
    try demo.replace(
      "domain: attachment\n", with: "domain: attachment\n    enabled: false\n", in: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 78)
    try demo.write(roadmap, to: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == before)
  }
}
