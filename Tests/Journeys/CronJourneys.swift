import FerryKernel
import Foundation
import TestKit
import Testing

/// What `Config/cron` hands out works as it is written.
@Suite(.waitsOnThreads) struct `A schedule of Config cron` {
  private static let folder = Golden.repository.appendingPathComponent("Config/cron")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The words behind the program's name in a line that calls the worker.
  private func words(_ line: Substring) throws -> [String] {
    let words = line.split(separator: " ").map(String.init)
    let index = try #require(words.firstIndex { $0.hasSuffix("sync-worker") })
    return words[(index + 1)...].prefix { !$0.hasPrefix(">") }.map { $0 }
  }

  @Test(arguments: ["crontab", "ferry-sync.service"])
  func `calls the worker as the worker is called`(name: String) throws {
    let line = try #require(
      try text(name).split(separator: "\n").first { !$0.hasPrefix("#") && $0.contains("sync-worker ") })
    let demo = try Demo.migrated()
    var words = try words(line)
    let index = try #require(words.firstIndex(of: "--config"))
    words[index + 1] = demo.folder.path
    let outcome = try demo.run(Tool.worker, words, [:])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.lines.count == 1)
    #expect(try outcome.json["version"]?.integerValue == 1)
  }

  @Test func `is what cron reads: five fields and a command`() throws {
    let all = try text("crontab").split(separator: "\n").filter { !$0.hasPrefix("#") }
    let lines = all.filter { !$0.hasPrefix("PATH=") }
    #expect(lines.count == 1 && all.count == 2)
    let fields = lines[0].split(separator: " ", maxSplits: 5)
    #expect(fields.prefix(5).allSatisfy { $0.allSatisfy { "*/0123456789,-".contains($0) } })
    // To cron a percent sign ends the line.
    #expect(!lines[0].contains("%"))
  }

  @Test func `is what systemd takes, where systemd is there to say so`() throws {
    let programs = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"]
    guard let program = programs.first(where: FileManager.default.isExecutableFile) else { return }
    let folder = try GoldenFolder()
    for name in ["ferry-sync.service", "ferry-sync.timer"] {
      // It looks for the program, which is installed nowhere here.
      let unit = try text(name).replacing(/ExecStart=\S+/, with: "ExecStart=/bin/true")
      try Data(unit.utf8).write(to: folder.url.appendingPathComponent(name))
    }
    let outcome = try Tool(path: program).run(
      ["verify", "--man=no", folder.path("ferry-sync.service"), folder.path("ferry-sync.timer")],
      in: folder.path)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!outcome.errors.contains("ferry-sync"), "\(outcome)")
  }
}
