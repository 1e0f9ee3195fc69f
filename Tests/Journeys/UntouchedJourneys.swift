import Composition
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

/// What can't be read or mustn't be used is named, and stays as it is byte by byte: legacy files and store.
@Suite(.waitsOnThreads) struct UntouchedJourneys {
  /// A crossing that waits before its third domain, for a server that isn't there.
  private func begun() throws -> Demo {
    let demo = try Demo()
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    return demo
  }

  /// Expects that nothing changes but what is written down of the failure.
  private func expectRefusal(
    _ demo: Demo, code: String? = nil, mentions: String, exit: Int32 = 1, comparingStore: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation, run: (Demo) throws -> Tool.Outcome
  ) throws {
    let isLegacy = { (name: String) in name.hasSuffix(".realm") }
    let files = try demo.files().filter { isLegacy($0.key) }
    let tables = comparingStore ? try? demo.content() : nil
    let outcome = try run(demo)
    #expect(outcome.status == exit, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    let error = try outcome.errorAfterProgress
    if let code { #expect(try error.text("code") == code, sourceLocation: sourceLocation) }
    #expect(try error.text("message").contains(mentions), "\(outcome)", sourceLocation: sourceLocation)
    #expect(try !error.text("remedy").isEmpty, sourceLocation: sourceLocation)
    #expect(try demo.files().filter { isLegacy($0.key) } == files, sourceLocation: sourceLocation)
    if let tables {
      let after = try demo.content()
      for (name, rows) in tables where name != "kernel_journal" {
        #expect(after[name] == rows, "\(name)", sourceLocation: sourceLocation)
      }
    }
  }

  private func migrate(_ demo: Demo) throws -> Tool.Outcome { try demo.cli("migrate", "--json") }

  @Test(arguments: [true, false])
  func `A store that a newer build made is refused by name, with both versions`(isOver: Bool) async throws {
    let demo = isOver ? try Demo.migrated() : try begun()
    let ferry = try Ferry(folder: demo.folder.path)
    let newer = Schema(owner: "bookmark", tables: [Shelf.table.declaration])
    let store = try Store.open(
      at: URL(fileURLWithPath: ferry.storePath),
      schemas: ferry.plan.schemas(rooms: [Journal.schema, SyncTables.schema]) + [newer],
      dormant: Set(ferry.plan.off.map(\.name)))
    await store.close()
    let before = try demo.files()
    for arguments in [["migrate"], ["status"], ["item", "list"]] {
      try expectRefusal(demo, code: "store.newer", mentions: "bookmark") {
        try $0.run(Tool.cli, arguments + ["--json"], [:])
      }
    }
    #expect(
      try demo.files().filter { $0.key == "store/ferry.sqlite" }
        == before.filter { $0.key == "store/ferry.sqlite" })
  }

  @Test func `An edited step that is done is refused by name`() throws {
    let demo = try begun()
    try demo.replace("searched-at: searchedAt", with: "searched-at: query", in: "roadmap.yaml")
    try expectRefusal(demo, code: "kernel.editedStep", mentions: "search-history", exit: 78, run: migrate)
  }

  @Test func `An encrypted file is named as that, before and in the middle of a crossing`() throws {
    for demo in [try Demo(), try begun()] {
      let encrypted = try Data(contentsOf: RealmDesk.fixture("encrypted/tiny-encrypted.realm"))
      try encrypted.write(to: demo.folder.url.appendingPathComponent("bob.realm"))
      try expectRefusal(demo, mentions: "bob.realm", exit: 78, run: migrate)
      #expect(try migrate(demo).errorAfterProgress.text("message").contains("encrypted"))
      #expect(!demo.exists("store") || demo.exists("away"))
    }
  }

  @Test func `A damaged file is named, before and in the middle of a crossing`() throws {
    for demo in [try Demo(), try begun()] {
      let url = demo.folder.url.appendingPathComponent("alice.realm")
      var bytes = try Data(contentsOf: url)
      for index in 24..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
      try bytes.write(to: url)
      try expectRefusal(demo, mentions: "alice.realm", run: migrate)
    }
  }

  @Test func `A file that was exchanged in the middle of a crossing is named, and put back it goes on`()
    throws
  {
    let demo = try begun()
    try demo.move("away", to: "remote")
    let url = demo.folder.url.appendingPathComponent("bob.realm")
    let original = try Data(contentsOf: url)
    try Data(contentsOf: demo.folder.url.appendingPathComponent("alice.realm")).write(to: url)
    // The server has sent the folders by the time that the files are looked at again.
    for isSecond in [false, true] {
      try expectRefusal(demo, mentions: "bob.realm", comparingStore: isSecond, run: migrate)
    }
    try original.write(to: url)
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }

  @Test(.enabled(if: Unprivileged.isPossible, "needs to be no root, or setpriv"))
  func `A file that may not be read is named, and once it may, the crossing goes on`() throws {
    for demo in [try Demo(), try begun()] {
      let path = demo.folder.path("bob.realm")
      let isBegun = demo.exists("store")
      if isBegun { try demo.move("away", to: "remote") }
      let bytes = try demo.files()["bob.realm"]
      #expect(chmod(path, 0o000) == 0)
      let outcome = try Unprivileged.run(["migrate", "--json"], in: demo)
      #expect(chmod(path, 0o644) == 0)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(try outcome.errorAfterProgress.text("message").contains("bob.realm"))
      #expect(try outcome.errorAfterProgress.text("message").contains("ermission"))
      #expect(try demo.files()["bob.realm"] == bytes)
      #expect(demo.exists("store") == isBegun)
      #expect(try demo.cli("migrate").status == 0)
      #expect(try demo.content() == Demo.straight())
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, "needs to be no root, or setpriv"))
  func `A store that may not be read is named, and stays`() throws {
    let demo = try Demo.migrated()
    let path = demo.folder.path("store/ferry.sqlite")
    let bytes = try demo.files()["store/ferry.sqlite"]
    #expect(chmod(path, 0o000) == 0)
    let outcome = try Unprivileged.run(["migrate", "--json"], in: demo)
    #expect(chmod(path, 0o600) == 0)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(try outcome.errorAfterProgress.text("message").contains("ferry.sqlite"))
    #expect(try demo.files()["store/ferry.sqlite"] == bytes)
  }
}

/// Runs of the tools that permissions hold for: root's pass over them, unless it gives that up.
private enum Unprivileged {
  static let isPossible = Result { try tool().run(["--version"], in: "/").status == 0 }.isSuccess

  static func run(_ arguments: [String], in demo: Demo) throws -> Tool.Outcome {
    try tool().run(arguments, in: demo.folder.path)
  }

  private static func tool() throws -> Unprivileged.Runner {
    let path = try Tool(Tool.cli).path
    return geteuid() == 0
      ? Runner(
        tool: Tool(path: "/usr/bin/env"),
        before: ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all", path])
      : Runner(tool: Tool(path: path), before: [])
  }

  private struct Runner {
    let tool: Tool
    let before: [String]

    func run(_ arguments: [String], in folder: String) throws -> Tool.Outcome {
      try tool.run(before + arguments, in: folder)
    }
  }
}

extension Tool.Outcome {
  /// The error, behind the progress of what had crossed before.
  fileprivate var errorAfterProgress: JSONValue {
    get throws {
      let document = errors.drop { $0 != "{" }
      return try Tool.Outcome(status: status, output: output, errors: String(document)).error
    }
  }
}

extension Result where Success == Bool {
  fileprivate var isSuccess: Bool { if case .success(true) = self { true } else { false } }
}
