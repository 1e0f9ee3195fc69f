import FerryKernel
import Foundation
import TestKit
import Testing

/// One user on two servers, with the very same rows under the very same keys.
@Suite(.waitsOnThreads) struct `Two accounts with the same ids on two servers` {
  private static let key = "att-474f960f-92d2-42ff-f20a-4ff883cdffda"

  private let demo: Demo

  init() throws {
    demo = try Demo()
    try FileManager.default.copyItem(
      atPath: demo.folder.path("alice.realm"), toPath: demo.folder.path("twin.realm"))
    try FileManager.default.copyItem(atPath: demo.folder.path("remote"), toPath: demo.folder.path("twin"))
    try demo.replace("file: bob.realm", with: "file: twin.realm", in: "ferry.yaml")
    try demo.replace("{server: home, user: bob}", with: "{server: work, user: alice}", in: "ferry.yaml")
    try demo.append("  work:\n    directory: twin", to: "ferry.yaml")
    let outcome = try demo.cli("migrate")
    guard outcome.status == 0 else { throw GoldenFault("migrate failed: \(outcome)") }
  }

  /// What one account's commands print, without its name and without where its files are.
  private func print(of account: String) throws -> [String] {
    let commands = [
      ["folder", "tree"], ["item", "list", "-n", "1000"], ["item", "list", "--unread", "--attached"],
      ["item", "search", "장보기", "-n", "1000"], ["item", "count", "--starred"], ["item", "show", "i28"],
      ["draft", "list"], ["attachment", "list", "-n", "100"], ["attachment", "show", Self.key],
      ["setting", "list"], ["setting", "known"], ["history", "recent"], ["history", "suggest", "a"],
      ["log", "export"],
    ]
    return try commands.map { command in
      let outcome = try demo.run(Tool.cli, command + ["-a", account], [:])
      guard outcome.status == 0 else { throw GoldenFault("\(command): \(outcome)") }
      return outcome.output.replacing(account, with: "")
    }
  }

  @Test func `have the same, and whatever is done to one is nothing to the other`() throws {
    let other = try print(of: "alice@work")
    #expect(try print(of: "alice@home") == other)
    try demo.write("mine", to: "own.txt")
    let changes = [
      ["folder", "create", "new"], ["folder", "rename", "i6", "other"], ["folder", "move", "i6", "--to-top"],
      ["item", "mark", "--all", "--read"], ["item", "star", "i28"], ["item", "tag", "i28", "--add", "tag"],
      ["item", "move", "i28", "--out"], ["attachment", "add", "own.txt", "-i", "i28"],
      ["attachment", "open", Self.key], ["attachment", "evict", "-b", "0"], ["item", "delete", "202"],
      ["folder", "delete", "i6", "--with-contents"], ["attachment", "orphans", "--remove"],
      ["draft", "new", "--title", "new"], ["setting", "set", "new", "value"], ["setting", "reset", "theme"],
      ["history", "clear"], ["history", "record", "new"],
    ]
    for change in changes {
      let outcome = try demo.run(Tool.cli, change + ["-a", "alice@home"], [:])
      #expect(outcome.status == 0, "\(change): \(outcome)")
    }
    #expect(try print(of: "alice@work") == other)
    #expect(try demo.cli("item", "count", "-a", "alice@home").output != "301\n")
    let twin = try demo.files().filter { $0.key.hasPrefix("twin/") }
    #expect(try demo.worker("--account", "alice@home").status == 0)
    #expect(try demo.files().filter { $0.key.hasPrefix("twin/") } == twin)
    #expect(try print(of: "alice@work") == other)
  }

  @Test func `have files of their own, though the content is one`() throws {
    let mine = try demo.cli("attachment", "open", Self.key, "-a", "alice@home", "--json").json.text("path")
    let theirs = try demo.cli("attachment", "open", Self.key, "-a", "alice@work", "--json").json.text("path")
    #expect(mine != theirs)
    #expect(try demo.cli("attachment", "remove", Self.key, "-a", "alice@work").status == 0)
    #expect(!FileManager.default.fileExists(atPath: theirs))
    #expect(FileManager.default.fileExists(atPath: mine))
    #expect(try demo.cli("attachment", "verify", "-a", "alice@home", "--json").json.integer("files") == 1)
  }

  @Test(arguments: ["item", "folder", "log"])
  func `aren't guessed between where only the user is said`(table: String) throws {
    let outcome = try demo.run(Tool.cli, [table, table == "log" ? "export" : "list", "-a", "alice"], [:])
    #expect(outcome.status != 0 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("alice@home") && outcome.errors.contains("alice@work"))
  }
}
