import Composition
import FerryConsole
import FerryKernel
import FerrySync

/// A run on the streams: a line for whoever reads the mail that cron sends.
struct SyncOutput {
  private let result: SyncResult

  init(_ result: SyncResult) { self.result = result }

  func show(_ call: Invocation) throws {
    if call.wantsJSON {
      try call.json(try JSONValue.object(result.document).text())
    } else {
      if result.isDryRun { try showPlan(call) }
      try call.print(visible(result.sentence))
    }
    for alert in result.report.alerts { call.note(visible("The server announces: \(alert)")) }
    for failure in result.failures + result.fileTroubles { call.note(visible(failure)) }
  }

  private func showPlan(_ call: Invocation) throws {
    for unit in result.report.units where unit.plan != nil {
      let numbers = result.numbers(of: unit)
      try call.print(
        visible(
          "\(unit.account) \(unit.feed): \(numbers.pull.written) to write here, \(numbers.pull.deleted) to delete "
            + "here, \(numbers.pull.conflicts) in conflict, \(numbers.pushed.written) to write there, "
            + "\(numbers.pushed.deleted) to delete there"))
    }
  }
}
