import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync
import FolderDomain
import Foundation
import ItemDomain
import LogDomain
import RealmSource
import SearchHistoryDomain
import SettingDomain
import TestKit

/// Carries the fixtures over into a folder and, where it is told to, dies on the way: by SIGKILL, at a point that
/// the tests name, so that what it leaves behind is what a crash leaves behind.
///
///     crash-child FOLDER [POINT]
///     crash-child FOLDER rekey-before|rekey [POINT]
///     crash-child library FOLDER SEED FAULT OPERATION
///     crash-child log FOLDER NUMBER
///
/// The first carries the fixtures over, the second changes keys (see KeyChange), the third carries over a generated
/// library, the fourth logs (see LogChild).
///
/// Exits with 4 where another one is at work in the folder.
@main enum CrashChild {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first else { return }
    if folder == "library" { return try await LibraryChild.run(Array(arguments.dropFirst())) }
    if folder == "log" { return try await LogChild.run(Array(arguments.dropFirst())) }
    if arguments.dropFirst().first == "rekey" {
      return try await KeyChange.run(folder, domains, arguments.dropFirst(2).first)
    }
    let isPreparing = arguments.dropFirst().first == "rekey-before"
    let point = isPreparing ? nil : try arguments.dropFirst().first.map(DeathPoint.init)
    let lock: ProcessLock
    do {
      lock = try ProcessLock(path: "\(folder)/ferry.lock")
    } catch KernelError.locked {
      exit(4)
    }
    if case .untilTold? = point {
      print("locked")
      fflush(nil)
      _ = readLine()
    }
    try await cross(into: folder, point, then: isPreparing ? KeyChange.prepare : { _ in })
    withExtendedLifetime(lock) {}
  }

  private static let domains: [Domain] = [.searchHistory, .setting, .folder, .item, .attachment, .log]

  private static func cross(
    into folder: String, _ point: DeathPoint?, then finish: (Store) throws -> Void
  ) async throws {
    let roadmap = Golden.repository.appendingPathComponent("Config/roadmap.yaml").path
    let plan = try Plan(Roadmap.load(path: roadmap), domains: domains.map { deadly($0, point) })
    let store = try Store.open(
      at: URL(fileURLWithPath: "\(folder)/ferry.sqlite"),
      schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]))
    let files = try Golden.users.map { user in
      (account: try AccountID(server: "home", user: user), path: Golden.folder.path + "/\(user).realm")
    }
    let remotes = Remotes(["home": DirectoryRemote(name: "home", folder: GoldenRemote.folder.path)])
    let spill = try LogSpill(path: "\(folder)/log.spill")
    let run = CrossingRun(
      plan: plan, store: store, source: RealmSource(files),
      refill: DeadlyRefill(base: FeedRefill(remotes, now: FixedClock.now), point: point),
      backupFolder: "\(folder)/backups",
      files: FileOperations { name, path in
        if case .file(name, let end)? = point, path.hasSuffix(end) { die() }
      },
      log: DeadlyLog(base: spill, point: point), now: FixedClock.now)
    let report = try await run.run()
    guard report.isOver else { exit(1) }
    if case .drain? = point { die() }
    try await LogDAO.drain(spill, into: store.device)
    try finish(store)
  }

  /// The domain, with pages that kill.
  private static func deadly(_ domain: Domain, _ point: DeathPoint?) -> Domain {
    guard case .page(let entity, let user)? = point else { return domain }
    let crossings = domain.crossings.map { crossing in
      guard crossing.entity == entity else { return crossing }
      var crossing = crossing
      let makePage = crossing.makePage
      crossing.makePage = { DeadlyPage(base: makePage(), user: user) }
      return crossing
    }
    return Domain(
      domain.name, domain.summary, dependsOn: domain.dependsOn, tables: domain.tables,
      changes: domain.changes, crossings: crossings, feeds: domain.feeds, isLast: domain.isLast,
      queue: domain.lastQueue)
  }
}
