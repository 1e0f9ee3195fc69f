import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

/// A run's report on the streams, and as an exit code.
struct SyncOutput {
  private let report: SyncReport

  init(_ report: SyncReport) { self.report = report }

  func show(_ call: Invocation) throws -> ExitCode {
    if call.wantsJSON {
      try call.json(try JSONValue.object(document).text())
    } else {
      try call.print(visible(line))
    }
    for unit in report.units {
      if case .failed(_, let reason, let remedy) = unit.outcome {
        call.note(visible("\(unit.account) \(unit.feed): \(reason) \(remedy)"))
      }
    }
    return exitCode
  }

  private var exitCode: ExitCode {
    switch report.failures {
    case 0: .ok
    case report.units.count: .failure
    default: .partial
    }
  }

  private var line: String {
    let total = report.total
    let unsent = report.unsent.values.reduce(0, +)
    let waiting = report.units.count { $0.outcome == .waiting }
    var parts = [
      "\(total.written) written", "\(total.deleted) deleted", "\(total.unchanged) unchanged",
      "\(total.conflicts) in conflict", "\(total.refused) refused", "\(unsent) unsent",
    ]
    if waiting > 0 { parts.append("\(waiting) feeds wait for the crossing") }
    if report.failures > 0 { parts.append("\(report.failures) of \(report.units.count) feeds failed") }
    return parts.joined(separator: ", ") + "."
  }

  private var document: JSONObject {
    let units = report.units.map { unit in
      var members: JSONObject = ["account": .string(unit.account.description), "feed": .string(unit.feed)]
      switch unit.outcome {
      case .waiting: members["outcome"] = "waiting"
      case .failed(let code, let reason, let remedy):
        members["outcome"] = "failed"
        members["code"] = .string(code)
        members["reason"] = .string(reason)
        members["remedy"] = .string(remedy)
      case .pulled(let counts):
        members["outcome"] = "pulled"
        for member in counts.json.members { members[member.name] = member.value }
      }
      return JSONValue.object(members)
    }
    var document: JSONObject = ["version": 1]
    for member in report.total.json.members { document[member.name] = member.value }
    document["unsent"] = .integer(Int64(report.unsent.values.reduce(0, +)))
    document["feeds"] = .array(units)
    return document
  }
}

extension PullCounts {
  fileprivate var json: JSONObject {
    [
      "written": .integer(Int64(written)), "deleted": .integer(Int64(deleted)),
      "unchanged": .integer(Int64(unchanged)), "conflicts": .integer(Int64(conflicts)),
      "refused": .integer(Int64(refused)),
    ]
  }
}
