import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// The generated library and a folder that it crosses into, over a disk that may fail. A run is what a tool does
/// from its start to its end: lock, spill, store, crossing, drain, close.
public struct FaultRig: Sendable {
  /// What the folder has when the run begins that is to fail.
  public enum Stage: String, CaseIterable, Sendable {
    /// Nothing.
    case new
    /// What an earlier attempt left of the first domain, from other rows under another mapping.
    case begun
  }

  /// Takes the spill into the table of the last domain.
  public typealias Drain = @Sendable (LogSpill, Store) async throws -> Void

  public let library: GeneratedLibrary
  public let folder: String
  private let drain: Drain

  public init(_ library: GeneratedLibrary, folder: String, drain: @escaping Drain) throws {
    (self.library, self.folder, self.drain) = (library, folder, drain)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  public var storePath: String { "\(folder)/ferry.sqlite" }
  public var spillPath: String { "\(folder)/log.spill" }
  public func backupPath(_ domain: String) -> String { "\(folder)/backups/\(domain).ndjson" }

  public func plan(enabled: Int = 6) throws -> Plan {
    try Plan(Roadmap.parse(text: library.roadmap(enabled: enabled)), domains: library.domains)
  }

  /// Brings an empty folder to a stage.
  public func prepare(_ stage: Stage) async throws {
    guard stage == .begun else { return }
    var rig = try LibraryRig(library.earlierSource, remote: library.remote(), at: folder)
    rig.domains = library.domains
    rig.roadmap = library.roadmap(name: "comment")
    try await rig.cross(until: "room-0: restored")
  }

  /// Runs everything that can run.
  ///
  /// - Parameters:
  ///   - number: the first line that is logged has this number, the next ones those after it.
  ///   - acknowledged: told what was logged, after the line was taken.
  public func run(
    on disk: FaultDisk, number: Int, enabled: Int = 6,
    acknowledged: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> (report: CrossingReport, losses: Int) {
    let lock = try ProcessLock(path: "\(folder)/ferry.lock", files: disk.files)
    defer { withExtendedLifetime(lock) {} }
    let spill = try LogSpill(path: spillPath, files: disk.files)
    let plan = try plan(enabled: enabled)
    let store = try Store.open(
      at: URL(fileURLWithPath: storePath), schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]),
      dormant: Set(plan.off.map(\.name)), vfs: disk.vfs)
    let log = NumberedLog(spill, from: number, acknowledged)
    var crossing = CrossingRun(
      plan: plan, store: store, source: library.source,
      refill: FeedRefill(Remotes(["home": library.remote()]), now: FixedClock.now),
      backupFolder: "\(folder)/backups", files: disk.files, log: log, now: FixedClock.now)
    crossing.pageSize = 500
    do {
      try plan.shutGateForEnabled(in: store)
      let report = try await crossing.run()
      if report.isOver { try await drain(spill, store) }
      await store.close()
      return (report, spill.losses?.count ?? 0)
    } catch {
      await store.close()
      throw error
    }
  }
}

/// Numbers what is logged, so that what is lost or comes twice shows.
private final class NumberedLog: LogSink {
  private let spill: LogSpill
  private let next: Locked<Int>
  private let acknowledged: @Sendable (String) -> Void

  init(_ spill: LogSpill, from number: Int, _ acknowledged: @escaping @Sendable (String) -> Void) {
    (self.spill, next, self.acknowledged) = (spill, Locked(number), acknowledged)
  }

  func append(_ line: LogLine) {
    next.withLock { number in
      spill.append(
        LogLine(at: line.at, level: line.level, category: line.category, message: "\(number) \(line.message)")
      )
      number += 1
    }
    acknowledged(line.message)
  }
}
