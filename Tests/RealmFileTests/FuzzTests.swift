import Foundation
import Testing

@testable import RealmFile

@Suite("Damaged files")
struct FuzzTests {
  /// More rounds than the usual, for a long run by hand.
  private static let rounds =
    ProcessInfo.processInfo.environment["FERRY_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 120

  /// Reads everything; what isn't a value must be one of the errors that name damage.
  private func survive(_ bytes: [UInt8], _ what: @autoclosure () -> String) {
    do throws(RealmFileError) {
      try RealmFile(source: MemorySource(bytes)).readEverything()
    } catch {
      let clean = [
        "realm.damaged", "realm.notARealmFile", "realm.unsupportedFormat", "realm.emptyFile",
        "realm.encrypted",
      ]
      #expect(clean.contains(error.code), "\(what()): \(error)")
    }
  }

  /// Places in the file where a node begins.
  private func nodes(_ bytes: [UInt8]) -> [Int] {
    stride(from: 24, to: bytes.count - 16, by: 8).filter { bytes[$0..<$0 + 4].allSatisfy { $0 == 0x41 } }
  }

  @Test(
    "Flipped bits in nodes give values or clean errors, and always an end",
    arguments: ["app/alice", "formats/format-24"])
  func flips(name: String) throws {
    let original = [UInt8](try Data(contentsOf: Fixtures.committed("\(name).realm")))
    let places = nodes(original)
    for round in 0..<Self.rounds {
      var generator = SeededGenerator(seed: UInt64(round))
      var bytes = original
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        let place =
          try #require(places.randomElement(using: &generator)) + Int.random(in: 4..<24, using: &generator)
        guard place < bytes.count else { continue }
        bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      }
      survive(bytes, "seed \(round)")
    }
  }

  @Test("Refs that lead elsewhere give values or clean errors, and always an end")
  func swappedRefs() throws {
    let original = [UInt8](try Data(contentsOf: Fixtures.committed("formats/format-24.realm")))
    let places = nodes(original)
    for round in 0..<Self.rounds {
      var generator = SeededGenerator(seed: UInt64(round) << 32)
      var bytes = original
      for _ in 0..<20 {
        let from = try #require(places.randomElement(using: &generator))
        let to = try #require(places.randomElement(using: &generator))
        // A node of refs gets the ref of another node into one of its first slots.
        let width = (1 << Int(bytes[from + 4] & 7)) >> 4
        guard bytes[from + 4] & 0x40 != 0, width >= 2 else { continue }
        let slot = Int.random(in: 0..<max(1, Int(bytes[from + 7])), using: &generator)
        for index in 0..<min(width, 4) where from + 8 + slot * width + index < bytes.count {
          bytes[from + 8 + slot * width + index] = UInt8(truncatingIfNeeded: to >> (8 * index))
        }
      }
      survive(bytes, "seed \(UInt64(round) << 32)")
    }
  }

  @Test("A file cut anywhere gives values or clean errors")
  func truncation() throws {
    let original = [UInt8](try Data(contentsOf: Fixtures.committed("app/alice.realm")))
    var generator = SeededGenerator(seed: 3)
    var lengths = Array(0..<64) + [original.count - 4096, original.count - 8]
    for _ in 0..<Self.rounds { lengths.append(Int.random(in: 64..<original.count, using: &generator)) }
    for length in lengths {
      survive(Array(original[..<length]), "cut at \(length)")
      survive(
        Array(original[..<length]) + [UInt8](repeating: 0, count: original.count - length),
        "zeros from \(length)")
    }
  }
}
