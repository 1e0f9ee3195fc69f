import FerryKernel
import FerryStore

extension SyncRun {
  /// Does what else there is to do with an account's server once its feeds are synced, such as sending files. What goes
  /// over the wire is added to the report; what the server asks for meanwhile is kept for the next run.
  ///
  /// - Throws: what `body` throws, and the store; `RemoteError.unknownServer`.
  public func finish<Result>(
    _ account: AccountID, _ report: inout SyncReport, _ body: () async throws -> Result
  ) async throws -> Result {
    let remote = try remotes.remote(of: account)
    let before = remote.traffic
    let result: Result
    do {
      result = try await body()
    } catch {
      try keep(remote.notice(of: account), of: account)
      throw error
    }
    try keep(remote.notice(of: account), of: account)
    report.traffic += remote.traffic - before
    tell(remote.notice(of: account), in: &report)
    return result
  }

  /// Keeps what a server has asked for, for the next run, which is another process.
  func keep(_ notice: RemoteNotice, of account: AccountID) throws {
    guard notice.notBefore != nil || notice.alert != nil else { return }
    // Asked once a day it may say so again; and a clock that is wrong now does no lasting harm.
    let notBefore = notice.notBefore.map { min($0, latestWish) }
    let server = account.server
    // Also where the run itself is being cancelled: the next one is to know.
    let isNew = try store.device.blockingWrite(origin: .system) { transaction in
      let was = try transaction.find(ServerNotice.self, server)
      try transaction.upsert(
        ServerNotice(
          server: server, notBefore: notBefore ?? was?.notBefore, alert: notice.alert ?? was?.alert))
      return notice.alert != nil && notice.alert != was?.alert
    }
    if isNew, let alert = notice.alert {
      log.append(
        LogLine(
          at: now(), level: .notice, category: "sync", message: "\(server) announces: \(alert)",
          account: account))
    }
  }

  func tell(_ notice: RemoteNotice, in report: inout SyncReport) {
    if let time = notice.notBefore.map({ min($0, latestWish) }), isToCome(time) {
      report.retryAt = max(report.retryAt ?? time, time)
    }
    if let alert = notice.alert, !report.alerts.contains(alert) { report.alerts.append(alert) }
  }
}
