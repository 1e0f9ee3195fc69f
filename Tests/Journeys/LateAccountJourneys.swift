import FerryKernel
import Foundation
import TestKit
import Testing

/// Legacy files that are configured late, or not at all.
@Suite(.waitsOnThreads) struct LateAccountJourneys {
  private let carol = "  - file: carol.realm\n    account: {server: home, user: carol}\nservers:"

  private func addCarol(to demo: Demo) throws {
    let fresh = try Demo()
    try FileManager.default.copyItem(
      atPath: fresh.folder.path("bob.realm"), toPath: demo.folder.path("carol.realm"))
    try FileManager.default.copyItem(
      atPath: demo.folder.path("remote/bob"), toPath: demo.folder.path("remote/carol"))
    try demo.replace("servers:", with: carol, in: "ferry.yaml")
  }

  @Test func `An account added after the crossing is refused by name, and nothing changes`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    try addCarol(to: demo)
    for arguments in [["migrate"], ["migrate", "--dry-run"]] {
      let outcome = try demo.run(Tool.cli, arguments + ["--json"], [:])
      #expect(outcome.status == 78)
      #expect(try outcome.error.text("code") == "kernel.lateAccount")
      #expect(try outcome.error.text("message").contains("carol@home"))
    }
    try demo.replace(carol, with: "servers:", in: "ferry.yaml")
    #expect(try demo.content() == before)
  }

  @Test func `An account added while a step waits crosses that step with the others, or is refused`() throws {
    let demo = try Demo()
    try FileManager.default.moveItem(atPath: demo.folder.path("remote"), toPath: demo.folder.path("away"))
    #expect(try demo.cli("migrate").status == 75)
    try FileManager.default.moveItem(atPath: demo.folder.path("away"), toPath: demo.folder.path("remote"))
    try addCarol(to: demo)
    // Settings and searches have crossed already, without carol's.
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 78)
    #expect(try outcome.error.text("code") == "kernel.lateAccount")
  }

  @Test func `A crossing without legacy files is an error, and makes no store`() throws {
    let demo = try Demo()
    try demo.write("version: 1\nstore: store\n", to: "ferry.yaml")
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 78)
    #expect(try outcome.error.text("code") == "kernel.noLegacyFiles")
    #expect(!demo.exists("store"))
  }

  @Test func `The archive of the legacy files may go, whoever removes it`() throws {
    let demo = try Demo.migrated()
    try FileManager.default.removeItem(atPath: demo.folder.path("store/legacy-archive"))
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 0)
    #expect(try outcome.json["over"]?.boolValue == true)
    #expect(try outcome.json["changed"]?.boolValue == false)
  }
}
