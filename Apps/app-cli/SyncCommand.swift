import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

/// `app-cli sync`: what `sync-worker` does, for a person who watches.
enum SyncCommand {
  static let command = Command(
    "sync", "Pull what the servers hold, and push what changed here.",
    discussion: """
      The same run as that of `sync-worker`, with its exit codes. Where a server was wiped, restored or exchanged it \
      stops before anything is deleted, and so it does where a plan deletes too much: --dry-run shows the plan; \
      --from-server, --from-device and --allow-deletes are the ways on.
      """,
    options: SyncRequest.options
  ) { call in
    let job = try SyncJob(SyncRequest(call), call)
    let bars = SyncBars(ProgressLines(on: call.terminal, clock: ContinuousClock()))
    let result: SyncResult
    do {
      result = try await job.run(by: Interruption()) { bars.update($0) }
      bars.end()
    } catch {
      bars.end()
      throw error
    }
    if call.wantsJSON {
      try call.json(try JSONValue.object(result.document).text())
    } else {
      try call.print(table(result))
      try call.print(visible(result.sentence))
    }
    for alert in result.report.alerts { call.note(visible("The server announces: \(alert)")) }
    for failure in result.failures + result.fileTroubles { call.note(visible(failure)) }
    return result.exitCode
  }

  private static func table(_ result: SyncResult) -> TextTable {
    var table = TextTable(
      ["Account", "Feed", "State"]
        + ["Written here", "Deleted here", "In conflict", "Quarantined", "Written there", "Deleted there"].map
      {
        .right($0)
      })
    for unit in result.report.units {
      let numbers = result.numbers(of: unit)
      let cells = [
        numbers.pull.written, numbers.pull.deleted, numbers.pull.conflicts, numbers.quarantined,
        numbers.pushed.written, numbers.pushed.deleted,
      ]
      table.add([unit.account.description, unit.feed, unit.outcome.name] + cells.map { grouped($0) })
    }
    return table
  }
}

/// A sync's progress as a line a feed.
private final class SyncBars: Sendable {
  private let lines: ProgressLines
  private let label = Locked<String?>(nil)

  init(_ lines: ProgressLines) { self.lines = lines }

  func update(_ progress: SyncProgress) {
    if progress.phase == .planning { return }
    let new = "\(progress.account) \(progress.feed)"
    let finished = label.withLock { label in
      defer { label = new }
      return label == new ? nil : label
    }
    if let finished { lines.finish(finished) }
    let (pull, push) = (progress.counts.pull, progress.counts.push)
    let pulled = pull.written + pull.deleted + pull.unchanged + pull.conflicts + pull.refused
    lines.update(new, done: pulled + push.written + push.deleted)
  }

  func end() { lines.end() }
}
