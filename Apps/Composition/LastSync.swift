import FerryKernel
import FerryStore
import FerrySync
import LogDomain

/// When an account was last in step with its server, as the log tells: by a line for each account of which no feed
/// failed.
public enum LastSync {
  private static let category = "sync"
  private static let message = "All feeds were synced."

  /// The lines that a run leaves in the log.
  public static func lines(of report: SyncReport, at time: Timestamp) -> [LogLine] {
    let failed = report.units.filter { if case .failed = $0.outcome { true } else { false } }.map(\.account)
    return report.unsent.keys.filter { !failed.contains($0) }.map {
      LogLine(at: time, level: .info, category: category, message: message, account: $0)
    }
  }

  /// When that was; nil where the log has no line of it.
  public static func time(of account: AccountID, _ device: borrowing Snapshot<DeviceScope>) throws
    -> Timestamp?
  {
    let lines = LogEntry.where { $0.account == account && $0.category == category && $0.message == message }
    return try device.first(lines.order { $0.at.descending })?.at
  }
}
