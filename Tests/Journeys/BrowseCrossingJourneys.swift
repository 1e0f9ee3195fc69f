import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct BrowseCrossingJourneys {
  @Test func `A browser that is opened during a crossing shows it, and goes on by itself`() throws {
    let demo = try Demo()
    try demo.move("remote", to: "away")
    #expect(try demo.cli("migrate").status == 75)
    let pane = try BrowsePane(demo)
    try pane.wait(
      for: "waits for the network", "folder comes from a server", "no writing: a crossing is under way")
    // No key does anything, but the one to leave.
    try pane.press("?", "a", "n", "Down", "Enter")
    try pane.type("/한글")
    try demo.move("away", to: "remote")
    #expect(try demo.cli("migrate").status == 0)
    try pane.wait(for: "1 of 45", "alice@home", without: ["waits for the network", "Keys", "/ 한글"])
    // At the next start nothing is shown of it, nor at a switch.
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
    let next = try BrowsePane(demo)
    try next.wait(for: "the list") { screen in
      #expect(!screen.contains("being carried over") && !screen.contains("The crossing"))
      return screen.contains("1 of 45")
    }
  }

  @Test func `A crossing that stopped says why, and leaving it leaves it`() throws {
    let demo = try Demo()
    try demo.append(#"{"id":"i1","revision":"#, to: "remote/bob/items.ndjson")
    #expect(try demo.cli("migrate").status == 1)
    let pane = try BrowsePane(demo)
    try pane.wait(for: "The crossing has stopped")
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
  }

  @Test func `What crosses behind the open gate is said and keeps nobody from reading`() throws {
    let demo = try Demo()
    try demo.move("remote/bob/attachments.ndjson", to: "attachments.ndjson")
    #expect(try demo.cli("migrate").status != 0)
    let pane = try BrowsePane(demo)
    try pane.wait(for: "1 of 45")
    try pane.press("s")
    try pane.wait(for: "It is starred")
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
  }
}
