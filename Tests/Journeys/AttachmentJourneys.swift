import Composition
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct `Attachments at the command line` {
  private static let key = "att-474f960f-92d2-42ff-f20a-4ff883cdffda"

  private let demo: Demo

  init() throws { demo = try Demo.migrated() }

  private func entry(_ key: String = key) throws -> JSONValue {
    try #require(try demo.cli("attachment", "show", "--json", "--", key).json["row"])
  }

  @Test func `A legacy attachment is fetched from the server when it is opened, and once`() throws {
    #expect(try entry().text("state") == "remote")
    let opened = try demo.cli("attachment", "open", Self.key)
    #expect(opened.status == 0, "\(opened)")
    let path = try #require(opened.lines.first.map(String.init))
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("회의록\n"))
    #expect(path.hasPrefix(URL(fileURLWithPath: demo.folder.path("store/attachments")).path))
    #expect(try entry().text("state") == "local")
    try demo.move("remote/alice/blobs", to: "elsewhere")
    let again = try demo.cli("attachment", "open", Self.key, "--json").json
    #expect(try again.text("path") == path)
    #expect(try again.text("account") == "alice@home")
  }

  @Test func `One of which the server holds no file says so, and it is no crash of the list`() throws {
    let rows = try demo.cli("attachment", "list", "--limit", "100", "--json").json.list("rows")
    #expect(rows.count == 60)
    let other = try #require(try rows.map { try $0.text("id") }.first { !$0.contains("474f960f") })
    let opened = try demo.cli("attachment", "open", "--json", "--", other)
    #expect(opened.status == 1)
    #expect(try opened.error.text("code") == "attachment.noFile")
    #expect(try demo.cli("attachment", "list", "--item", "202").output.contains("회의록.bin"))
    #expect(try demo.cli("attachment", "list", "--item", "no-such").status == 1)
  }

  @Test func `A file is added, listed with its item, sent, evicted, and comes back`() throws {
    try demo.write("my own words", to: "own.txt")
    let added = try demo.cli("attachment", "add", "own.txt", "--item", "202", "--json")
    #expect(added.status == 0, "\(added)")
    let key = try #require(try added.json["row"]?.text("id"))
    #expect(try entry(key).text("mime_type") == "text/plain")
    #expect(try demo.cli("attachment", "list", "--item", "202").output.contains("own.txt"))
    #expect(try demo.cli("attachment", "evict", "--budget", "0", "--json").json.integer("files") == 0)
    let waiting = try demo.cli("attachment", "send", "--json").json.list("files")
    #expect(try waiting.map { try $0.text("outcome") } == ["waiting"])
    #expect(try demo.cli("attachment", "open", "--", key).status == 0)
    #expect(try demo.cli("attachment", "verify").output.contains("Read 1 file;"))
    #expect(try demo.cli("attachment", "remove", "--", key).status == 0)
    #expect(try demo.cli("attachment", "show", "--", key).status == 1)
    #expect(try demo.cli("attachment", "orphans", "--json").json.list("files").isEmpty)
  }

  @Test func `A copy is saved under a name that is safe, and nothing is overwritten`() throws {
    let saved = try demo.cli("attachment", "save", Self.key, "--to", ".")
    #expect(saved.status == 0, "\(saved)")
    #expect(try demo.text("회의록.bin").hasPrefix("회의록\n"))
    let again = try demo.cli("attachment", "save", Self.key, "--json")
    #expect(again.status == 1)
    #expect(try again.error.text("code") == "attachment.exists")
    #expect(try demo.cli("attachment", "save", Self.key, "--to", "other").status == 0)
    #expect(try demo.text("other") == demo.text("회의록.bin"))
  }

  @Test func `What was damaged is found, repaired and fetched again; strays are found and removed`() throws {
    let path = try demo.cli("attachment", "open", Self.key, "--json").json.text("path")
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
    let found = try demo.cli("attachment", "verify", "--json")
    #expect(found.status == 3)
    #expect(try found.json.list("faults").map { try $0.text("fault") } == ["damaged"])
    #expect(try demo.cli("attachment", "verify").status == 3)
    #expect(try demo.cli("attachment", "verify", "--repair").status == 0)
    #expect(try entry().text("state") == "remote")
    #expect(try demo.cli("attachment", "open", Self.key).status == 0)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try Data("stray".utf8).write(to: folder.appendingPathComponent("stray"))
    #expect(try demo.cli("attachment", "orphans").output.contains("stray"))
    #expect(try demo.cli("attachment", "orphans", "--remove").status == 0)
    #expect(
      try demo.cli("attachment", "orphans").output
        == "Every file has its attachment, and every attachment its file.\n")
  }

  @Test func `Two accounts' files don't meet`() throws {
    let mine = try demo.cli("attachment", "open", Self.key, "--json").json.text("path")
    #expect(try demo.cli("attachment", "open", Self.key, "--account", "bob").status == 1)
    let theirs = try demo.cli(
      "attachment", "open", "att-368a82a8-82c6-aca9-55f9-d0bd1a11bc27", "--account", "bob", "--json"
    ).json.text("path")
    #expect(
      URL(fileURLWithPath: mine).deletingLastPathComponent()
        != URL(fileURLWithPath: theirs).deletingLastPathComponent())
    #expect(try demo.cli("attachment", "evict", "--budget", "0", "--json").json.integer("files") == 1)
    #expect(FileManager.default.fileExists(atPath: theirs))
  }

  @Test func `The folder that goes with an account is the one that its files are in`() throws {
    let path = try demo.cli("attachment", "open", Self.key, "--json").json.text("path")
    let folder = try Ferry(folder: demo.folder.path).blobFolder(of: AccountID("alice@home"))
    #expect(URL(fileURLWithPath: path).deletingLastPathComponent().path == URL(fileURLWithPath: folder).path)
  }

  @Test(arguments: [
    ["open", "no-such"], ["save", "no-such"], ["remove", "no-such"], ["add", "no-such", "--item", "202"],
  ])
  func `What isn't there is a sentence`(command: [String]) throws {
    let outcome = try demo.run(Tool.cli, ["attachment"] + command, [:])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("no-such"))
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [["evict", "--budget", "-1"], ["evict", "--budget", "much"], ["add", "x"], ["open"]])
  func `What is said wrongly is usage`(command: [String]) throws {
    #expect(try demo.run(Tool.cli, ["attachment"] + command, [:]).status == 64)
  }

  @Test func `Before the crossing nothing is made`() throws {
    let fresh = try Demo()
    for command in [["open", Self.key], ["evict"], ["verify"], ["list"]] {
      let outcome = try fresh.run(Tool.cli, ["attachment"] + command, [:])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("app-cli migrate"))
    }
    #expect(!fresh.exists("store"))
  }
}
