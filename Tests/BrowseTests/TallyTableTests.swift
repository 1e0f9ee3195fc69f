import FerryConsole
import FerryKernel
import FerryStore
import Testing

@testable import app_cli

@Suite struct `The accounting of a crossing` {
  /// Tallies of which every column has a number of its own, each with so many digits.
  private func tallies(digits: Int, extras: Bool) throws -> [Tally] {
    let alice = try AccountID(server: "home", user: "alice")
    var number = digits == 1 ? 1 : Int64(String(repeating: "1", count: digits)) ?? 0
    func next() -> Int64 {
      defer { number += 1 }
      return number
    }
    return [("search-history", "search-history"), ("item", "draft")].map { domain, entity in
      var tally = Tally(domain: domain, account: alice, entity: entity)
      tally.read = next()
      tally.written = next()
      tally.merged = next()
      tally.quarantined = next()
      tally.left = next()
      tally.discarded = next()
      tally.resynced = next()
      if extras { (tally.clamped, tally.deletes) = (next(), next()) }
      return tally
    }
  }

  private func numbers(_ tally: Tally) -> [String] {
    [
      tally.read, tally.written, tally.merged, tally.quarantined, tally.left, tally.discarded, tally.resynced,
      tally.clamped, tally.deletes,
    ].filter { $0 > 0 }.map { grouped(Int($0)) }
  }

  @Test(arguments: [(1, false), (1, true), (3, true), (6, false), (7, true)])
  func `shows every outcome and every account whole in 80 columns`(_ digits: Int, _ extras: Bool) throws {
    let tallies = try tallies(digits: digits, extras: extras)
    let text = TallyTable.table(tallies, width: 80).rendered(width: 80)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { displayWidth(of: $0) <= 80 && !$0.contains("…") }, "\(text)")
    #expect(lines.filter { $0.contains("alice@home") }.count == 2, "\(text)")
    for word in ["Read", "Written", "Merged", "Quarantined", "Left", "Discarded", "Resynced"] {
      #expect(lines[0].contains(word))
    }
    for number in tallies.flatMap(numbers) {
      #expect(
        text.split(whereSeparator: { " \n:".contains($0) }).contains { $0 == number }, "\(number)\n\(text)")
    }
  }

  @Test func `has a line each where there is room, and in a pipe`() throws {
    let tallies = try tallies(digits: 6, extras: true)
    let piped = TallyTable.table(tallies, width: nil).rendered()
    #expect(TallyTable.table(tallies, width: 200).rendered(width: 200) == piped)
    #expect(piped.split(separator: "\n").count == 5)
    #expect(piped.contains("Left to server") && piped.contains("Times clamped"))
  }
}
