import Composition
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import RealmSource
import TestKit
import Testing

/// Old to new from every earlier stage of the committed roadmap, over the fixtures' two files.
@Suite struct `The committed roadmap in stages` {
  /// Every way to enable a first part, then a larger one, then all.
  static let stages: [[Int]] = {
    let count = RegisteredDomains.all.count
    let pairs = (1..<count).flatMap { first in ((first + 1)..<count).map { [first, $0] } }
    return (0..<count).map { [$0] } + pairs + [Array(0..<count)]
  }()

  private static let whole = Task { try await dump(after: []) }

  /// What is in the store after these numbers of domains, one after the other, and then all of them.
  private static func dump(after stages: [Int]) async throws -> [String] {
    let folder = try GoldenFolder()
    let path = Golden.repository.appendingPathComponent("Config/roadmap.yaml").path
    let committed = try Roadmap.load(path: path)
    let files = try Golden.users.map { user in
      (account: try AccountID(server: "home", user: user), path: Golden.folder.path + "/\(user).realm")
    }
    let remotes = Remotes(["home": DirectoryRemote(name: "home", folder: GoldenRemote.folder.path)])
    for count in stages + [committed.steps.count] {
      let steps = committed.steps.enumerated().map { index, step in
        Roadmap.Step(
          domain: step.domain, isEnabled: index < count, isCore: step.isCore, strategy: step.strategy,
          legacy: step.legacy, position: step.position)
      }
      let plan = try Plan(Roadmap(file: committed.file, steps: steps), domains: RegisteredDomains.all)
      let store = try Store.open(
        at: folder.url.appendingPathComponent("ferry.sqlite"),
        schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]), dormant: Set(plan.off.map(\.name)))
      let run = CrossingRun(
        plan: plan, store: store, source: RealmSource(files),
        refill: FeedRefill(remotes, now: FixedClock.now), backupFolder: folder.path("backups"),
        log: RecordingLog(), now: FixedClock.now)
      let report = try await run.run()
      #expect(report.states.count { $0.state == .done } == count)
      await store.close()
    }
    return try StoreDump.lines(of: folder.path("ferry.sqlite"))
  }

  @Test(arguments: stages)
  func `ends like one that crossed at once`(stages: [Int]) async throws {
    let staged = try await Self.dump(after: stages)
    #expect(StoreDump.differences(try await Self.whole.value, staged).prefix(5) == [])
  }
}
