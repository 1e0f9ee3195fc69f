import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct HostileJourneys {
  /// Expects a sentence with a remedy, nothing on standard output, and an exit that says so.
  private func expectRefusal(
    _ outcome: Tool.Outcome, mentions: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 1 || outcome.status == 78, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    #expect(outcome.errors.hasPrefix("error: "), sourceLocation: sourceLocation)
    #expect(outcome.errors.contains("\n  → "), sourceLocation: sourceLocation)
    #expect(outcome.errors.contains(mentions), "\(outcome)", sourceLocation: sourceLocation)
  }

  @Test(arguments: ["ferry.yaml", "roadmap.yaml"])
  func `Without a configuration file nothing begins`(name: String) throws {
    let demo = try Demo()
    try FileManager.default.removeItem(atPath: demo.folder.path(name))
    for arguments in [["migrate"], ["status"], ["item", "list"]] {
      let outcome = try demo.run(Tool.cli, arguments, [:])
      expectRefusal(outcome, mentions: name)
      #expect(outcome.status == 78)
    }
    #expect(try demo.worker().status == 78)
    #expect(!demo.exists("store"))
  }

  @Test func `A configuration file that is a folder, or no text, is said to be that`() throws {
    let demo = try Demo()
    let roadmap = try demo.text("roadmap.yaml")
    try Data([0xff, 0xfe, 0x00]).write(to: demo.folder.url.appendingPathComponent("roadmap.yaml"))
    expectRefusal(try demo.cli("migrate"), mentions: "roadmap.yaml")
    try demo.write(roadmap, to: "roadmap.yaml")
    try FileManager.default.removeItem(atPath: demo.folder.path("ferry.yaml"))
    try demo.folder.makeFolder("ferry.yaml")
    expectRefusal(try demo.cli("migrate"), mentions: "ferry.yaml")
  }

  @Test(arguments: ["al/ice", "a:b", "..", ".", "a\\u0000b", "a\\u001bb", "a\\nb", "", "  "])
  func `A name that no account can have is refused with its place`(name: String) throws {
    let demo = try Demo()
    try demo.replace("user: alice", with: "user: \"\(name)\"", in: "ferry.yaml")
    let before = try #require(demo.text("ferry.yaml").components(separatedBy: "user: ").first)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false).count
    let outcome = try demo.cli("migrate")
    expectRefusal(outcome, mentions: "ferry.yaml:\(line):35: ")
    #expect(outcome.status == 78)
    #expect(!outcome.errors.contains("..\n"), "\(outcome)")
    #expect(!outcome.errors.contains("\u{1b}"))
    #expect(!demo.exists("store"))
  }

  @Test
  func `A legacy file that isn't there, is a folder or is no Realm file stops everything before it begins`()
    throws
  {
    let demo = try Demo()
    let url = demo.folder.url.appendingPathComponent("bob.realm")
    try FileManager.default.removeItem(at: url)
    expectRefusal(try demo.cli("migrate"), mentions: "bob.realm")
    try demo.folder.makeFolder("bob.realm")
    expectRefusal(try demo.cli("migrate"), mentions: "bob.realm")
    try FileManager.default.removeItem(at: url)
    try Data(repeating: 0x41, count: 9000).write(to: url)
    expectRefusal(try demo.cli("migrate"), mentions: "Realm")
    try Data().write(to: url)
    expectRefusal(try demo.cli("migrate"), mentions: "empty")
    #expect(!demo.exists("store"))
  }

  @Test func `A store folder that is a file is left alone`() throws {
    let demo = try Demo()
    try demo.write("mine", to: "store")
    for arguments in [["migrate"], ["status"], ["item", "list"], ["account", "list"]] {
      expectRefusal(try demo.run(Tool.cli, arguments, [:]), mentions: "store")
    }
    expectRefusal(try demo.worker(), mentions: "store")
    #expect(try demo.text("store") == "mine")
  }

  @Test func `A file that is no database, or a folder, in the store's place is left alone`() throws {
    let demo = try Demo()
    try demo.folder.makeFolder("store")
    let noise = String(repeating: "no database ", count: 1000)
    try demo.write(noise, to: "store/ferry.sqlite")
    for arguments in [["migrate"], ["status"], ["item", "list"], ["account", "use", "bob"]] {
      expectRefusal(try demo.run(Tool.cli, arguments, [:]), mentions: "ferry.sqlite")
    }
    expectRefusal(try demo.worker(), mentions: "ferry.sqlite")
    #expect(try demo.text("store/ferry.sqlite") == noise)
    try FileManager.default.removeItem(atPath: demo.folder.path("store/ferry.sqlite"))
    try demo.folder.makeFolder("store/ferry.sqlite")
    expectRefusal(try demo.cli("migrate"), mentions: "ferry.sqlite")
  }

  @Test func `A store that was begun and never filled counts as none, and the crossing fills it`() throws {
    let demo = try Demo()
    try demo.folder.makeFolder("store")
    try demo.write("", to: "store/ferry.sqlite")
    #expect(try demo.cli("status", "--json").json["store"]?.isNull == true)
    #expect(try demo.cli("item", "list").status == 1)
    #expect(try demo.worker().status == 5)
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }

  @Test func `A damaged store is a sentence, not a crash`() throws {
    let demo = try Demo.migrated()
    let url = demo.folder.url.appendingPathComponent("store/ferry.sqlite")
    var bytes = try Data(contentsOf: url)
    // All but the header that says what the file is.
    for index in 100..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try bytes.write(to: url)
    for name in ["-wal", "-shm"] where demo.exists("store/ferry.sqlite\(name)") {
      try FileManager.default.removeItem(atPath: demo.folder.path("store/ferry.sqlite\(name)"))
    }
    for arguments in [
      ["migrate"], ["status"], ["item", "list"], ["account", "list"], ["account", "use", "bob"],
    ] {
      expectRefusal(try demo.run(Tool.cli, arguments, [:]), mentions: "damaged")
    }
    expectRefusal(try demo.worker(), mentions: "damaged")
  }

  @Test func `Names that would drive a terminal are shown, not obeyed, and JSON has them as they are`() throws
  {
    let demo = try Demo.migrated()
    let name = "\u{1b}]0;owned\u{7}\n\u{202e}gnp.exe"
    let record = JSONValue.object(["name": .string(name), "type": "primary", "sortOrder": 1] as JSONObject)
    try demo.append(
      #"{"id":"i9","revision":1001,"record":\#(try record.text())}"#, to: "remote/alice/folders.ndjson")
    #expect(try demo.worker().status == 0)
    for arguments in [["folder", "list"], ["folder", "show", "i9"]] {
      let output = try demo.run(Tool.cli, arguments, [:]).output
      #expect(output.contains("owned"))
      for scalar in ["\u{1b}", "\u{7}", "\u{202e}"] { #expect(!output.contains(scalar)) }
    }
    let row = try demo.cli("folder", "show", "i9", "--json").json["row"]
    #expect(row?["name"]?.stringValue?.utf8.elementsEqual(name.utf8) == true)
  }
}

extension GoldenFolder {
  /// Makes a folder in the folder.
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }
}
