import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct UsageJourneys {
  @Test func `Help names every command, fits a terminal and needs no configuration`() throws {
    let empty = try GoldenFolder()
    let help = try Tool(Tool.cli).run(["--help"], in: empty.path)
    #expect(help.status == 0)
    #expect(help.errors.isEmpty)
    let commands = [
      "roadmap", "migrate", "status", "sync", "account", "search-history", "setting", "folder", "item",
      "draft",
      "attachment", "log",
    ]
    for command in commands {
      #expect(help.lines.contains { $0.hasPrefix("  \(command) ") }, "no \(command)")
    }
    for command in commands {
      let help = try Tool(Tool.cli).run([command, "--help"], in: empty.path)
      #expect(help.status == 0)
      #expect(help.output.contains("Usage: app-cli \(command)"))
      #expect(help.lines.allSatisfy { $0.count <= 80 })
    }
    let worker = try Tool(Tool.worker).run(["--help"], in: empty.path)
    #expect(worker.status == 0)
    #expect(worker.output.contains("--once"))
    #expect(worker.lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `Every number that a command exits with on purpose is in its help`() throws {
    let empty = try GoldenFolder()
    let worker = try Tool(Tool.worker).run(["--help"], in: empty.path).output.replacing("\n", with: " ")
    for code in ["0", "1", "3", "4", "5", "7", "8", "75", "77", "78", "130", "143"] {
      #expect(worker.contains(" \(code) "))
    }
    let migrate = try Tool(Tool.cli).run(["migrate", "--help"], in: empty.path).output.replacing(
      "\n", with: " ")
    for code in ["0", "4", "75", "78"] { #expect(migrate.contains(" \(code) ")) }
  }

  @Test(arguments: [
    [], ["folder"], ["shwo"], ["folder", "shwo"], ["item", "list", "--limit", "0"],
    ["item", "list", "--limit", "-1"],
    ["item", "list", "--limit", "x"], ["item", "list", "--limit", "99999999999999999999"],
    ["item", "list", "--limit"], ["item", "show"], ["item", "show", "a", "b"], ["migrate", "now"],
    ["migrate", "--dryrun"], ["account", "use"], ["status", "-x"],
  ])
  func `A command line that is wrong exits with 64 and says how it would be right`(arguments: [String]) throws
  {
    let demo = try Demo()
    let outcome = try demo.run(Tool.cli, arguments, [:])
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("app-cli"))
    #expect(!demo.exists("store"))
    let json = try demo.run(Tool.cli, arguments + ["--json"], [:])
    #expect(json.status == 64)
    if arguments.last != "--limit" { #expect(try json.error.text("code") == "usage") }
  }

  @Test func `Bytes that are no text are refused, and stand in no store as question marks`() throws {
    let demo = try Demo()
    let outcome = try Tool(path: "/bin/sh").run(
      ["-c", "exec \"$0\" draft add --title \"$(printf 'a\\377')\" --json", Tool(Tool.cli).path],
      in: demo.folder.path)
    #expect(outcome.status == 64)
    #expect(try outcome.error.text("message").contains("argument 4, isn't UTF-8"))
  }

  @Test func `The worker refuses what it doesn't know`() throws {
    let demo = try Demo()
    #expect(try demo.worker("--twice").status == 64)
    #expect(try demo.worker("now").status == 64)
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"], [:]])
  func `Nothing that drives a terminal goes into a pipe`(environment: [String: String]) throws {
    let demo = try Demo()
    for arguments in [["migrate"], ["status"], ["item", "list"], ["item", "show", "nope"]] {
      let outcome = try demo.run(Tool.cli, arguments, environment)
      #expect(!(outcome.output + outcome.errors).utf8.contains(0x1b))
      #expect(!(outcome.output + outcome.errors).utf8.contains(0x0d))
    }
  }

  @Test func `A reader that leaves early ends the list quietly`() throws {
    let demo = try Demo.migrated()
    let shell = try Tool(path: "/bin/sh").run(
      ["-c", #""$0" item list --limit 1000 | head -n 1"#, Tool(Tool.cli).path], in: demo.folder.path)
    #expect(shell.status == 0)
    #expect(shell.lines.count == 1)
    #expect(!shell.errors.contains("error"))
  }

  @Test func `A full disk under standard output is an error, not a crash`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let demo = try Demo.migrated()
    let shell = try Tool(path: "/bin/sh").run(
      ["-c", #""$0" item list --limit 1000 > /dev/full"#, Tool(Tool.cli).path], in: demo.folder.path)
    #expect(shell.status == 74)
    #expect(shell.errors.contains("standard output"))
  }

  @Test func `Both tools say their version`() throws {
    let empty = try GoldenFolder()
    for name in [Tool.cli, Tool.worker] {
      #expect(try Tool(name).run(["--version"], in: empty.path).output.hasPrefix("\(name) "))
    }
  }
}
