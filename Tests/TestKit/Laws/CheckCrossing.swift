import FerryKernel
import FerryStore

/// What every crossing must keep to, whatever the legacy rows are: doubled, torn, out of range, of the wrong kinds.
///
/// * every legacy row has exactly one outcome, and those that are said to be written are in the table (traps M5);
/// * a row that couldn't cross is kept whole with a reason;
/// * crossing again changes nothing, and crossing the same rows into another store gives the same store (traps K2):
///   nothing goes by chance, by the time or by what was there before.
public struct CheckCrossing: Sendable {
  public let domain: Domain
  public let seed: UInt64

  public init(_ domain: Domain, seed: UInt64 = 0xc2055) { (self.domain, self.seed) = (domain, seed) }

  /// What it doesn't keep to, a sentence each.
  public func violations() async throws -> [String] {
    guard !domain.crossings.isEmpty else { return [] }
    var violations: [String] = []
    var strategies: [String?] = [nil, "discard"]
    if !domain.feeds.isEmpty { strategies.append("resync") }
    for strategy in strategies where !(domain.isLast && strategy != nil) {
      let crossing = LawCrossing(domain, [], seed: seed, strategy: strategy)
      let outcome = try await crossing.run(of: crossing.accounts)
      let name = strategy ?? "copy"
      if let failure = outcome.failure {
        violations.append("\(name): it doesn't come to its end: \(failure)")
        continue
      }
      violations += balance(outcome, crossing).map { "\(name): \($0)" }
      let changed = StoreDump.differences(outcome.dump, outcome.secondDump)
      if !changed.isEmpty {
        violations.append("\(name): crossing again changes \(changed.prefix(3).joined(separator: "; "))")
      }
      let anew = try await crossing.run(of: crossing.accounts)
      let other = StoreDump.differences(outcome.dump, anew.dump)
      if !other.isEmpty {
        violations.append(
          "\(name): the same rows make another store: \(other.prefix(3).joined(separator: "; "))")
      }
    }
    return violations
  }

  private func balance(_ outcome: LawCrossing.Outcome, _ crossing: LawCrossing) -> [String] {
    var violations: [String] = []
    let counts = crossing.rowCounts()
    if outcome.tallies.count != counts.count * crossing.accounts.count {
      violations.append("there are \(outcome.tallies.count) tallies of \(counts.count) entities")
    }
    for tally in outcome.tallies {
      let sum = tally.written + tally.merged + tally.quarantined + tally.left + tally.discarded
      if tally.read != Int64(counts[tally.entity] ?? -1) || tally.read != sum {
        violations.append(
          "\(tally.entity) of \(tally.account): \(counts[tally.entity] ?? -1) rows, \(tally.read) read, "
            + "\(sum) accounted for")
      }
      let kept = outcome.quarantined.filter { $0.entity == tally.entity && $0.account == tally.account }
      if Int64(kept.count) != tally.quarantined
        || kept.contains(where: { $0.reason.isEmpty || $0.content.isEmpty })
      {
        violations.append(
          "\(tally.entity) of \(tally.account): \(tally.quarantined) rows are quarantined, \(kept.count) are kept"
        )
      }
    }
    for crossing in domain.onePerTable {
      let entities = domain.crossings.filter { $0.table.name == crossing.table.name }.map(\.entity)
      let written = outcome.tallies.filter { entities.contains($0.entity) }
        .reduce(0) { $0 + $1.written - $1.deletes }
      let found = outcome.count(crossing)
      if written != found {
        violations.append("\(written) rows are written to \(crossing.table.name), which has \(found)")
      }
    }
    return violations
  }
}

extension Domain {
  /// A crossing into each table that has any.
  var onePerTable: [Crossing] {
    crossings.enumerated().filter { index, crossing in
      !crossings.prefix(index).contains { $0.table.name == crossing.table.name }
    }.map(\.element)
  }
}
