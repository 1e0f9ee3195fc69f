import Dispatch
import FerryKernel
import FerryStore

extension Domain {
  /// The log, which crosses after everything else so that it doesn't change under whoever debugs the rest.
  public static let log = Domain.log(queue: LogDAO.queue)

  /// - Parameters:
  ///   - queue: serial; every row is mapped and every line appended on it.
  ///   - trace: called there, for each of them.
  static func log(queue: DispatchQueue, trace: @escaping @Sendable (LogTrace) -> Void = { _ in }) -> Domain {
    Domain(
      "log", "What happened on this device",
      tables: [LogEntry.table.declaration, LogDrain.table.declaration],
      changes: [
        .addColumn("fields", to: "log", filledWith: .text("{}")),
        .addColumn("sequence", to: "log", filledWith: .integer(0)),
        .createIndex(on: "log", ["sequence"]),
        .addColumn("sequence", to: "log_drain", filledWith: .integer(0)),
      ],
      crossings: [
        Crossing(
          device: "log-entry", LogEntry.self,
          fields: LegacyField<LegacyKey>("id"), LegacyField<Int64>("level"), LegacyField<String>("message"),
          LegacyField<Timestamp>("at")
        ) { account, key, level, message, at in
          trace(.mapped)
          guard let id = LogEntryID("\(account)/\(key.identifier)") else {
            throw RowRefusal("id: it is empty")
          }
          return LogEntry(
            id: id, at: at, level: LogLevel(rawValue: level), category: "legacy", message: message,
            account: account)
        } append: { entries, transaction in
          trace(.appended)
          return try LogDAO.append(entries, in: transaction)
        }
      ],
      isLast: true, queue: queue)
  }
}

/// What happens on the log's queue.
enum LogTrace: Sendable { case mapped, appended }
