import FerryKernel
import FerryStore
import Foundation
import LogDomain
import TestKit

/// What a run on a sound disk does with a library: how many operations, and what it leaves.
struct SoundRun: Sendable {
  let library: GeneratedLibrary
  let stage: FaultRig.Stage
  let expected: [String]
  /// What each change was.
  let changes: [String]
  let reads: Int
  /// A folder at the stage.
  let start: GoldenFolder

  init(seed: UInt64, _ stage: FaultRig.Stage) async throws {
    library = GeneratedLibrary(seed: seed, log: .log)
    self.stage = stage
    start = try GoldenFolder()
    try await FaultCase.rig(library, start).prepare(stage)
    let folder = try GoldenFolder()
    try FaultCase.copy(start, to: folder)
    let rig = try FaultCase.rig(library, folder)
    let disk = try FaultDisk(folder: folder.path("lost"))
    disk.plan(.none)
    let (report, _) = try await rig.run(on: disk, number: 0)
    guard report.isOver else { throw GoldenFault("the run on a sound disk isn't over") }
    expected = try StoreDump.lines(of: rig.storePath)
    changes = (1...disk.changes).map(disk.change)
    reads = disk.reads
  }
}

/// One operation that goes wrong.
struct FaultCase: Sendable, CustomStringConvertible {
  let seed: UInt64
  let stage: FaultRig.Stage
  let fault: Fault
  let operation: Int
  /// How many operations fail.
  let times: Int
  let survivors: Survivors

  var description: String {
    "FERRY_SEED=\(seed) FERRY_OPERATION=\(operation): \(fault), \(stage), \(times == 1 ? "once" : "for good")"
      + (fault == .powerLoss ? ", \(survivors) survive" : "")
  }

  /// Lets it go wrong, and runs again without faults.
  ///
  /// - Returns: what isn't as it must be.
  func faults(against sound: SoundRun) async throws -> [String] {
    let folder = try GoldenFolder()
    try FaultCase.copy(sound.start, to: folder)
    let rig = try FaultCase.rig(sound.library, folder)
    var (faults, missing) = try await wreck(rig, folder, sound)
    let disk = try FaultDisk(folder: folder.path("sound"))
    disk.plan(.none)
    do {
      let (report, _) = try await rig.run(on: disk, number: FaultCase.secondRun)
      if !report.isOver { faults.append("the second run isn't over: \(report.stateNames)") }
    } catch {
      return faults + ["the second run fails: \(error)"]
    }
    let found = try StoreDump.lines(of: rig.storePath)
    faults += StoreDump.differences(sound.expected, found).prefix(5)
    faults += try rig.faultsOfAccounts()
    faults += try rig.faultsOfLog(runs: [(0, missing), (FaultCase.secondRun, 0)])
    return faults
  }

  private static let secondRun = 100_000

  /// - Returns: what isn't as it must be, and how many lines of the log may be missing.
  private func wreck(_ rig: FaultRig, _ folder: GoldenFolder, _ sound: SoundRun) async throws -> (
    [String], Int
  ) {
    switch fault {
    case .kill, .tear:
      let child = CrashChild(rig.folder, seed: seed, fault, at: operation)
      let ended = try await child.run()
      // The last operations of a run vary by some, as a checkpoint comes sooner or later.
      let isBeyond = ended == .exited(0) && operation > sound.changes.count - 50
      guard ended == .killed(SIGKILL) || isBeyond else { return (["the child \(ended)"], 0) }
      return (try rig.faultsOfWreck(acknowledged: spilled(rig)), 0)
    default:
      let disk = try FaultDisk(folder: folder.path("lost"))
      let said = Locked<[String]>([])
      disk.plan(fault, at: operation, times: times)
      var failure: (any Error)?
      var losses = 0
      do {
        losses = try await rig.run(on: disk, number: 0) { line in said.withLock { $0.append(line) } }.losses
      } catch {
        failure = error
      }
      let lines = said.withLock { $0 }
      if fault == .powerLoss {
        disk.lose(survivors, seed: seed &+ UInt64(operation))
        return (try rig.faultsOfWreck(acknowledged: lines), .max)
      }
      var faults = try rig.faultsOfWreck(acknowledged: lines)
      if let failure { faults += try faultsOfFailure(failure, lines, rig) }
      return (faults, max(losses, failure == nil ? 0 : lines.count))
    }
  }

  /// A failure must say what is wrong, in the journal too.
  private func faultsOfFailure(_ failure: any Error, _ said: [String], _ rig: FaultRig) throws -> [String] {
    guard let error = failure as? any FerryError, !error.sentence.isEmpty, !error.remedy.isEmpty else {
      return ["the failure has no name: \(failure)"]
    }
    var faults: [String] = []
    if fault == .noSpace, !error.sentence.contains("full"), !error.sentence.contains("No space left") {
      faults.append("it isn't said that the disk is full: \(error.sentence)")
    }
    let marker = ": failed: "
    guard times == 1, let line = said.last(where: { $0.contains(marker) }) else { return faults }
    let domain = String(line.prefix { $0 != ":" })
    guard let entry = try rig.journal().first(where: { $0.domain == domain }) else {
      return faults + ["the journal doesn't know that \(domain) failed"]
    }
    if entry.stop != .failed || entry.reason != error.sentence || entry.remedy != error.remedy {
      faults.append("the journal says \(entry) of \(error.sentence)")
    }
    return faults
  }

  private func spilled(_ rig: FaultRig) throws -> [String] {
    guard FileManager.default.fileExists(atPath: rig.spillPath) else { return [] }
    return try LogSpill(path: rig.spillPath).read(after: []).lines.map { spilled in
      spilled.line.message.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
    }
  }

  // MARK: Folders

  static func rig(_ library: GeneratedLibrary, _ folder: GoldenFolder) throws -> FaultRig {
    try FaultRig(library, folder: folder.path("store")) { spill, store in
      try await LogDAO.drain(spill, into: store.device)
    }
  }

  static func copy(_ start: GoldenFolder, to folder: GoldenFolder) throws {
    try FileManager.default.copyItem(atPath: start.path("store"), toPath: folder.path("store"))
  }
}
