import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

extension SyncResult {
  /// The run as one line of JSON.
  public var document: JSONObject {
    let total = total
    var document: JSONObject = [
      "version": 1, "dryRun": .bool(isDryRun), "pulled": .integer(Int64(total.pulled)),
      "pushed": .integer(Int64(total.pushedInAll)),
    ]
    document.add(total.json)
    document["filesSent"] = .integer(Int64(files.sent))
    document["filesHeld"] = .integer(Int64(files.held))
    document["filesFailed"] = .integer(Int64(files.failed))
    document["filesWaiting"] = .integer(Int64(files.waiting))
    document["filesToSend"] = .integer(Int64(files.planned))
    document["files"] = .array(files.unsent.map { .object($0.json) })
    document["unsure"] = .integer(Int64(report.total.push.unsure))
    document["unsent"] = .integer(Int64(report.unsent.values.reduce(0, +)))
    document["bytes"] = .integer(report.traffic.sent + report.traffic.received)
    document["requests"] = .integer(Int64(report.traffic.requests))
    document["seconds"] = .number(Double(Int64(spent / .milliseconds(1))) / 1000)
    document["retryAt"] = retryAt.map { .string($0.description) } ?? .null
    document["exitCode"] = .integer(Int64(exitCode.rawValue))
    document["alerts"] = .array(report.alerts.map { .string($0) })
    document["feeds"] = .array(report.units.map { .object(json($0)) })
    return document
  }

  private func json(_ unit: SyncReport.Unit) -> JSONObject {
    var members: JSONObject = ["account": .string(unit.account.description), "feed": .string(unit.feed)]
    members["outcome"] = .string(unit.outcome.name)
    switch unit.outcome {
    case .synced, .planned, .waiting: break
    case .postponed(let time): members["until"] = .string(time.description)
    case .failed(let failure):
      members["kind"] = .string(failure.kind.rawValue)
      members["code"] = .string(failure.code)
      members["reason"] = .string(failure.reason)
      members["remedy"] = .string(failure.remedy)
    }
    let numbers = numbers(of: unit)
    members["pulled"] = .integer(Int64(numbers.pulled))
    members["pushed"] = .integer(Int64(numbers.pushedInAll))
    members.add(numbers.json)
    return members
  }
}

extension SyncResult.Numbers {
  fileprivate var json: JSONObject {
    [
      "written": .integer(Int64(pull.written)), "deleted": .integer(Int64(pull.deleted)),
      "unchanged": .integer(Int64(pull.unchanged)), "conflicts": .integer(Int64(pull.conflicts)),
      "refused": .integer(Int64(pull.refused)), "quarantined": .integer(Int64(quarantined)),
      "pushedWrites": .integer(Int64(pushed.written)), "pushedDeletes": .integer(Int64(pushed.deleted)),
    ]
  }
}

extension SentFiles.Unsent {
  fileprivate var json: JSONObject {
    [
      "account": .string(account.description), "id": .string(id.rawValue), "outcome": .string(outcome),
      "reason": .string(reason),
    ]
  }
}

extension SyncReport.Outcome {
  /// One word for scripts.
  public var name: String {
    switch self {
    case .synced: "synced"
    case .planned: "planned"
    case .waiting: "waiting"
    case .postponed: "postponed"
    case .failed: "failed"
    }
  }
}

extension JSONObject {
  fileprivate mutating func add(_ other: JSONObject) {
    for member in other.members { self[member.name] = member.value }
  }
}
