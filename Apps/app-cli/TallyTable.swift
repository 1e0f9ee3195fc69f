import FerryConsole
import FerryKernel

/// What became of the legacy rows, for a person and for a script.
enum TallyTable {
  /// A line per domain, entity and account, and their sum. Times that had to be bent, and deletions among the
  /// rows written, show only where there are any.
  ///
  /// - Parameter width: the terminal's columns; where a line would be cut, whose rows they are stands on a line above
  ///   what became of them, so that no outcome is out of sight. nil: nothing is too wide.
  static func table(_ tallies: [Tally], width: Int?) -> TextTable {
    let wide = wide(tallies)
    let lines = wide.rendered().split(separator: "\n")
    guard let width, lines.contains(where: { displayWidth(of: String($0)) > width }) else { return wide }
    return narrow(tallies)
  }

  private static func wide(_ tallies: [Tally]) -> TextTable {
    let bent = tallies.contains { $0.clamped > 0 }
    let deletes = tallies.contains { $0.deletes > 0 }
    let numbers =
      ["Read", "Written", "Merged", "Quarantined", "Left to server", "Discarded", "Resynced"]
      + (deletes ? ["Deletions"] : []) + (bent ? ["Times clamped"] : [])
    var table = TextTable(["Domain", "Rows of", "Account"] + numbers.map { .right($0) })
    func cells(_ tally: Tally) -> [String] {
      outcomes(tally)
        + ((deletes ? [tally.deletes] : []) + (bent ? [tally.clamped] : [])).map { grouped(Int($0)) }
    }
    guard let total = tallies.total else { return table }
    for tally in tallies { table.add([tally.domain, tally.entity, tally.account] + cells(tally)) }
    table.add(total: ["all", "", ""] + cells(total))
    return table
  }

  /// At most 80 columns wide up to 9,999,999 rows.
  private static func narrow(_ tallies: [Tally]) -> TextTable {
    let numbers = ["Read", "Written", "Merged", "Quarantined", "Left", "Discarded", "Resynced"]
    var table = TextTable(numbers.map { .right($0) })
    guard let total = tallies.total else { return table }
    for tally in tallies {
      let rows = tally.domain == tally.entity ? tally.domain : "\(tally.domain), rows of \(tally.entity)"
      table.add(group: "\(rows), \(tally.account)\(extras(tally))")
      table.add(outcomes(tally))
    }
    table.add(group: "all\(extras(total))")
    table.add(total: outcomes(total))
    return table
  }

  private static func outcomes(_ tally: Tally) -> [String] {
    [
      tally.read, tally.written, tally.merged, tally.quarantined, tally.left, tally.discarded, tally.resynced,
    ].map { grouped(Int($0)) }
  }

  /// What there is to say beyond the outcomes: `: 2 deletions, 1 time clamped`.
  private static func extras(_ tally: Tally) -> String {
    func words(_ count: Int64, _ one: String, _ many: String) -> [String] {
      count == 0 ? [] : ["\(grouped(Int(count))) \(count == 1 ? one : many)"]
    }
    let extras =
      words(tally.deletes, "deletion", "deletions") + words(tally.clamped, "time clamped", "times clamped")
    return extras.isEmpty ? "" : ": " + extras.joined(separator: ", ")
  }
}

extension Tally {
  var json: JSONValue {
    .object([
      "domain": .string(domain), "account": .string(account), "entity": .string(entity),
      "read": .integer(read),
      "written": .integer(written), "merged": .integer(merged), "quarantined": .integer(quarantined),
      "leftToServer": .integer(left), "discarded": .integer(discarded), "resynced": .integer(resynced),
      "clampedTimes": .integer(clamped), "deletions": .integer(deletes),
    ])
  }
}
