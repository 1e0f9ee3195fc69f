import FerryKernel
import FerryStore

extension LogDAO {
  /// The lines that are logged from the moment at which the first is asked for, by whichever process, in the order
  /// in which they came: each once, whether it is found in the spill or, drained meanwhile, in the table.
  ///
  /// - Parameters:
  ///   - interval: how long to wait where nothing is new. It asks two files, so that it needs nobody to tell it.
  ///   - clock: what waits.
  public static func follow(
    _ device: DeviceStore, _ spill: SpillReader, _ filter: LogFilter = .all,
    every interval: Duration = .milliseconds(200), clock: any Clock<Duration> = ContinuousClock()
  ) -> LogFollowing {
    LogFollowing(device: device, spill: spill, filter: filter, interval: interval, clock: clock)
  }
}

/// The lines of the log as they come; see `LogDAO.follow`. It ends when the task is cancelled.
public struct LogFollowing: AsyncSequence, Sendable {
  public typealias Element = LogEntry
  let device: DeviceStore
  let spill: SpillReader
  let filter: LogFilter
  let interval: Duration
  let clock: any Clock<Duration>

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(following: self) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    private let following: LogFollowing
    private var pending: [LogEntry] = []
    /// The last line of the table that was seen; nil before the first look.
    private var sequence: Int64?
    /// How far the spill was seen.
    private var mark: LogMark?
    /// Lines that were seen in the spill and not yet in the table.
    private var seen: Set<LogEntryID> = []

    fileprivate init(following: LogFollowing) { self.following = following }

    /// The next line, once there is one; nil once the task was cancelled.
    public mutating func next() async throws -> LogEntry? {
      do {
        while pending.isEmpty {
          pending = try await look().filter(following.filter.matches)
          if pending.isEmpty { try await following.clock.sleep(for: following.interval) }
        }
        return pending.removeFirst()
      } catch is CancellationError where Task.isCancelled {
        return nil
      }
    }

    /// What is new in either, and takes note of it. What there is at the first look isn't new.
    private mutating func look() async throws -> [LogEntry] {
      let drains = try await following.device.read { try $0.fetch(LogDrain.all) }
      // The spill first: what is drained meanwhile is then in both, and not in neither.
      let spilled = try following.spill.read(after: drains.map(\.mark) + [mark].compactMap(\.self))
      var rows: [LogEntry] = []
      if let sequence {
        let query = LogEntry.where { $0.sequence > sequence }.order { $0.sequence.ascending }
        rows = try await following.device.read { try $0.fetch(query) }
      }
      let isFirst = sequence == nil
      sequence = rows.last?.sequence ?? sequence ?? drains.map(\.sequence).max() ?? 0
      let new = rows.filter { seen.remove($0.id) == nil } + note(spilled, but: Set(rows.map(\.id)))
      return isFirst ? [] : new
    }

    /// The lines of the spill that weren't seen in it before.
    private mutating func note(_ spilled: SpilledLines?, but drained: Set<LogEntryID>) -> [LogEntry] {
      guard let spilled else { return [] }
      mark = spilled.mark
      let entries = spilled.lines.compactMap { LogEntry($0, of: spilled.mark.spill, sequence: 0) }
        .filter { !drained.contains($0.id) }
      seen.formUnion(entries.map(\.id))
      return entries
    }
  }
}
