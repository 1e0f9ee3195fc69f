import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync

extension Ferry {
  /// Removes what deleted attachments have left on this device, of the accounts whose attachments were synced. What
  /// can't be removed now is for the next run, and in the log.
  ///
  /// - Throws: `CancellationError`; what the store throws.
  func tidyFiles(after report: SyncReport, in store: Store, _ log: any LogSink) async throws {
    for account in report.accountsWithAttachments(.synced) {
      do {
        try await AttachmentDAO.tidy(try store.account(account), at: Ferry.now())
      } catch let error as KernelError {
        log.append(
          LogLine(
            at: Ferry.now(), level: .error, category: "sync",
            message: "What deleted attachments have left stays: \(error.sentence)", account: account))
      }
    }
  }
}
