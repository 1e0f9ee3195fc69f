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
    let isNew = try ServerNotice.keep(notice, of: account.server, in: store, origin: .system, now: now())
    if isNew, let alert = notice.alert {
      log.append(
        LogLine(
          at: now(), level: .notice, category: "sync", message: "\(account.server) announces: \(alert)",
          account: account))
    }
  }

  /// Whether a server's wish lies in the future. One of more than a day was made by a clock that was wrong.
  func isToCome(_ time: Timestamp) -> Bool { ServerNotice.isToCome(time, now()) }

  func tell(_ notice: RemoteNotice, in report: inout SyncReport) {
    if let time = notice.notBefore.map({ min($0, ServerNotice.latestWish(now())) }), isToCome(time) {
      report.retryAt = max(report.retryAt ?? time, time)
    }
    if let alert = notice.alert, !report.alerts.contains(alert) { report.alerts.append(alert) }
  }
}

extension ServerNotice {
  /// Keeps what a server has asked for and announced.
  ///
  /// - Returns: whether what it announces is new.
  static func keep(
    _ notice: RemoteNotice, of server: String, in store: Store, origin: Origin, now: Timestamp
  ) throws -> Bool {
    guard notice.notBefore != nil || notice.alert != nil else { return false }
    // Asked once a day it may say so again; and a clock that is wrong now does no lasting harm.
    let notBefore = notice.notBefore.map { min($0, latestWish(now)) }
    // Also where the run itself is being cancelled: the next one is to know.
    return try store.device.blockingWrite(origin: origin) { transaction in
      let was = try transaction.find(ServerNotice.self, server)
      try transaction.upsert(
        ServerNotice(
          server: server, notBefore: notBefore ?? was?.notBefore, alert: notice.alert ?? was?.alert))
      return notice.alert != nil && notice.alert != was?.alert
    }
  }

  static func isToCome(_ time: Timestamp, _ now: Timestamp) -> Bool { time > now && time <= latestWish(now) }

  /// No server is left alone for longer than a day at a time.
  static func latestWish(_ now: Timestamp) -> Timestamp {
    Timestamp.clamping(seconds: now.seconds + 86_400, nanoseconds: now.fraction).time
  }
}
