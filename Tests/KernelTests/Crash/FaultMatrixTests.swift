import FerryStore
import Foundation
import TestKit
import Testing

/// Whatever a disk does wrong at any operation, the next run comes to the same end, row by row (traps M1).
///
/// `make test` takes some operations, `make soak` all of them. A failure says how to have it again:
/// `FERRY_SEED=… FERRY_OPERATION=… swift test --filter FaultMatrix` takes that library and operation alone.
@Suite(.waitsOnThreads) struct FaultMatrixTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seed = environment["FERRY_SEED"].flatMap(UInt64.init) ?? 20_261_130
  private static let operation = environment["FERRY_OPERATION"].flatMap(Int.init)
  private static let isSoak = environment["FERRY_SOAK"] != nil
  /// Of how many operations a soak takes one, another one with each seed.
  private static let share = max(1, environment["FERRY_SHARE"].flatMap(Int.init) ?? 1)
  /// How many libraries a soak takes.
  private static let rounds = isSoak ? environment["FERRY_ROUNDS"].flatMap(Int.init) ?? 1 : 1

  @Test(arguments: Fault.allCases.dropFirst())
  func `After a fault at any operation the next run comes to the same end`(fault: Fault) async throws {
    for round in 0..<UInt64(FaultMatrixTests.rounds) {
      for stage in FaultRig.Stage.allCases {
        let sound = try await SoundRuns.shared.run(seed: FaultMatrixTests.seed &+ round, stage)
        let cases = FaultMatrixTests.cases(fault, sound)
        let count = Progress(of: cases.count, "\(fault), \(stage), FERRY_SEED=\(sound.library.seed)")
        await withTaskGroup { group in
          for found in cases {
            group.addTask {
              let faults = await FaultMatrixTests.faults(of: found, sound)
              if !faults.isEmpty { Issue.record("\(found): \(faults)\n\(sound.name(of: found))") }
              count.didEnd(isSound: faults.isEmpty)
            }
          }
        }
      }
    }
  }

  private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount)

  private static func faults(of found: FaultCase, _ sound: SoundRun) async -> [String] {
    do {
      return try await turns.taking { try await found.faults(against: sound) }
    } catch {
      return ["\(error)"]
    }
  }

  private static func cases(_ fault: Fault, _ sound: SoundRun) -> [FaultCase] {
    var random = SplitMix64(seed: sound.library.seed &+ UInt64(fault.rawValue))
    return operations(fault, sound, &random).flatMap { number in
      variants(fault, &random).map { times, survivors in
        FaultCase(
          seed: sound.library.seed, stage: sound.stage, fault: fault, operation: number, times: times,
          survivors: survivors)
      }
    }
  }

  private static func operations(_ fault: Fault, _ sound: SoundRun, _ random: inout SplitMix64) -> [Int] {
    if let operation { return [operation] }
    let few = [.powerLoss: 24, .kill: 12, .tear: 8, .ioError: 14, .noSpace: 12][fault] ?? 10
    guard fault == .unreadable else {
      if isSoak {
        let points = sound.points
        let first = Int.random(in: 0..<share, using: &random)
        return stride(from: first, to: points.count, by: share).map { points[$0] }
      }
      return sound.points(few, &random) + (fault == .powerLoss ? sound.lastPoints : [])
    }
    // Most reads are of pages, and one is like another.
    return isSoak
      ? Array(stride(from: Int.random(in: 1...8, using: &random), through: sound.reads, by: 8 * share))
      : (0..<few).map { _ in Int.random(in: 1...sound.reads, using: &random) }
  }

  /// In how many ways an operation goes wrong.
  private static func variants(_ fault: Fault, _ random: inout SplitMix64) -> [(times: Int, Survivors)] {
    var all: [(times: Int, Survivors)] = [(.max, .all)]
    switch fault {
    case .powerLoss: all = Survivors.allCases.map { (.max, $0) }
    case .ioError, .noSpace, .unreadable: all.append((1, .all))
    case .none, .kill, .tear: break
    }
    if isSoak || operation != nil { return all }
    // Where all survives, it is as if the process had died.
    if fault == .powerLoss { all.removeAll { $0.1 == .all } }
    return [all[Int.random(in: all.indices, using: &random)]]
  }
}

extension SoundRun {
  /// What an operation does on a sound disk.
  fileprivate func name(of found: FaultCase) -> String {
    let index = found.operation - 1
    return found.fault != .unreadable && changes.indices.contains(index) ? changes[index] : ""
  }
}

/// Each library's sound run, once.
private actor SoundRuns {
  static let shared = SoundRuns()
  private var runs: [String: Task<SoundRun, any Error>] = [:]

  func run(seed: UInt64, _ stage: FaultRig.Stage) async throws -> SoundRun {
    let run = runs["\(seed) \(stage)"] ?? Task { try await SoundRun(seed: seed, stage) }
    runs["\(seed) \(stage)"] = run
    return try await run.value
  }
}

/// Says now and then how far a soak is.
private final class Progress: Sendable {
  private let title: String
  private let total: Int
  private let counts = Locked((ended: 0, failed: 0))

  init(of total: Int, _ title: String) { (self.total, self.title) = (total, title) }

  func didEnd(isSound: Bool) {
    let (ended, failed) = counts.withLock { counts in
      counts.ended += 1
      if !isSound { counts.failed += 1 }
      return counts
    }
    guard ProcessInfo.processInfo.environment["FERRY_SOAK"] != nil, ended % 100 == 0 || ended == total else {
      return
    }
    FileHandle.standardError.write(Data("soak: \(title): \(ended) of \(total), \(failed) failed\n".utf8))
  }
}
