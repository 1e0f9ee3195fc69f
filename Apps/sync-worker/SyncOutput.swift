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
      if case .failed(let failure) = unit.outcome {
        call.note(visible("\(unit.account) \(unit.feed): \(failure.reason) \(failure.remedy)"))
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
    let (total, push) = (report.total.pull, report.total.push)
    let unsent = report.unsent.values.reduce(0, +)
    let waiting = report.units.count { $0.outcome == .waiting }
    var parts = [
      "\(total.written) written", "\(total.deleted) deleted", "\(total.unchanged) unchanged",
      "\(total.conflicts) in conflict", "\(total.refused) refused", "\(push.written + push.deleted) pushed",
      "\(unsent) unsent",
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
      case .planned: members["outcome"] = "planned"
      case .postponed(let time):
        members["outcome"] = "postponed"
        members["until"] = .string("\(time)")
      case .failed(let failure):
        members["outcome"] = "failed"
        members["code"] = .string(failure.code)
        members["reason"] = .string(failure.reason)
        members["remedy"] = .string(failure.remedy)
      case .synced: members["outcome"] = "synced"
      }
      for member in unit.counts.json.members { members[member.name] = member.value }
      return JSONValue.object(members)
    }
    var document: JSONObject = ["version": 1]
    for member in report.total.json.members { document[member.name] = member.value }
    document["unsent"] = .integer(Int64(report.unsent.values.reduce(0, +)))
    document["feeds"] = .array(units)
    return document
  }
}

extension SyncCounts {
  fileprivate var json: JSONObject {
    [
      "written": .integer(Int64(pull.written)), "deleted": .integer(Int64(pull.deleted)),
      "unchanged": .integer(Int64(pull.unchanged)), "conflicts": .integer(Int64(pull.conflicts)),
      "refused": .integer(Int64(pull.refused)), "pushed": .integer(Int64(push.written)),
      "pushedDeletes": .integer(Int64(push.deleted)), "quarantined": .integer(Int64(push.held)),
    ]
  }
}
