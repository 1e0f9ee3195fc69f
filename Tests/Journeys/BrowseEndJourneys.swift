import Foundation
import TestKit
import Testing

/// However a browser begins and ends, the terminal is as it was.
@Suite(.waitsOnThreads) struct BrowseEndJourneys {
  private func browser(_ demo: Demo) throws -> BrowsePane {
    let pane = try BrowsePane(demo)
    try pane.wait(for: "of 45")
    let modes = try pane.modes()
    #expect(modes.isOther && !modes.hasCursor)
    return pane
  }

  private func expectTerminalBack(_ pane: BrowsePane, code: Int) throws {
    let end = try pane.end()
    #expect(end.code == "exit \(code)")
    let words = end.stty.split { " ;\n".contains($0) }
    for mode in ["icanon", "echo", "isig", "icrnl", "opost", "ixon"] {
      #expect(words.contains(Substring(mode)), "\(mode)")
    }
    let modes = try pane.modes()
    #expect(!modes.isOther && modes.hasCursor)
    // Nothing of the browser is left.
    try pane.wait(for: "the shell") { $0.lines.first == "afterwards" && !$0.contains("Ferry") }
  }

  @Test func `q and Ctrl-C leave`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    try pane.press("q")
    try expectTerminalBack(pane, code: 0)
    let other = try browser(demo)
    try other.press("?")
    try other.wait(for: "up and down")
    try other.press("C-c")
    try expectTerminalBack(other, code: 130)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)])
  func `A signal ends it, while one writes too`(signal: Int32, code: Int) throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    try pane.press("n")
    try pane.wait(for: "New draft")
    try pane.press("k", "e", "p", "t")
    try pane.wait(for: "kept")
    #expect(kill(try pane.process(), signal) == 0)
    try expectTerminalBack(pane, code: code)
    #expect(try demo.cli("draft", "list").output.contains("kept"))
  }

  @Test func `Where nobody could continue it, Ctrl-Z stops nothing`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    try pane.press("C-z")
    try pane.press("j")
    try pane.wait(for: "2 of 45")
    #expect(try BrowsePane.poll { try pane.modes().isOther })
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
    #expect(try !pane.modes().isOther)
  }

  @Test func `It ends when its terminal is gone, and the store is whole`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    try pane.press("s")
    try pane.wait(for: "It is starred")
    let process = try pane.process()
    try pane.lose()
    #expect(try BrowsePane.poll { BrowsePane.isGone(process) })
    #expect(try demo.cli("status").status == 0)
  }

  @Test func `What was done last is in the store when it has ended`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    try pane.press("d", "q")
    try expectTerminalBack(pane, code: 0)
    #expect(try demo.cli("item", "count").output == "300\n")
  }

  @Test func `Without a terminal, or with one that can't be drawn on, it says so`() throws {
    let demo = try Demo.migrated()
    let outcome = try demo.cli("browse", environment: ["TERM": "xterm"])
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("takes a terminal"))
    #expect(try demo.cli("browse", "--json").status == 64)
    #expect(try demo.cli("browse", "http://x").status == 64)
    let pane = try BrowsePane(demo, environment: ["TERM": "dumb"])
    #expect(try pane.end().code == "exit 64")
    try pane.wait(for: "takes a terminal")
  }

  @Test func `Without a store it says what makes one, on the terminal as it is`() throws {
    let pane = try BrowsePane(Demo())
    #expect(try pane.end().code == "exit 1")
    try pane.wait(for: "app-cli migrate")
  }

  @Test func `A link is gone to, and one that leads nowhere is told`() throws {
    let demo = try Demo.migrated()
    let pane = try BrowsePane(demo, ["ferry://alice@home/folder/i1/item/i7"])
    try pane.wait(for: "Reading", "groceries notes re: invoice ✅ #6")
    let nowhere = try BrowsePane(demo, ["ferry://alice@home/folder/i1/item/none"])
    try nowhere.wait(for: "has no item 'none'")
    let other = try BrowsePane(demo, ["ferry://bob@home/folder/i1"])
    try other.wait(for: "alice@home is active")
    try other.press("q")
    #expect(try other.end().code == "exit 0")
  }
}
