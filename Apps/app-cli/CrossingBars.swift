import FerryConsole
import FerryKernel
import FerryStore

/// A crossing's progress as a line a domain, and one more where a server refills it: the rows of all its
/// entities and accounts add up.
final class CrossingBars: Sendable {
  private let lines: ProgressLines
  private let counts = Locked<Counts>(Counts())

  private struct Counts {
    var label: String?
    /// Rows done, and expected where that is known, of each entity and account.
    var parts: [String: (done: Int64, of: Int64?)] = [:]
  }

  init(_ lines: ProgressLines) { self.lines = lines }

  func update(_ progress: CrossingProgress) {
    let label = progress.phase == .resynced ? "\(progress.domain), from the server" : progress.domain
    let (finished, done, total) = counts.withLock { counts in
      var finished: String?
      if counts.label != label {
        finished = counts.label
        counts = Counts(label: label)
      }
      if let entity = progress.entity {
        counts.parts["\(progress.account?.description ?? "")/\(entity)"] = (progress.done, progress.of)
      }
      let total = counts.parts.values.compactMap(\.of).reduce(0, +)
      return (finished, counts.parts.values.map(\.done).reduce(0, +), progress.of == nil ? nil : total)
    }
    if let finished { lines.finish(finished) }
    lines.update(label, done: Int(done), total: total.map(Int.init))
  }

  func end() {
    if let label = counts.withLock({ $0.label }) { lines.finish(label) }
    lines.end()
  }
}
