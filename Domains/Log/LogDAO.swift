import Dispatch
import FerryKernel
import FerryStore

/// The way in to the device's log. Nothing is appended to its table but on `queue`.
public enum LogDAO {
  /// The log's one serial queue.
  public static let queue = DispatchQueue(label: "ferry.log")

  /// The latest lines, newest first.
  ///
  /// - Parameter account: only lines about this account; nil: all lines.
  public static func recent(_ device: DeviceStore, account: AccountID? = nil, limit: Int = 100) async throws
    -> [LogEntry]
  {
    try await device.read { snapshot in
      let query = account.map { account in LogEntry.where { $0.account == account } } ?? LogEntry.all
      return try snapshot.fetch(query.order { $0.at.descending }.limit(limit))
    }
  }

  /// Takes what the spill has beyond the last drain into the table, in its order, no line twice.
  ///
  /// - Returns: how many lines came.
  @discardableResult
  public static func drain(_ spill: LogSpill, into device: DeviceStore) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try drainOnQueue(spill, device) }) }
    }
  }

  static func append(_ entries: [LogEntry], in transaction: borrowing Transaction<DeviceScope>) throws
    -> WriteCounts
  {
    try transaction.upsert(entries)
  }

  private static func drainOnQueue(_ spill: LogSpill, _ device: DeviceStore) throws -> Int {
    try device.blockingWrite(origin: .system) { transaction in
      let drained = try transaction.fetch(LogDrain.all).map { LogMark(spill: $0.spill, offset: $0.offset) }
      let (lines, mark) = try spill.read(after: drained)
      guard !lines.isEmpty else { return 0 }
      var entries: [LogEntry] = []
      for spilled in lines {
        guard let id = LogEntryID("\(mark.spill)/\(spilled.offset)") else { continue }
        let line = spilled.line
        entries.append(
          LogEntry(
            id: id, at: line.at, level: line.level, category: line.category, message: line.message,
            account: line.account))
      }
      _ = try append(entries, in: transaction)
      try transaction.upsert(LogDrain(spill: mark.spill, offset: mark.offset))
      return lines.count
    }
  }
}
