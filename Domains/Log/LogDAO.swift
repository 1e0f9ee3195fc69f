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
    try await device.read { try $0.fetch(recent(account, limit)) }
  }

  /// The latest lines of the table, now and whenever some were drained.
  public static func observeRecent(_ device: DeviceStore, account: AccountID? = nil, limit: Int = 100)
    -> Observation<[LogEntry]>
  {
    device.observe(recent(account, limit))
  }

  /// How many lines the table has.
  public static func count(_ device: DeviceStore, account: AccountID? = nil) async throws -> Int {
    try await device.read { try $0.count(recent(account, 0)) }
  }

  /// How many lines the table has, now and whenever that changes.
  public static func observeCount(_ device: DeviceStore, account: AccountID? = nil) -> Observation<Int> {
    device.observe { try $0.count(recent(account, 0)) }
  }

  /// The lines of table and spill that a filter lets through, newest first.
  public static func query(
    _ device: DeviceStore, _ spill: SpillReader, _ filter: LogFilter = .all, limit: Int = 100
  ) async throws -> [LogEntry] {
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
  private static func recent(_ account: AccountID?, _ limit: Int) -> Query<LogEntry> {
    let lines = account.map { account in LogEntry.where { $0.account == account } } ?? LogEntry.all
    return lines.order { $0.at.descending }.order { $0.sequence.descending }.limit(limit)
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
    let query = filter.query.order { $0.at.descending }.order { $0.sequence.descending }
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
