import Dispatch
import FerryKernel
import FerryStore

/// The way in to the device's log. Nothing is appended to its table but on `queue`.
///
/// Lines are in the spill until they are drained, and in the table from then on; who asks with a `SpillReader`
/// gets both, each line once.
public enum LogDAO {
  /// The log's one serial queue.
  public static let queue = DispatchQueue(label: "ferry.log")

  /// The latest lines of the table, newest first.
  ///
  /// - Parameter account: only lines about this account; nil: all lines.
  public static func recent(_ device: DeviceStore, account: AccountID? = nil, limit: Int = 100) async throws
    -> [LogEntry]
  {
    try await device.read { try recent($0, account: account, limit: limit) }
  }

  public static func recent<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, account: AccountID? = nil, limit: Int = 100
  ) throws -> [LogEntry] where Reader.Scope == DeviceScope {
    try reader.fetch(newest(LogFilter(of: account)).limit(limit))
  }

  /// The same, now and whenever they are others.
  public static func observeRecent(_ device: DeviceStore, account: AccountID? = nil, limit: Int = 100)
    -> Observation<[LogEntry]>
  { device.observe(newest(LogFilter(of: account)).limit(limit)) }

  /// How many lines the table has.
  public static func count(_ device: DeviceStore, account: AccountID? = nil) async throws -> Int {
    try await device.read { try count($0, account: account) }
  }

  public static func count<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, account: AccountID? = nil
  ) throws -> Int where Reader.Scope == DeviceScope { try reader.count(LogFilter(of: account).query) }

  /// How many there are, now and whenever it is another number.
  public static func observeCount(_ device: DeviceStore, account: AccountID? = nil) -> Observation<Int> {
    device.observe { try count($0, account: account) }
  }

  /// The lines of table and spill that a filter lets through, newest first.
  public static func query(
    _ device: DeviceStore, _ spill: SpillReader, _ filter: LogFilter = .all, limit: Int = 100
  ) async throws -> [LogEntry] {
    let limit = max(0, limit)
    // The spill first: what is drained meanwhile is then in both, and not in neither.
    let spilled = try await undrained(device, spill)
    return try await device.read { snapshot in
      let waiting = try spilled.filter {
        try filter.matches($0) && snapshot.find(LogEntry.self, $0.id) == nil
      }
      let newest = try waiting.sorted(by: isNewer).prefix(limit) + table(snapshot, filter, limit)
      return Array(newest.sorted(by: isNewer).prefix(limit))
    }
  }

  /// Hands every line of table and spill that a filter lets through to `body`, oldest first, of one state of both.
  public static func export(
    _ device: DeviceStore, _ spill: SpillReader, _ filter: LogFilter = .all,
    _ body: @escaping @Sendable (LogEntry) throws -> Void
  ) async throws {
    let spilled = try await undrained(device, spill)
    try await device.read { snapshot in
      var waiting = try spilled.filter {
        try filter.matches($0) && snapshot.find(LogEntry.self, $0.id) == nil
      }
      .sorted { isNewer($1, $0) }[...]
      try snapshot.forEach(filter.query.order { $0.at.ascending }.order { $0.sequence.ascending }) { entry in
        while let next = waiting.first, isNewer(entry, next) { try body(waiting.removeFirst()) }
        if filter.matchesText(entry) { try body(entry) }
      }
      for entry in waiting { try body(entry) }
    }
  }
}

extension LogDAO {
  private static func newest(_ filter: LogFilter) -> Query<LogEntry> {
    filter.query.order { $0.at.descending }.order { $0.sequence.descending }
  }

  /// What the spill has beyond the last drain. Their sequence goes on from that of the table.
  private static func undrained(_ device: DeviceStore, _ spill: SpillReader) async throws -> [LogEntry] {
    let drained = try await device.read { try $0.fetch(LogDrain.all) }
    guard let found = try spill.read(after: drained.map(\.mark)) else { return [] }
    let last = drained.map(\.sequence).max() ?? 0
    return found.lines.enumerated().compactMap { index, line in
      LogEntry(line, of: found.mark.spill, sequence: last + Int64(index) + 1)
    }
  }

  private static func isNewer(_ left: LogEntry, _ right: LogEntry) -> Bool {
    (left.at, left.sequence) > (right.at, right.sequence)
  }

  /// The newest lines of the table: page by page where a text is looked for, which the table doesn't know.
  private static func table(_ snapshot: borrowing Snapshot<DeviceScope>, _ filter: LogFilter, _ limit: Int)
    throws -> [LogEntry]
  {
    let query = newest(filter)
    if filter.text == nil { return try snapshot.fetch(query.limit(limit)) }
    var found: [LogEntry] = []
    var page = try snapshot.fetch(query.limit(500))
    while let last = page.last {
      found += page.filter(filter.matchesText)
      if found.count >= limit { break }
      page = try snapshot.fetch(query.after(last).limit(500))
    }
    return found
  }
}
