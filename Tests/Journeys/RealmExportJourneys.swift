import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct RealmExportJourneys {
  @Test(arguments: ["app/alice", "app/bob", "app/empty", "app/blank", "formats/format-24"])
  func `JSON on standard output is the golden document, byte for byte`(fixture: String) throws {
    let desk = try RealmDesk(fixture)
    let name = try #require(try desk.names().first)
    let outcome = try desk.run("export", name, "--json")
    #expect(outcome.status == 0)
    #expect(Data(outcome.output.utf8) == (try Data(contentsOf: RealmDesk.fixture("\(fixture).json"))))
    #expect(try desk.names() == [name])
  }

  @Test(arguments: ["tiny-encrypted", "tiny-encrypted-writecopy"])
  func `An encrypted file exports as its plain form does`(fixture: String) throws {
    let desk = try RealmDesk("encrypted/\(fixture)")
    let outcome = try desk.run(
      "export", "\(fixture).realm", "--json", "out.json", "--key-file", RealmDesk.key)
    #expect(outcome.status == 0)
    #expect(try desk.data("out.json") == Data(contentsOf: RealmDesk.fixture("encrypted/tiny-encrypted.json")))
  }

  @Test func `OUT and the form may be said in any order, and the report is a table or JSON`() throws {
    let desk = try RealmDesk("app/alice")
    #expect(try desk.run("export", "--json", "alice.realm", "a.json").status == 0)
    #expect(try desk.run("export", "alice.realm", "b.json", "--json").status == 0)
    #expect(try desk.data("a.json") == desk.data("b.json"))
    let report = try desk.run("export", "alice.realm", "--sqlite", "a.db", "--json").json
    #expect(try report.text("form") == "sqlite" && report.text("output") == "a.db")
    #expect(try report.integer("rows") == 436)
    #expect(try report.list("classes").count == 10)
    let outcome = try desk.run(
      "export", "alice.realm", "--csv", "csv", "--class", "Setting", "--class", "NoteSummary")
    #expect(
      outcome.output == """
        Class        Rows  File
        NoteSummary   300  NoteSummary.csv
        Setting         6  Setting.csv
        -----------  ----
        all           306
        csv is written.

        """)
    #expect(outcome.errors.hasPrefix("alice.realm  306 of 306 in "))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.folder.path("csv")).sorted() == [
        "NoteSummary.csv", "Setting.csv",
      ])
    #expect(try desk.names() == ["a.db", "a.json", "alice.realm", "b.json", "csv"])
  }

  @Test func `NDJSON and one class of CSV go to standard output where there is no OUT`() throws {
    let desk = try RealmDesk("app/alice")
    let rows = try desk.run("export", "alice.realm", "--ndjson").lines
    #expect(rows.count == 436)
    #expect(rows.allSatisfy { $0.hasPrefix(#"{"class":""#) && $0.hasSuffix("}}") })
    let settings = try desk.run("export", "alice.realm", "-", "--csv", "--class", "Setting")
    #expect(settings.output.hasPrefix("_key,key,value,localOnly\r\n"))
    #expect(settings.output.split(separator: "\r\n").count == 7)
  }

  @Test func `An output that exists stays, unless it is to be replaced`() throws {
    let desk = try RealmDesk("app/alice")
    try desk.write("mine".utf8, to: "out")
    let refused = try desk.run("export", "alice.realm", "--ndjson", "out")
    #expect(refused.status == 15)
    #expect(refused.errors.contains("error: out exists.\n  → Name another output, or remove it."))
    #expect(try desk.data("out") == Data("mine".utf8))
    #expect(try desk.run("export", "alice.realm", "--ndjson", "out", "--replace").status == 0)
    #expect(try desk.data("out").count > 100_000)
    let source = try desk.data("alice.realm")
    #expect(try desk.run("export", "alice.realm", "--json", "alice.realm", "--replace").status == 15)
    #expect(try desk.run("export", "alice.realm", "--json", "./alice.realm", "--replace").status == 15)
    #expect(try desk.data("alice.realm") == source)
    #expect(try desk.names() == ["alice.realm", "out"])
  }

  @Test func `A class that the file lacks leaves no output`() throws {
    let desk = try RealmDesk("app/alice")
    for form in ["--json", "--ndjson", "--csv", "--sqlite"] {
      let outcome = try desk.run("export", "alice.realm", form, "out", "--class", "Nope")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.contains("export.noSuchClass")
          || outcome.errors.contains("The file has no class \"Nope\"."))
    }
    #expect(try desk.names() == ["alice.realm"])
  }

  @Test(arguments: [
    ["alice.realm"], ["alice.realm", "--csv", "--sqlite", "out"], ["alice.realm", "--sqlite"],
    ["alice.realm", "--csv"],
    ["alice.realm", "--ndjson", "--json"], ["--json"], ["alice.realm", "a", "b", "--json"],
  ])
  func `A command line that doesn't say what to make is refused`(arguments: [String]) throws {
    let desk = try RealmDesk("app/alice")
    let tool = try Tool(Tool.cli)
    let outcome = try tool.run(["realm", "export"] + arguments, in: desk.folder.path)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(try desk.names() == ["alice.realm"])
  }

  @Test func `Stopped at whatever moment, an export is whole or not there`() throws {
    let desk = try RealmDesk("formats/format-24")
    #expect(try desk.run("export", "format-24.realm", "--ndjson", "whole").status == 0)
    let whole = try desk.data("whole")
    for (round, form) in ["--ndjson", "--csv", "--sqlite", "--ndjson", "--sqlite", "--csv"].enumerated() {
      let process = try desk.start("export", "format-24.realm", form, "out")
      // Any moment will do: what is asked below holds for all of them.
      usleep(UInt32(round * 15_000))
      process.terminate()
      process.waitUntilExit()
      let names = try desk.names()
      if names.contains("out") {
        if form == "--ndjson" { #expect(try desk.data("out") == whole) }
        try FileManager.default.removeItem(atPath: desk.folder.path("out"))
      }
      #expect(names.filter { $0 != "out" } == ["format-24.realm", "whole"], "round \(round)")
      // Before it minds signals it ends by the signal itself.
      if process.terminationReason == .exit {
        #expect(process.terminationStatus == (names.contains("out") ? 0 : 143), "round \(round)")
      }
    }
    // Killed without a chance to tidy up, it may leave what the next export takes over.
    let killed = try desk.start("export", "format-24.realm", "--sqlite", "out")
    usleep(60_000)
    kill(killed.processIdentifier, SIGKILL)
    killed.waitUntilExit()
    if try !desk.names().contains("out") {
      #expect(try desk.run("export", "format-24.realm", "--sqlite", "out").status == 0)
    }
    #expect(try desk.names() == ["format-24.realm", "out", "whole"])
  }

  @Test func `Help says which forms and exit codes there are`() throws {
    let desk = try RealmDesk()
    let help = try desk.run("--help").output
    for code in [
      "3 salvaged", "10 encrypted", "11 a file format", "12 damaged", "13 no Realm file", "14 changed",
      "15 the output is taken", "66 the file", "74 the output",
    ] {
      #expect(help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(code))
    }
    let export = try desk.run("export", "--help").output
    #expect(export.contains("Usage: app-cli realm export [options] FILE [OUT]"))
    for option in [
      "--ndjson", "--csv", "--sqlite", "--class NAME", "--replace", "--key-file FILE", "--key-env NAME",
      "--salvage",
    ] {
      #expect(export.contains(option))
    }
  }
}
