import FerryStore

extension Plan {
  /// The tables that nobody may write to: all, as nil, until the core domains are over; then those that are still to
  /// come; none after the last.
  private func shutTables(_ journal: [JournalEntry]) -> [String]? {
    let open = open(journal)
    return open.contains(where: \.isCore) ? nil : open.flatMap(\.domain.tables).map(\.name)
  }

  /// Shuts the gate for everybody until the core domains are over, then only for the tables that are still to
  /// come; opens it after the last.
  func setGate(_ journal: [JournalEntry], in transaction: borrowing Transaction<DeviceScope>) throws {
    let tables = shutTables(journal)
    guard tables != [] else { return try transaction.openGate() }
    try transaction.shutGate(
      reason: "a crossing is under way, \(journal.done.count) of \(enabled.count) domains are over",
      tables: tables)
  }

  /// Shuts the tables of domains that were enabled since the gate was last set. Without this somebody could
  /// write into a domain that hasn't crossed, and its crossing, which starts by emptying it, would lose that.
  ///
  /// Called by whoever opens a store to write. Writes only where something changes.
  public func shutGateForEnabled(in store: Store) throws {
    let (journal, shut) = try store.device.blockingRead { snapshot in
      (try snapshot.fetch(JournalEntry.all), try snapshot.gateTables())
    }
    guard let shut else { return }
    let tables = open(journal).flatMap(\.domain.tables).map(\.name)
    guard !Set(tables).isSubset(of: shut) else { return }
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      try setGate(try transaction.fetch(JournalEntry.all), in: transaction)
    }
  }

  /// Whether the gate shuts out writers for the sake of a domain that isn't to cross any more: it was enabled, and
  /// turned off again before it was over.
  public func isGateTooTight(in store: Store) throws -> Bool {
    try store.device.blockingRead { try isGateTooTight($0) }
  }

  /// Lets those writers in again. Only for the process that has the lock: a crossing that is under way may have been
  /// begun with another roadmap.
  public func loosenGate(in store: Store) throws {
    guard try isGateTooTight(in: store) else { return }
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      guard try isGateTooTight(transaction) else { return }
      try setGate(try transaction.fetch(JournalEntry.all), in: transaction)
    }
  }

  private func isGateTooTight<Source: Reading & ~Copyable>(_ reading: borrowing Source) throws -> Bool
  where Source.Scope == DeviceScope {
    // What a rollback has shut only that opens.
    guard try reading.gateReason() != Rollback.gateReason,
      let tables = shutTables(try reading.fetch(JournalEntry.all))
    else { return false }
    return try reading.gateTables().map { !$0.isSubset(of: tables) } ?? true
  }
}
