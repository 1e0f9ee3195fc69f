import Dispatch
import FerryKernel
import FerryStore

/// How far the spill was drained; it moves in the transaction that appends the lines.
struct LogDrain: Record {
  typealias Scope = DeviceScope
  typealias Key = String
  /// The spill's own name.
  let spill: String
  let offset: Int64
  /// That of the last line that came.
  let sequence: Int64

  static let table = Table<LogDrain>(
    "log_drain", key: \.spill,
    columns: Column("spill", \.spill), Column("offset", \.offset), Column("sequence", \.sequence),
    make: LogDrain.init(spill:offset:sequence:))

  var mark: LogMark { LogMark(spill: spill, offset: offset) }
}

extension LogDAO {
  /// What is taken out of the spill in one transaction, in bytes.
  private static let batchSize = 1 << 20

  /// Takes what the spill has beyond the last drain into the table, in its order, no line twice, and begins the
  /// spill anew where that is worth it.
  ///
  /// - Returns: how many lines came.
  @discardableResult
  public static func drain(_ spill: LogSpill, into device: DeviceStore) async throws -> Int {
    try await onQueue { try drainOnQueue(spill, device) }
  }

  /// Keeps the log within bounds, the oldest lines going first.
  ///
  /// - Parameters:
  ///   - count: at most so many lines; nil: any number.
  ///   - time: none that is older; nil: of any age.
  /// - Returns: how many went.
  @discardableResult
  public static func retain(_ device: DeviceStore, atMost count: Int?, since time: Timestamp?) async throws
    -> Int
  {
    if let count, count < 0 { throw LogError.badBound(count) }
    return try await onQueue {
      try device.blockingWrite(origin: .system) { try retain($0, atMost: count, since: time) }
    }
  }

  /// `retain`, within a transaction.
  @discardableResult
  static func retain(
    _ transaction: borrowing Transaction<DeviceScope>, atMost count: Int?, since time: Timestamp?
  ) throws -> Int {
    var gone = 0
    if let time { gone += try transaction.delete(LogEntry.where { $0.at < time }).deleted }
    if let count {
      let excess = try transaction.count(LogEntry.all) - count
      if excess > 0 {
        gone += try transaction.delete(LogEntry.all.order { $0.at.ascending }.limit(excess)).deleted
      }
    }
    return gone
  }

  static func append(_ entries: [LogEntry], in transaction: borrowing Transaction<DeviceScope>) throws
    -> WriteCounts
  {
    try transaction.upsert(entries)
  }

  private static func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
    -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  private static func drainOnQueue(_ spill: LogSpill, _ device: DeviceStore) throws -> Int {
    var count = 0
    while true {
      // The spill may go once the lines are in the table, so there they outlive a power failure.
      let batch = try device.blockingWrite(origin: .system, durability: .powerLoss) {
        try take(spill, in: $0)
      }
      count += batch.count
      // What comes meanwhile waits for the next drain, or this one might never end.
      guard batch.isLast else { continue }
      try spill.beginAnew(after: batch.mark)
      return count
    }
  }

  /// What one transaction took.
  private struct Batch: Sendable {
    let count: Int
    let mark: LogMark
    /// Whether that was all there was.
    let isLast: Bool
  }

  private static func take(_ spill: LogSpill, in transaction: borrowing Transaction<DeviceScope>) throws
    -> Batch
  {
    let drained = try transaction.fetch(LogDrain.all)
    let (lines, mark) = try spill.read(after: drained.map(\.mark), atLeast: batchSize)
    guard let first = lines.first else { return Batch(count: 0, mark: mark, isLast: true) }
    var sequence = drained.map(\.sequence).max() ?? 0
    var entries: [LogEntry] = []
    for line in lines {
      sequence += 1
      if let entry = LogEntry(line, of: mark.spill, sequence: sequence) { entries.append(entry) }
    }
    _ = try append(entries, in: transaction)
    let others = drained.map(\.spill).filter { $0 != mark.spill }
    if !others.isEmpty {
      // Their files are gone for good once this one stands in their place also after a power failure.
      try spill.settle()
      try transaction.delete(LogDrain.self, others)
    }
    try transaction.upsert(LogDrain(spill: mark.spill, offset: mark.offset, sequence: sequence))
    let isLast = mark.offset - first.offset < Int64(batchSize)
    return Batch(count: lines.count, mark: mark, isLast: isLast)
  }
}
