import Foundation
import Testing

@testable import RealmFile

@Suite("Damaged files")
struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// More rounds than the usual, for a long run.
  private static let rounds = environment["FERRY_FUZZ_ROUNDS"].flatMap { Int($0) }
  /// Round n has this seed plus n, so that a run can begin with any round.
  private static let seed = environment["FERRY_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
  private static let usualRounds = 2_000
  private static let clean: Set = [
    "realm.damaged", "realm.notARealmFile", "realm.unsupportedFormat", "realm.emptyFile", "realm.encrypted",
    "realm.halfUpgraded",
  ]

  @Test("Changed files give values or clean errors, and always an end, read in order or salvaged")
  func mutations() {
    let rounds = Self.rounds ?? Self.usualRounds
    say("\(rounds) mutations of \(FuzzSeeds.all.count) files from seed \(Self.seed)")
    // What hangs dies of it, and not only the one who waits; the rounds since the last seed told can be run again.
    defer { alarm(0) }
    var refused = 0
    for round in 0..<rounds {
      if Self.rounds != nil { alarm(60) }
      let seed = Self.seed &+ UInt64(round)
      // For a crash, which ends the process: the rounds since can be run again one by one.
      if round % 1_000 == 0, Self.rounds != nil { say("at seed \(seed)") }
      let original = FuzzSeeds.seed(round: Int(seed % 1_000_000))
      if survive(FuzzMutation(of: original.bytes, seed: seed).bytes, "\(original.name), seed \(seed)") {
        refused += 1
      }
    }
    // Changes that nobody notices prove nothing.
    #expect(refused > rounds / 4)
    say("\(refused) of them were refused")
  }

  /// At once, so that it is there after a crash.
  private func say(_ text: String) {
    FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
  }

  @Test(
    "Of a whole file of any format nothing is lost when it is salvaged",
    arguments: FuzzSeeds.small.map(\.name))
  func salvaged(name: String) throws {
    let original = try #require(FuzzSeeds.small.first { $0.name == name }).bytes
    let whole = try RealmFile(salvaging: MemorySource(original)).salvageReport()
    #expect(whole.isComplete, "\(whole)")
    #expect(try whole.cells == RealmFile(source: MemorySource(original)).readEverything())
  }

  @Test("A file cut anywhere gives values or clean errors")
  func truncation() throws {
    let original = [UInt8](try Data(contentsOf: Fixtures.committed("app/alice.realm")))
    var generator = SeededGenerator(seed: 3)
    var lengths = Array(0..<64) + [original.count - 4096, original.count - 8]
    for _ in 0..<40 { lengths.append(Int.random(in: 64..<original.count, using: &generator)) }
    for length in lengths {
      survive(Array(original[..<length]), "cut at \(length)")
      survive(
        Array(original[..<length]) + [UInt8](repeating: 0, count: original.count - length),
        "zeros from \(length)")
    }
  }

  /// Reads everything in several ways; what isn't a value must be one of the errors that name damage.
  ///
  /// Returns whether there was one.
  @discardableResult
  private func survive(_ bytes: [UInt8], _ what: @autoclosure () -> String) -> Bool {
    let isRefused = attempt(what()) { () throws(RealmFileError) in
      let file = try RealmFile(source: MemorySource(bytes))
      _ = try file.info()
      for table in file.tables {
        _ = try table.row(key: 1)
        let rows = table.rows(after: 2)
        while let row = try rows.next() {
          for column in 0..<table.columns.count { _ = try row.cell(at: column) }
        }
      }
      try file.readEverything()
    }
    _ = attempt(what()) { () throws(RealmFileError) in
      let file = try RealmFile(salvaging: MemorySource(bytes))
      let report = try file.salvageReport()
      // What is lost reads as null: every row and cell can be gone over.
      #expect(try file.readEverything() == report.cells + report.lostCells, "\(what())")
    }
    return isRefused
  }

  private func attempt(
    _ what: @autoclosure () -> String, _ read: () throws(RealmFileError) -> Void
  ) -> Bool {
    do throws(RealmFileError) {
      try read()
      return false
    } catch {
      #expect(Self.clean.contains(error.code), "\(what()): \(error)")
      return true
    }
  }
}
