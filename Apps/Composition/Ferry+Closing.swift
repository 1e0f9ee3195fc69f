import FerryConsole
import FerryKernel
import FerryStore
import LogDomain

extension Ferry {
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
