import FerryConsole
import FerryKernel

/// What became of the legacy rows, for a person and for a script.
enum TallyTable {
  /// A line per domain, entity and account, and their sum. Times that had to be bent, and deletions among the
  /// rows written, show only where there are any.
  static func table(_ tallies: [Tally]) -> TextTable {
    let bent = tallies.contains { $0.clamped > 0 }
    let deletes = tallies.contains { $0.deletes > 0 }
    let numbers =
      ["Read", "Written", "Merged", "Quarantined", "Left to server", "Discarded", "Resynced"]
      + (deletes ? ["Deletions"] : [])
    var table = TextTable(
      ["Domain", "Rows of", "Account"] + (numbers + (bent ? ["Times clamped"] : [])).map { .right($0) })
    func cells(_ tally: Tally) -> [String] {
      let values = [
        tally.read, tally.written, tally.merged, tally.quarantined, tally.left, tally.discarded,
        tally.resynced,
      ]
      return (values + (deletes ? [tally.deletes] : []) + (bent ? [tally.clamped] : [])).map {
        grouped(Int($0))
      }
    }
    guard let total = tallies.total else { return table }
    for tally in tallies { table.add([tally.domain, tally.entity, tally.account] + cells(tally)) }
    table.add(total: ["all", "", ""] + cells(total))
    return table
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
