import FerryConsole
import FerryKernel
import FerryStore
import LogDomain
import SettingDomain

extension Store {
  /// Runs `body` and closes the store, whatever comes of it.
  public func closing<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    do {
      let result = try await body()
      await close()
      return result
    } catch {
      await close()
      throw error
    }
  }
}

extension Ferry {
  /// Does a tool's work on a store that is open, with the log at hand, and ends it whichever way the work ends: it
  /// returned, threw, or a signal stopped it.
  public func working<Result: Sendable>(
    in store: Store, _ terminal: Terminal, _ body: (LogSpill) async throws -> Result
  ) async throws -> Result {
    try await store.closing {
      let log = try openLog()
      let result: Result
      do {
        result = try await body(log)
      } catch {
        do {
          try await end(log, in: store, terminal)
        } catch let second {
          // What the work ended with says more.
          terminal.note(visible("warning: the log could not be put away: \(second)"))
        }
        throw error
      }
      try await end(log, in: store, terminal)
      return result
    }
  }

  /// Opens the store that must be there to change what it is, as the one process that does, and closes it after
  /// `body`. A removal of an account that was begun is ended first.
  ///
  /// - Throws: `StoreError.noStore`, before anything is made; `KernelError.locked`; what `body` throws.
  public func changingStore<Result: Sendable>(_ body: (Store) async throws -> Result) async throws -> Result {
    guard try hasStore() else { throw StoreError.noStore(path: storePath) }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let store = try openStore()
    return try await store.closing {
      try plan.loosenGate(in: store)
      try endRemovals(in: store)
      return try await body(store)
    }
  }

  /// Takes what was logged into the Log domain's table, where that has crossed, and says what was lost.
  private func end(_ log: LogSpill, in store: Store, _ terminal: Terminal) async throws {
    await log.flush()
    if let losses = log.losses {
      terminal.note("warning: \(losses.count) log lines could not be written: \(losses.reason)")
    }
    let journal = try await store.device.read { try $0.fetch(JournalEntry.all) }
    guard journal.isDone(Domain.log.name) else { return }
    try await LogDAO.drain(log, into: store.device)
    let (lines, days): (Amount, Amount?)
    do {
      (lines, days) = try await bounds(in: store)
    } catch let error as SettingError {
      // Whatever the work was, it is done; what is kept too long can go at the next end.
      return terminal.note(visible("warning: the log is not trimmed: \(error)"))
    }
    // 100,000 days are about as far back as a timestamp goes.
    let oldest = days.map { days in
      Timestamp(
        nanoseconds: Ferry.now().nanoseconds - Int64(min(days.rawValue, 100_000)) * 86_400_000_000_000)
    }
    try await LogDAO.retain(store.device, atMost: lines.rawValue, since: oldest)
  }

  /// How much of the log a person wants to keep.
  private func bounds(in store: Store) async throws -> (lines: Amount, days: Amount?) {
    guard isEnabled(.setting) else {
      return (DeclaredSettings.logLines.defaultValue, DeclaredSettings.logDays.defaultValue)
    }
    return try await store.device.read {
      (try SettingDAO.get($0, DeclaredSettings.logLines), try SettingDAO.get($0, DeclaredSettings.logDays))
    }
  }
}
