import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

/// One sync of a store, from the configuration to the report, as both apps do it.
public struct SyncJob: Sendable {
  private let ferry: Ferry
  private let request: SyncRequest
  private let call: Invocation

  /// - Throws: what reading the configuration throws.
  public init(_ request: SyncRequest, _ call: Invocation) throws {
    (ferry, self.request, self.call) = (try call.ferry(), request, call)
  }

  /// Syncs, and returns when it is over. Configuration, store, options and secrets are looked at first, and only
  /// then is the lock asked for; nobody is ever waited for.
  ///
  /// - Parameters:
  ///   - interruption: what stops it, at a transaction's edge.
  ///   - progress: told what is being done.
  /// - Throws: `Interrupted`; `KernelError.locked` where another process is at work; `StoreError.gateShut` while a
  ///   crossing isn't over; what the credentials throw where no account at all has a secret.
  public func run(
    by interruption: Interruption, progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncResult {
    guard try ferry.hasStore() else {
      throw Failure(
        "There is no store at \(ferry.storePath).", code: "store.none",
        remedy: "Run `app-cli migrate` first.",
        exitCode: .gateShut)
    }
    if request.isDryRun {
      // Opened to read: not a byte of the store changes, and nobody is kept from work.
      return try await sync(try ferry.existingStore(), SilentLog(), interruption, progress)
    }
    try await ferry.updateStore()
    let options = try request.options(for: ferry, in: ferry.existingStore())
    do {
      try await stoppable(by: interruption) { try checkCredentials(options) }
    } catch let error as any FerryError {
      try await note(error)
      throw error
    }
    let lock = try ferry.lock()
    defer { withExtendedLifetime(lock) {} }
    let store = try ferry.openStore()
    return try await ferry.working(in: store, call.terminal) { log in
      try ferry.endRemovals(in: store)
      let result: SyncResult
      do {
        result = try await sync(store, log, interruption, progress)
      } catch {
        SyncJob.note(error, log)
        throw error
      }
      try LastSync.note(result.report, result.files.failures, in: store, at: Ferry.now())
      log.append(LogLine(at: Ferry.now(), level: .info, category: "sync", message: result.sentence))
      return result
    }
  }

  /// Logs what ended a run before it began, unless another process is at work.
  private func note(_ error: any FerryError) async throws {
    guard let lock = try? ferry.lock() else { return }
    // why: whoever holds it goes on, and the error is told.
    defer { withExtendedLifetime(lock) {} }
    try await ferry.working(in: ferry.openStore(), call.terminal) { SyncJob.note(error, $0) }
  }

  private static func note(_ error: any Error, _ log: any LogSink) {
    let message = (error as? any FerryError)?.sentence ?? "\(error)"
    log.append(LogLine(at: Ferry.now(), level: .error, category: "sync", message: message))
  }

  private func sync(
    _ store: Store, _ log: any LogSink, _ interruption: Interruption,
    _ progress: @escaping @Sendable (SyncProgress) -> Void
  ) async throws -> SyncResult {
    let options = try request.options(for: ferry, in: store)
    let clock = ContinuousClock()
    let start = clock.now
    let run = ferry.syncRun(in: store, log: log, options: options)
    let (report, files) = try await stoppable(by: interruption) {
      var report = try await run.run(progress: progress)
      // What another server didn't take this one may.
      let files =
        try await request.isDryRun
        ? ferry.plannedFiles(of: report, in: store)
        : ferry.sendFiles(after: run, &report, in: store, log, retrying: options.takeover != nil)
      try await ferry.tidyFiles(after: report, in: store, log)
      return (report, files)
    }
    return SyncResult(
      report: report, isDryRun: request.isDryRun, spent: start.duration(to: clock.now), files: files)
  }

  /// Reads the secrets. One that is missing is told by its feeds, so that the other accounts go on.
  ///
  /// - Throws: the first account's fault where no account can be synced.
  private func checkCredentials(_ options: SyncOptions) throws {
    var first: (any Error)?
    for account in options.accounts ?? [] {
      guard ferry.credentials.areNeeded(by: account) else { return }
      do {
        try ferry.credentials.secret(of: account)
        return
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }
}

/// Takes nothing down.
private struct SilentLog: LogSink {
  func append(_ line: LogLine) {}
}
