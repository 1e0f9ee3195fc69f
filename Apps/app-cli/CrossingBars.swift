import FerryConsole
import FerryKernel
import FerryStore

/// A crossing's progress as a line a domain: the rows of all its entities and accounts add up.
final class CrossingBars: Sendable {
  private let lines: ProgressLines
  private let counts = Locked<Counts>(Counts())

  private struct Counts {
    var domain: String?
    /// Rows done and expected of each entity and account of the domain.
    var parts: [String: (done: Int64, of: Int64)] = [:]
  }

  init(_ lines: ProgressLines) { self.lines = lines }

  func update(_ progress: CrossingProgress) {
    let (finished, done, total) = counts.withLock { counts in
      var finished: String?
      if counts.domain != progress.domain {
        finished = counts.domain
        counts = Counts(domain: progress.domain)
      }
      if progress.phase != .backedUp {
        let part = "\(progress.phase.rawValue) \(progress.account?.description ?? "") \(progress.entity ?? "")"
        counts.parts[part] = (progress.done, progress.of ?? progress.done)
      }
      let (done, total) = counts.parts.values.reduce((0, 0)) { ($0.0 + $1.done, $0.1 + $1.of) }
      return (finished, done, total)
    }
    if let finished { lines.finish(finished) }
    lines.update(progress.domain, done: Int(done), total: total > 0 ? Int(total) : nil)
  }

  func end() {
    if let domain = counts.withLock({ $0.domain }) { lines.finish(domain) }
    lines.end()
  }
}
