import Composition
import FerryKernel
import FerryStore
import FerrySync

/// What a reviewer wants to know of a crossing: the content of `migrate --report` and of `migrate --json`.
struct Review {
  /// How a promise stands.
  enum Verdict: String { case holds, broken, open }

  struct Check {
    let sentence: String
    let verdict: Verdict
  }

  let at: Timestamp
  let report: CrossingReport
  let leftovers: Leftovers
  /// The rows in quarantine, no more than `shownRows` of them.
  let quarantine: [QuarantinedRow]
  let retirement: Retirement?
  let accounts: Int
  /// Legacy files that lie again where archived ones were.
  let returned: [String]

  static let shownRows = 500

  init(_ report: CrossingReport, _ store: Store, returned: [String]) throws {
    (self.report, leftovers, at) = (report, try Leftovers(in: store), Ferry.now())
    self.returned = returned
    (quarantine, retirement, accounts) = try store.device.blockingRead { snapshot in
      (
        try snapshot.fetch(QuarantinedRow.all.limit(Review.shownRows)),
        try snapshot.fetch(Retirement.all).first, try snapshot.accounts().count
      )
    }
  }

  var checks: [Check] {
    let total = report.tallies.total
    let gaps = report.tallies.filter { $0.accounted != $0.read }
    let done = report.states.filter { $0.state == .done }.count
    let failed = report.states.contains { $0.state.name == "failed" }
    let isOpen: Verdict = report.isOver ? .holds : failed ? .broken : .open
    return [
      Check(sentence: "\(done) of \(report.states.count) domains are done.", verdict: isOpen),
      Check(
        sentence: total.map { total in
          gaps.isEmpty
            ? "Every row read has exactly one outcome: \(total.read) = \(total.written) written + "
              + "\(total.merged) merged + \(total.quarantined) quarantined + \(total.left) left to the server + "
              + "\(total.discarded) discarded."
            : "Rows are missing of \(gaps.map(\.id).joined(separator: ", "))."
        } ?? "No row has been read yet.", verdict: total == nil ? .open : gaps.isEmpty ? .holds : .broken),
      Check(
        sentence:
          "Every table holds what was written into it, and every key left to the server was looked up.",
        verdict: isOpen),
      Check(
        sentence: leftovers.quarantined == 0
          ? "No row is in quarantine."
          : "\(leftovers.quarantined) rows are in quarantine, whole, for a person to look at.",
        verdict: leftovers.quarantined == 0 ? .holds : .open),
      Check(
        sentence: leftovers.conflicts == 0
          ? "No record is in conflict with a server."
          : "\(leftovers.conflicts) records are in conflict with a server.",
        verdict: leftovers.conflicts == 0 ? .holds : .open),
      retirementCheck,
    ] + returned.map { Check(sentence: Review.sentence(ofReturned: $0), verdict: .open) }
  }

  /// What has happened to a legacy file's place, and what to do.
  static func sentence(ofReturned path: String) -> String {
    "\(path) is there again, and nothing reads it: the crossing is over. Update the app that wrote it, look at what is "
      + "new with `app-cli realm export`, and move it away."
  }

  private var retirementCheck: Check {
    switch retirement?.phase {
    case .archived:
      Check(sentence: "The legacy files are in the archive, each with its SHA-256.", verdict: .holds)
    case .removed: Check(sentence: "The legacy files were removed with their archive.", verdict: .holds)
    case .moving, nil: Check(sentence: "The legacy files are where they were.", verdict: .open)
    }
  }

  var json: JSONObject {
    [
      "over": .bool(report.isOver), "changed": .bool(report.didWork),
      "roadmap": RoadmapCommand.json(report.states),
      "tallies": .array(report.tallies.map(\.json)), "quarantined": .integer(Int64(leftovers.quarantined)),
      "conflicts": .integer(Int64(leftovers.conflicts)),
      "times": .array(
        report.times.map { time in
          .object([
            "domain": .string(time.domain), "phase": .string(time.phase.rawValue),
            "nanoseconds": .integer(time.nanoseconds),
          ])
        }),
      "quarantine": .array(
        quarantine.map { row in
          .object([
            "id": .string(row.id), "domain": .string(row.domain), "account": .string(row.account),
            "entity": .string(row.entity), "reason": .string(row.reason), "content": .string(row.content),
          ])
        }),
      "checks": .array(
        checks.map { .object(["check": .string($0.sentence), "verdict": .string($0.verdict.rawValue)]) }),
      "returned": .array(returned.map { .string($0) }),
      "retired": retirement.map { .string($0.phase.rawValue) } ?? .null,
    ]
  }
}
