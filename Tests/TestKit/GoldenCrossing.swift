import Dispatch
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import RealmSource

/// The fixtures' two files carried over by some domains alone, as the committed roadmap maps them, with the
/// demo's server.
public struct GoldenCrossing: Sendable {
  public let store: Store
  public let report: CrossingReport
  private let folder: GoldenFolder

  /// - Parameters:
  ///   - domains: those to cross, each below what it depends on.
  ///   - copying: carries every legacy row and leaves none to the server.
  public init(_ domains: [Domain], copying: Bool = false) async throws {
    folder = try GoldenFolder()
    let plan = try GoldenCrossing.plan(domains, copying)
    let schemas = plan.schemas(rooms: [Journal.schema, SyncTables.schema])
    store = try Store.open(at: folder.url.appendingPathComponent("ferry.sqlite"), schemas: schemas)
    let files = try Golden.users.map { user in
      (account: try AccountID(server: "home", user: user), path: Golden.folder.path + "/\(user).realm")
    }
    let remote = DirectoryRemote(name: "home", folder: GoldenRemote.folder.path)
    let refill = FeedRefill(Remotes(["home": remote]), now: GoldenCrossing.now)
    let run = CrossingRun(
      plan: plan, store: store, source: RealmSource(files), refill: refill,
      backupFolder: folder.path("backups"),
      log: NoLog(), now: GoldenCrossing.now)
    report = try await run.run()
  }

  /// What a user's account has.
  public func account(_ user: String) throws -> AccountStore {
    try store.account(AccountID(server: "home", user: user))
  }

  /// Every record of a table that an account has, by the bytes of its key.
  public func all<R: Record>(_ type: R.Type, of user: String) throws -> [R] where R.Scope == AccountScope {
    try account(user).blockingRead { try $0.fetch(R.all) }
  }

  /// What became of the rows of an entity.
  public func tally(_ entity: String, of user: String) throws -> Tally {
    guard let tally = report.tallies.first(where: { $0.entity == entity && $0.account == "\(user)@home" })
    else {
      throw GoldenFault("no tally of \(entity) for \(user)")
    }
    return tally
  }

  private static let now: @Sendable () -> Timestamp = { Timestamp(nanoseconds: 1_800_000_000_000_000_001) }

  private static func plan(_ domains: [Domain], _ copying: Bool) throws -> Plan {
    let committed = try Roadmap.load(
      path: Golden.repository.appendingPathComponent("Config/roadmap.yaml").path)
    var steps = committed.steps.filter { step in domains.contains { $0.name == step.domain.value } }
    if copying { steps = steps.map(copied) }
    var known = domains
    if !domains.contains(where: \.isLast) {
      // A roadmap must end with a domain that has a queue; this one has nothing else.
      known.append(
        Domain("end", "Nothing", tables: [], crossings: [], isLast: true, queue: DispatchQueue(label: "end")))
      steps.append(
        Roadmap.Step(
          domain: Located("end", at: .start), strategy: Located(.copy, at: .start), legacy: [],
          position: .start))
    }
    return try Plan(Roadmap(file: committed.file, steps: steps), domains: known)
  }

  private static func copied(_ step: Roadmap.Step) -> Roadmap.Step {
    Roadmap.Step(
      domain: step.domain, strategy: Located(.copy, at: step.strategy.position),
      legacy: step.legacy.map { mapping in
        LegacyMapping(
          entity: mapping.entity, className: mapping.className, fields: mapping.fields,
          position: mapping.position)
      },
      position: step.position)
  }
}

private struct NoLog: LogSink {
  func append(_ line: LogLine) {}
}
