import FerryConsole
import FerryKernel
import FerryStore
import LogDomain

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
      try endRemovals(in: store)
      return try await body(store)
    }
  }

  /// Ends a tool's work on a store: takes what was logged into the Log domain's table, where that has crossed,
  /// says what was lost, and closes the store, which leaves no write-ahead log behind.
  public func close(_ store: Store, _ log: LogSpill, _ terminal: Terminal) async throws {
    let journal = try await store.device.read { try $0.fetch(JournalEntry.all) }
    if journal.isDone(Domain.log.name) {
      try await LogDAO.drain(log, into: store.device)
    }
    if let losses = log.losses {
      terminal.note("warning: \(losses.count) log lines could not be written: \(losses.reason)")
    }
    await store.close()
  }
}
