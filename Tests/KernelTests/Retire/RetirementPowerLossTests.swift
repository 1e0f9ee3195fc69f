import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// The power fails at any operation of retiring, or of taking it back: whatever of what wasn't synced the disk has
/// kept, no legacy file is lost, and the next try comes to the same end (traps M1, S6).
@Suite struct `Retiring when the power fails` {
  private static let archived = [
    "legacy-archive/default.realm": "rows of 0", "legacy-archive/2-default.realm": "rows of 1",
    "legacy-archive/2-default.realm.lock": "x", "legacy-archive/2-default.realm.management/a": "y",
  ]
  private static let inPlace = [
    "alice/default.realm": "rows of 0", "bob/default.realm": "rows of 1", "bob/default.realm.lock": "x",
    "bob/default.realm.management/a": "y",
  ]

  @Test(arguments: Survivors.allCases)
  func `ends with every file in the archive`(survivors: Survivors) async throws {
    let start = try await RetiringRig()
    try await failEverywhere(from: start, survivors) { rig in
      try await rig.withRetirement { try $0.run() }
    } check: { rig in
      let state = try await rig.withRetirement { try $0.state()?.phase }
      #expect(state == .archived)
      #expect(try files(of: rig) == Self.archived)
    }
  }

  @Test(arguments: Survivors.allCases)
  func `ends with every file where it was, when that is taken back`(survivors: Survivors) async throws {
    let start = try await RetiringRig()
    try await start.withRetirement { try $0.run() }
    try await failEverywhere(from: start, survivors) { rig in
      try await rig.rollBack()
    } check: { rig in
      let files = try files(of: rig)
      #expect(files.filter { !$0.key.hasPrefix("legacy-archive/store-1/") } == Self.inPlace)
      #expect(files["legacy-archive/store-1/ferry.sqlite"] == "store")
      #expect(!FileManager.default.fileExists(atPath: rig.rig.storePath))
    }
  }

  private func failEverywhere(
    from start: RetiringRig, _ survivors: Survivors, _ work: (RetiringRig) async throws -> Void,
    check: (RetiringRig) async throws -> Void
  ) async throws {
    var operation = 0
    while true {
      operation += 1
      let folder = try GoldenFolder()
      let disk = try FaultDisk(folder: folder.path("lost"))
      var rig = try start.copied(to: folder.path("device"), on: disk)
      disk.plan(.powerLoss, at: operation)
      var failure: (any Error)?
      do { try await work(rig) } catch { failure = error }
      // It was over before.
      if disk.failures == 0 { break }
      disk.lose(survivors, seed: UInt64(operation))
      // At any instant each row is somewhere.
      let found = try rig.contents().values
      #expect(found.contains("rows of 0") && found.contains("rows of 1"), "operation \(operation)")
      rig.rig.disk = nil
      rig.files = FileOperations()
      do {
        // What was said to be over lasts.
        if failure == nil { try await check(rig) }
        try await work(rig)
        try await check(rig)
      } catch {
        Issue.record("\(error) after operation \(operation), \(disk.change(operation))")
      }
    }
    #expect(operation > 20)
  }

  private func files(of rig: RetiringRig) throws -> [String: String] {
    try rig.contents().filter { $0.key != "legacy-archive/manifest.json" }
  }
}
