/// A table, or one account's rows of it.
struct Region: Hashable, Sendable {
  let table: String
  /// nil: the device's rows, or anybody's.
  let account: Int64?

  /// Whether a change here may be seen there.
  func meets(_ other: Region) -> Bool {
    table == other.table && (account == nil || other.account == nil || account == other.account)
  }
}

extension Set<Region> {
  /// Whether a change in these may be seen in those.
  func meets(_ others: Set<Region>) -> Bool { contains { mine in others.contains { mine.meets($0) } } }
}

/// What the statements of a connection have touched. Which tables, each statement knows; whose rows, whoever
/// lends the transaction out says.
struct Footprint {
  /// What this transaction has changed.
  private(set) var changed: Set<Region> = []
  /// What was read since somebody began to ask; nil while nobody does.
  var read: Set<Region>?
  private var reach = Reach()
  private var transaction = 0

  private struct Reach {
    var account: Int64?
    /// Values of several accounts are in use at once: a statement may be any one's.
    var isMixed = false
  }

  mutating func begin() {
    changed = []
    transaction += 1
  }

  mutating func willRun(_ statement: Statement) {
    guard read != nil else { return }
    for region in statement.reads.map(region) { read?.insert(region) }
  }

  mutating func didWrite(_ statement: Statement) {
    // A batch runs one statement many times.
    let mark = Statement.Mark(transaction: transaction, account: account)
    guard statement.lastWrite != mark else { return }
    statement.lastWrite = mark
    for table in statement.writes { changed.insert(region(table)) }
  }

  private var account: Int64? { reach.isMixed ? nil : reach.account }
  private func region(_ table: String) -> Region { Region(table: table, account: account) }

  /// Runs `body` with what statements touch put down to `account`; nil for the device.
  static func lend<Result>(
    _ connection: Connection, to account: Int64?, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = connection.footprint.reach
    connection.footprint.reach.isMixed =
      outer.isMixed || (outer.account != nil && outer.account != account)
    connection.footprint.reach.account = account
    defer { connection.footprint.reach = outer }
    return try body()
  }
}
