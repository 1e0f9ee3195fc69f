import FerryKernel
import Foundation
import TestKit
import Testing

/// Kill -9 anywhere: the next run comes to the same end as one that was never interrupted, row by row (traps M1).
///
/// The process that dies is `crash-child`, which carries the fixtures over with the real domains and the real
/// engine.
@Suite(.waitsOnThreads) struct CrashTests {
  private static let domains = ["search-history", "setting", "folder", "item", "attachment", "log"]
  private static let phases = ["backedUp", "reset", "restored", "resynced", "verified", "done"]
  private static let entities = [
    "search-history", "setting", "folder", "item", "draft", "attachment", "log-entry",
  ]

  static let points: [String] =
    domains.flatMap { domain in phases.map { "logged \(domain): \($0)" } }
    + entities.flatMap { entity in Golden.users.map { "page \(entity) \($0)" } }
    + ["folder", "item", "attachment"].flatMap { table in Golden.users.map { "refill \(table) \($0)" } }
    + [
      "file mkdir backups", "file write item.ndjson.tmp", "file rename item.ndjson", "file fsync backups",
      "drain",
    ]

  /// What an uninterrupted run leaves.
  private static let whole = Task {
    let folder = try GoldenFolder()
    let ended = try await CrashChild(folder.path).ended()
    guard ended == .exited(0) else { throw GoldenFault("the uninterrupted run \(ended)") }
    return try StoreDump.lines(of: folder.path("ferry.sqlite"))
  }

  private static let legacyFiles = Golden.users.map { Golden.folder.path + "/\($0).realm" }
  private static let legacyDigests = Result {
    try legacyFiles.map { try FileOperations().digest(of: $0).sha256 }
  }

  @Test("A run that is killed is taken up by the next one and comes to the same end", arguments: points)
  func isTakenUp(_ point: String) async throws {
    let digests = try CrashTests.legacyDigests.get()
    let expected = try await CrashTests.whole.value
    let folder = try GoldenFolder()
    #expect(try await CrashChild(folder.path, point).ended() == .killed(SIGKILL))
    #expect(try await CrashChild(folder.path).ended() == .exited(0))
    let found = try StoreDump.lines(of: folder.path("ferry.sqlite"))
    #expect(StoreDump.differences(expected, found).prefix(5) == [])
    #expect(try CrashTests.legacyFiles.map { try FileOperations().digest(of: $0).sha256 } == digests)
  }

  @Test("A run that is killed over and over comes to the same end")
  func againAndAgain() async throws {
    let folder = try GoldenFolder()
    for point in CrashTests.points where point.hasPrefix("logged item") || point.contains("log") {
      let ended = try await CrashChild(folder.path, point).ended()
      // What an earlier run has passed already kills nobody.
      #expect(ended == .killed(SIGKILL) || ended == .exited(0), "\(point)")
    }
    #expect(try await CrashChild(folder.path).ended() == .exited(0))
    let found = try StoreDump.lines(of: folder.path("ferry.sqlite"))
    #expect(StoreDump.differences(try await CrashTests.whole.value, found).prefix(5) == [])
  }

  @Test("Of two runs at once the second is told that another one is at work, and changes nothing")
  func twoAtOnce() async throws {
    let folder = try GoldenFolder()
    let first = CrashChild(folder.path, "wait")
    async let ended = first.run()
    try await first.isLocked()
    #expect(try await CrashChild(folder.path).ended() == .exited(4))
    #expect(throws: KernelError.locked(path: folder.path("ferry.lock"))) {
      try ProcessLock(path: folder.path("ferry.lock"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ferry.lock"])
    try first.goOn()
    #expect(try await ended == .exited(0))
    let found = try StoreDump.lines(of: folder.path("ferry.sqlite"))
    #expect(StoreDump.differences(try await CrashTests.whole.value, found).prefix(5) == [])
  }
}
