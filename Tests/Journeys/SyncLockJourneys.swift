import Dispatch
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// One run at a time, and one that is asked to stop.
@Suite(.waitsOnThreads) struct `A worker at work` {
  /// A demo that has crossed, and whose server takes a request and holds it.
  private func held() throws -> (Demo, HoldingServer) {
    let (demo, server) = (try Demo.migrated(), try HoldingServer())
    try demo.useKinto(server.url)
    return (demo, server)
  }

  @Test func `keeps every other one out, a hundred times`() throws {
    let (demo, server) = try held()
    for round in 1...100 {
      let ends = Locked<[Int32?]>([])
      let oneEnded = DispatchSemaphore(value: 0)
      let workers = try (1...2).map { _ in
        try demo.start(Tool.worker, ["--account", "alice"]) { status in
          ends.withLock { $0.append(status) }
          oneEnded.signal()
        }
      }
      // The one that asks the server waits for the answer; the other has nothing to wait for.
      let request = try #require(try server.next(), "round \(round)")
      oneEnded.wait()
      #expect(ends.withLock { $0 } == [4], "round \(round)")
      #expect(try !server.hasAnother(), "round \(round)")
      request.answer(401)
      for worker in workers { _ = try worker.end() }
      #expect(ends.withLock { $0 } == [4, 77], "round \(round)")
    }
  }

  @Test(arguments: [(SIGTERM, 143, "SIGTERM"), (SIGINT, 130, "SIGINT")] as [(Int32, Int32, String)])
  func `that is asked to stop while it waits for the server stops at once, with a code of its own`(
    signal: Int32, code: Int32, name: String
  ) throws {
    let (demo, server) = try held()
    let before = try demo.content()
    let worker = try demo.start(Tool.worker, ["--json"])
    let request = try #require(try server.next())
    worker.signal(signal)
    let (status, errors) = try worker.end()
    #expect(status == code)
    #expect(errors.contains("\"interrupted\"") && errors.contains(name))
    #expect(worker.line() == nil)
    request.answer(200)
    #expect(!demo.exists("store/ferry.sqlite-wal"))
    #expect(try demo.content() == before)
  }

  @Test func `that runs again and again ends its sleep when it is asked to stop`() throws {
    let demo = try Demo.migrated()
    let worker = try demo.start(Tool.worker, ["--every", "1h", "--json"])
    let line = try #require(worker.line())
    #expect(line.contains("\"exitCode\":0"), "\(line)")
    worker.signal(SIGTERM)
    #expect(try worker.end().status == 143)
  }

  @Test func `that runs again and again runs again`() throws {
    let demo = try Demo.migrated()
    let worker = try demo.start(Tool.worker, ["--every", "1s", "--json"])
    for _ in 1...3 { #expect(worker.line()?.contains("\"exitCode\":0") == true) }
    worker.signal(SIGTERM)
    #expect(try worker.end().status == 143)
  }

  @Test func `that runs again and again outlives what the next run may find mended`() throws {
    let demo = try Demo()
    let worker = try demo.start(Tool.worker, ["--every", "1s", "--json"])
    // There is no store yet: it waits for the crossing.
    #expect(try demo.cli("migrate").status == 0)
    let line = try #require(worker.line())
    #expect(line.contains("\"exitCode\":0"))
    worker.signal(SIGTERM)
    let (status, errors) = try worker.end()
    #expect(status == 143)
    #expect(errors.contains("interrupted"))
  }

  @Test func `that runs again and again ends where ferry yaml is at fault`() throws {
    let demo = try Demo.migrated()
    try demo.write("version: 2\n", to: "ferry.yaml")
    #expect(try demo.start(Tool.worker, ["--every", "1h"]).end().status == 78)
  }

  @Test(arguments: [
    ["--every", "soon"], ["--every", "0s"], ["--every", "5m", "--once"], ["--every", "5m", "--dry-run"],
    ["--from-server", "--from-device"], ["--allow-deletes", "-1"], ["--allow-deletes", "many"],
    ["--feed", "nothing"],
  ])
  func `refuses a command line that contradicts itself`(arguments: [String]) throws {
    let demo = try Demo.migrated()
    let outcome = try demo.run(Tool.worker, arguments + ["--json"], [:])
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `never asks, and tells who has no secret before it asks for the lock`() throws {
    let (demo, server) = try held()
    for user in Golden.users {
      try FileManager.default.removeItem(atPath: demo.folder.path("\(user).secret"))
    }
    let lock = try ProcessLock(path: demo.folder.path("store/ferry.lock"))
    let outcome = try withExtendedLifetime(lock) { try demo.worker("--json") }
    #expect(outcome.status == 77)
    #expect(try outcome.error.text("code") == "secret.unreadable")
    #expect(try !server.hasAnother())
  }
}
