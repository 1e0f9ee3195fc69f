import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct KillJourneys {
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

/// Asked to stop rather than killed, it stops by itself, says so, and leaves nothing to mend.
@Suite(.waitsOnThreads) struct `A crossing that is asked to stop` {
  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `stops at a transaction's edge, with a code of its own, and goes on`(signal: Int32, code: Int32) throws
  {
    let demo = try Demo()
    let stopped = try demo.killCLI(["migrate"], at: "folder ", signal: signal)
    #expect(stopped == code)
    // Nobody was killed, so there is no write-ahead log to be recovered, and no failure in the journal.
    #expect(!demo.exists("store/ferry.sqlite-wal"))
    #expect(try !demo.cli("status", "--json").output.contains("failed"))
    #expect(try demo.cli("migrate").status == 0)
    #expect(try demo.content() == Demo.straight())
  }
}

extension Demo {
  /// Runs `app-cli` and kills it as soon as its standard error has `mark` in it.
  ///
  /// - Returns: how it ended; nil where the signal killed it.
  @discardableResult
  fileprivate func killCLI(_ arguments: [String], at mark: String, signal: Int32 = SIGKILL) throws -> Int32? {
    try stopCLI(arguments, at: mark, signal: signal).status
  }

  /// Runs `app-cli` and sends it a signal as soon as its standard error has `mark` in it.
  ///
  /// - Returns: how it ended, nil where the signal killed it, and its standard error.
  func stopCLI(_ arguments: [String], at mark: String, signal: Int32) throws -> (
    status: Int32?, errors: String
  ) {
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
    kill(process.processIdentifier, signal)
    ended.wait(forEndOf: process.processIdentifier)
    seen += errors.fileHandleForReading.availableData
    return (
      process.terminationReason == .exit ? process.terminationStatus : nil,
      String(decoding: seen, as: UTF8.self)
    )
  }
}
