import FerryConsole
import FerryKernel
import FerryStore
import LogDomain

extension Ferry {
  /// Takes what was logged into the Log domain's table, where that has crossed, and says what was lost.
  public func closeLog(_ log: LogSpill, _ store: Store, _ terminal: Terminal) async throws {
    let journal = try await store.device.read { try $0.fetch(JournalEntry.all) }
    if journal.contains(where: { $0.domain == Domain.log.name && $0.phase == .done }) {
      try await LogDAO.drain(log, into: store.device)
    }
    if let losses = log.losses {
      terminal.note("warning: \(losses.count) log lines could not be written: \(losses.reason)")
    }
  }
}
