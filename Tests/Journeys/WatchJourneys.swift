import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct WatchJourneys {
  /// `app-cli watch` while it runs, and the lines that it has printed.
  private final class Watch {
    private let process = Process()
    private let scratch: GoldenFolder
    private let ended = DispatchSemaphore(value: 0)

    init(_ demo: Demo, _ arguments: String...) throws {
      scratch = try GoldenFolder()
      let out = scratch.url.appendingPathComponent("out")
      try Data().write(to: out)
      process.executableURL = URL(fileURLWithPath: try Tool(Tool.cli).path)
      process.arguments = ["watch"] + arguments
      process.currentDirectoryURL = demo.folder.url
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: out)
      process.standardError = FileHandle.nullDevice
      process.terminationHandler = { [ended] _ in ended.signal() }
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The first so many lines, once there are as many.
    func lines(_ count: Int) throws -> [JSONValue] {
      var text = ""
      let isThere = try BrowsePane.poll {
        text = String(
          decoding: try Data(contentsOf: scratch.url.appendingPathComponent("out")), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).count > count
      }
      guard isThere else { throw GoldenFault("not \(count) lines: \(text.prefix(2000))") }
      return try text.split(separator: "\n").prefix(count).map { try JSONValue.parse(text: String($0)) }
    }

    /// Ends it with a signal.
    ///
    /// - Returns: what it exits with, and how many lines there are in all.
    func end(with signal: Int32) throws -> (code: Int32, lines: Int) {
      kill(process.processIdentifier, signal)
      ended.wait(forEndOf: process.processIdentifier)
      guard process.terminationReason == .exit else { throw GoldenFault("it was killed") }
      let data = try Data(contentsOf: scratch.url.appendingPathComponent("out"))
      return (process.terminationStatus, String(decoding: data, as: UTF8.self).split(separator: "\n").count)
    }
  }

  private func ids(_ value: JSONValue, _ name: String) throws -> [String] {
    try value.list(name).map { try $0["row"]?.text("id") ?? $0.text("id") }
  }

  @Test func `The first line has the rows, and each one after it what a commit made of them`() throws {
    let demo = try Demo.migrated()
    let watch = try Watch(demo, "item", "--folder", "i1")
    let first = try watch.lines(1)[0]
    #expect(first["version"]?.integerValue == 1 && first["account"]?.stringValue == "alice@home")
    let rows = try first.list("rows").map { try $0.text("id") }
    #expect(rows.count == 45)

    let record = #"{"title":"새 글","folder":"i1","isRead":false,"updatedAt":1790000000000000000,"tags":[]}"#
    try demo.append(#"{"id":"n1","revision":1001,"record":\#(record)}"#, to: "remote/alice/items.ndjson")
    #expect(try demo.worker().status == 0)
    let inserted = try watch.lines(2)[1]
    #expect(try ids(inserted, "inserted") == ["n1"] && inserted.list("inserted")[0].integer("at") == 0)
    #expect(try inserted.list("removed").isEmpty && inserted.list("updated").isEmpty)

    #expect(try demo.cli("item", "star", rows[3]).status == 0)
    let updated = try watch.lines(3)[2]
    #expect(try ids(updated, "updated") == [rows[3]] && updated.list("updated")[0].integer("at") == 4)
    #expect(try updated.list("updated")[0]["row"]?["is_starred"]?.boolValue == true)

    #expect(try demo.cli("item", "delete", rows[0]).status == 0)
    let removed = try watch.lines(4)[3]
    #expect(try ids(removed, "removed") == [rows[0]] && removed.list("removed")[0].integer("at") == 1)

    // What lies elsewhere makes no line.
    #expect(try demo.cli("item", "list", "--json").status == 0)
    let end = try watch.end(with: SIGINT)
    #expect(end.code == 130 && end.lines == 4)
  }

  @Test func `Folders are watched as the tree that they are`() throws {
    let demo = try Demo.migrated()
    let watch = try Watch(demo, "folder", "--account", "bob")
    let rows = try watch.lines(1)[0].list("rows")
    #expect(rows.count == 7)
    try demo.append(
      #"{"id":"i1","revision":2001,"record":{"name":"또 다른 이름","type":"primary","sortOrder":0}}"#,
      to: "remote/bob/folders.ndjson")
    #expect(try demo.worker().status == 0)
    let change = try watch.lines(2)[1]
    #expect(try change.list("updated")[0]["row"]?["name"]?.stringValue == "또 다른 이름")
    #expect(try watch.end(with: SIGTERM).code == 143)
  }

  @Test func `What isn't there can't be watched`() throws {
    let demo = try Demo.migrated()
    let outcome = try demo.cli("watch", "item", "--folder", "nowhere")
    #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.errors.isEmpty)
    #expect(try demo.cli("watch", "item", "--account", "carol").status == 1)
    #expect(try demo.cli("watch", "nothing").status == 64)
  }
}
