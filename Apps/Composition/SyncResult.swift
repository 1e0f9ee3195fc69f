import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

/// What a sync did, or would do, in the words of both apps.
public struct SyncResult: Sendable {
  public let report: SyncReport
  /// Whether it is a plan, and nothing was done.
  public let isDryRun: Bool
  /// How long it took.
  public let spent: Duration
  /// What became of attachments' files.
  public let files: SentFiles

  public init(report: SyncReport, isDryRun: Bool, spent: Duration, files: SentFiles = SentFiles()) {
    (self.report, self.isDryRun, self.spent, self.files) = (report, isDryRun, spent, files)
  }

  /// When the next run makes sense; nil: at any time.
  public var retryAt: Timestamp? {
    var latest = report.retryAt
    for unit in report.units {
      if case .postponed(let time) = unit.outcome { latest = max(latest ?? time, time) }
    }
    return latest
  }

  /// What the process leaves behind for a script.
  ///
  /// What takes a person comes first, also where other feeds were synced: a server that isn't the one it was, then a
  /// plan that deletes too much, then an account that isn't accepted. What waiting mends counts as failed only
  /// where nothing was synced.
  public var exitCode: ExitCode {
    let kinds = report.failureKinds
    if kinds.contains(.otherServer) { return .otherServer }
    if kinds.contains(.brake) { return .brake }
    if kinds.contains(.authorization) { return .noPermission }
    let isWaiting =
      report.total.push.unsure > 0
      || report.units.contains { if case .postponed = $0.outcome { true } else { false } }
    if kinds.isEmpty { return files.failed > 0 ? .partial : isWaiting ? .temporary : .ok }
    let isSynced = report.units.contains { $0.outcome == .synced || $0.outcome == .planned }
    if isSynced { return .partial }
    return kinds == [.network] ? .temporary : .failure
  }

  /// The numbers of one feed, or of all.
  public struct Numbers: Sendable, Equatable {
    public var pull = PullCounts()
    /// Records made or changed on the server, and deleted there.
    public var pushed = (written: 0, deleted: 0)
    /// Records that the server never takes, and that wait for somebody to look at them.
    public var held = 0

    public static func == (left: Numbers, right: Numbers) -> Bool {
      left.pull == right.pull && left.pushed == right.pushed && left.held == right.held
    }

    /// Records of the server that changed something here.
    public var pulled: Int { pull.written + pull.deleted }
    public var pushedInAll: Int { pushed.written + pushed.deleted }
    /// What was set aside, on the way in or out.
    public var quarantined: Int { pull.refused + held }
  }

  /// What was done of a feed; in a dry run what would be.
  public func numbers(of unit: SyncReport.Unit) -> Numbers {
    guard isDryRun else {
      return Numbers(
        pull: unit.counts.pull, pushed: (unit.counts.push.written, unit.counts.push.deleted),
        held: unit.counts.push.held)
    }
    let plan = unit.plan
    return Numbers(
      pull: plan?.incoming ?? PullCounts(),
      pushed: (plan?.outgoing.written ?? 0, plan?.outgoing.deleted ?? 0))
  }

  /// The sum over all feeds.
  public var total: Numbers {
    var total = Numbers()
    for unit in report.units {
      let numbers = numbers(of: unit)
      total.pull += numbers.pull
      total.pushed.written += numbers.pushed.written
      total.pushed.deleted += numbers.pushed.deleted
      total.held += numbers.held
    }
    return total
  }

  /// Why feeds weren't synced, for whoever reads a mail: once where several of an account have one reason.
  public var failures: [String] {
    var failures: [(account: AccountID, feeds: [String], words: String)] = []
    for unit in report.units {
      guard case .failed(let failure) = unit.outcome else { continue }
      let words = "\(failure.reason) \(failure.remedy)"
      if let last = failures.last, last.account == unit.account, last.words.utf8.elementsEqual(words.utf8) {
        failures[failures.count - 1].feeds.append(unit.feed)
      } else {
        failures.append((unit.account, [unit.feed], words))
      }
    }
    return failures.map { "\($0.account) \($0.feeds.joined(separator: ", ")): \($0.words)" }
  }

  /// Why files of attachments weren't sent.
  public var fileTroubles: [String] { files.troubles }

  /// All of it in one sentence.
  public var sentence: String {
    let total = total
    let unsent = report.unsent.values.reduce(0, +)
    let waiting = report.units.count { $0.outcome == .waiting }
    var parts = [
      "\(total.pull.written) written", "\(total.pull.deleted) deleted", "\(total.pull.unchanged) unchanged",
      "\(total.pull.conflicts) in conflict", "\(total.quarantined) quarantined",
      "\(total.pushedInAll) pushed",
      "\(unsent) unsent",
    ]
    let unsure = report.total.push.unsure
    if unsure > 0 { parts.append("\(unsure) without an answer") }
    if files.planned > 0 {
      parts.append("\(files.planned) files to send")
    } else if files != SentFiles() {
      parts.append("\(files.sent) files sent, \(files.held) not taken, \(files.failed) failed")
      if files.waiting > 0 { parts.append("\(files.waiting) waiting") }
    }
    if waiting > 0 { parts.append("\(waiting) feeds wait for the crossing") }
    if report.failures > 0 { parts.append("\(report.failures) of \(report.units.count) feeds failed") }
    if let retryAt { parts.append("the server asks to be left alone until \(retryAt)") }
    return (isDryRun ? "Would be: " : "") + parts.joined(separator: ", ") + "."
  }
}
