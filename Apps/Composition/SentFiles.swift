import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync

/// What became of attachments' files that a server didn't have, once their records were pushed.
public struct SentFiles: Sendable, Equatable {
  /// How many are on the server now.
  public var sent = 0
  /// How many are damaged, not taken by the server as they are, or not the one that it has. They stay here and hold
  /// nothing up; `app-cli attachment send` tries again.
  public var held = 0
  /// How many the next run sends.
  public var failed = 0
  /// How many wait for their record, or for a server that takes files.
  public var waiting = 0
  /// In a plan: how many would be sent, or tried.
  public var planned = 0
  /// Those that weren't sent, with why.
  public var unsent: [Unsent] = []

  public init() {}

  /// A file that no server has.
  public struct Unsent: Sendable, Equatable {
    public let account: AccountID
    public let id: AttachmentID
    /// One word for scripts.
    public let outcome: String
    public let reason: String
  }
}

extension Ferry {
  /// Sends the files of the accounts whose attachments were synced. Records have gone before, all of them: a large
  /// file keeps none waiting.
  ///
  /// - Parameter retrying: whether what the server didn't take before is sent again, as to another server.
  /// - Throws: `CancellationError`, at a file's edge; what the store throws.
  func sendFiles(
    after run: SyncRun, _ report: inout SyncReport, in store: Store, _ log: any LogSink, retrying: Bool
  ) async throws -> SentFiles {
    var files = SentFiles()
    for account in report.accountsWithAttachments(.synced) {
      let outcomes = try await run.finish(account, &report) {
        try await AttachmentDAO.sendFiles(store.account(account), through: blobs, retrying: retrying)
      }
      for (id, outcome) in outcomes {
        guard let trouble = files.count(outcome, of: id, account) else { continue }
        log.append(
          LogLine(
            at: Ferry.now(), level: .error, category: "sync", message: "The file of \(id): \(trouble)",
            account: account))
      }
    }
    return files
  }

  /// What a run would send. Nothing is asked or changed.
  func plannedFiles(of report: SyncReport, in store: Store) async throws -> SentFiles {
    var files = SentFiles()
    guard store.has(AttachmentFile.table.declaration) else { return files }
    for account in report.accountsWithAttachments(.planned) {
      files.planned += try await store.account(account).read { try AttachmentDAO.unsentFiles($0).count }
    }
    return files
  }
}

extension SyncReport {
  /// The accounts whose attachments came to this.
  func accountsWithAttachments(_ outcome: Outcome) -> [AccountID] {
    let feeds = Domain.attachment.feeds.map(\.name)
    return units.filter { $0.outcome == outcome && feeds.contains($0.feed) }.map(\.account)
  }
}

extension SentFiles {
  /// - Returns: what is to be logged; nil where that is nothing.
  fileprivate mutating func count(_ outcome: AttachmentDAO.Sent, of id: AttachmentID, _ account: AccountID)
    -> String?
  {
    func add(_ outcome: String, _ reason: String) {
      unsent.append(Unsent(account: account, id: id, outcome: outcome, reason: reason))
    }
    switch outcome {
    case .sent: sent += 1
    case .waiting:
      waiting += 1
      add("waiting", "Its record has to be sent first.")
    // As records do, it waits for a server that takes it.
    case .failed("sync.readOnly", let reason), .failed("sync.keepsNoFiles", let reason):
      waiting += 1
      add("waiting", reason)
    case .held(let reason, let isNew):
      held += 1
      add("held", reason)
      return isNew ? reason : nil
    case .failed(_, let reason):
      failed += 1
      add("failed", reason)
      return reason
    }
    return nil
  }

  /// Why files weren't sent, for whoever reads a mail: once where several of an account have one reason.
  var troubles: [String] {
    var groups: [(first: Unsent, count: Int)] = []
    for file in unsent {
      let isSame = { (group: (first: Unsent, count: Int)) in
        group.first.account == file.account && group.first.outcome == file.outcome
          && group.first.reason.utf8.elementsEqual(file.reason.utf8)
      }
      if let index = groups.firstIndex(where: isSame) {
        groups[index].count += 1
      } else {
        groups.append((file, 1))
      }
    }
    return groups.map { first, count in
      let others = count == 1 ? "" : " and \(count - 1) more"
      let remedy = first.outcome == "held" ? " `app-cli attachment send` tries again." : ""
      return "\(first.account): the file of \(first.id)\(others) wasn't sent: \(first.reason)\(remedy)"
    }
  }

  /// Why files of accounts failed, of each the first one.
  var failures: [(account: AccountID, reason: String)] {
    var failures: [(account: AccountID, reason: String)] = []
    for file in unsent
    where file.outcome == "failed" && !failures.contains(where: { $0.account == file.account }) {
      failures.append((file.account, "A file wasn't sent: \(file.reason)"))
    }
    return failures
  }
}
