import Foundation
import TestKit
import Testing

@Suite struct KillJourneys {
  /// Wherever the kill lands, the next run must come to the same end; the marks only spread it over the
  /// crossing. The exact points are the kernel's tests'.
  @Test(arguments: [
    "search-history ", "folder ", "folder, from", "item ", "item, from", "attachment ", "log ",
  ])
  func `Killed from outside once a line of progress is there, the next run comes to the same end`(
    mark: String
  ) throws {
    let demo = try Demo()
    try demo.killCLI(["migrate"], at: mark)
    let outcome = try demo.cli("migrate", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try demo.content() == Demo.straight())
    #expect(try demo.files().keys.filter { $0.hasSuffix(".tmp") }.isEmpty)
  }

  @Test func `Killed again and again, it gets there all the same`() throws {
    let demo = try Demo()
    for mark in ["setting ", "folder ", "item ", "item, from", "log "] {
      try demo.killCLI(["migrate"], at: mark)
    }
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }
}

extension Demo {
  /// Runs `app-cli` and kills it as soon as its standard error has `mark` in it.
  fileprivate func killCLI(_ arguments: [String], at mark: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Tool(Tool.cli).path)
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    var seen = Data()
    while !String(decoding: seen, as: UTF8.self).contains(mark) {
      let more = errors.fileHandleForReading.availableData
      if more.isEmpty { break }
      seen += more
    }
    kill(process.processIdentifier, SIGKILL)
    ended.wait()
  }
}
