import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync

/// What became of attachments' files that a server didn't have, once their records were pushed.
public struct SentFiles: Sendable, Equatable {
  /// How many are on the server now.
  public var sent = 0
  /// How many the server doesn't take as they are, or has another one of. They stay here and hold nothing up;
  /// `app-cli attachment send` tries again.
  public var held = 0
  /// How many the next run sends.
  public var failed = 0

  public init() {}
}

extension Ferry {
  /// Sends the files of the accounts whose attachments were synced. Records have gone before, all of them: a large
  /// file keeps none waiting.
  ///
  /// - Throws: `CancellationError`, at a file's edge; what the store throws.
  func sendFiles(after run: SyncRun, _ report: inout SyncReport, in store: Store, _ log: any LogSink)
    async throws -> SentFiles
  {
    var files = SentFiles()
    for account in report.accountsWithAttachments {
      let outcomes = try await run.finish(account, &report) {
        try await AttachmentDAO.sendFiles(store.account(account), through: blobs)
      }
      for (id, outcome) in outcomes {
        guard let trouble = files.count(outcome) else { continue }
        log.append(
          LogLine(
            at: Ferry.now(), level: .error, category: "sync", message: "The file of \(id): \(trouble)",
            account: account))
      }
    }
    return files
  }
}

extension SyncReport {
  /// The accounts whose attachments were synced.
  var accountsWithAttachments: [AccountID] {
    let feeds = Domain.attachment.feeds.map(\.name)
    return units.filter { $0.outcome == .synced && feeds.contains($0.feed) }.map(\.account)
  }
}

extension SentFiles {
  /// - Returns: what is to be said of it; nil where that is nothing.
  fileprivate mutating func count(_ outcome: AttachmentDAO.Sent) -> String? {
    switch outcome {
    case .sent: sent += 1
    // Its record waits for a person, and is told of where that is.
    case .waiting: break
    // As records do, it waits for a server that takes changes again.
    case .failed("sync.readOnly", _): break
    case .held(let reason, let isNew):
      held += 1
      return isNew ? reason : nil
    case .failed(_, let reason):
      failed += 1
      return reason
    }
    return nil
  }
}
