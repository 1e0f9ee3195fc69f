import FerryStore

extension Plan {
  /// Shuts the gate for everybody until the core domains are over, then only for the tables that are still to
  /// come; opens it after the last.
  func setGate(_ journal: [JournalEntry], in transaction: borrowing Transaction<DeviceScope>) throws {
    let open = open(journal)
    let reason = "a crossing is under way, \(journal.done.count) of \(enabled.count) domains are over"
    if open.isEmpty {
      try transaction.openGate()
    } else if open.contains(where: \.isCore) {
      try transaction.shutGate(reason: reason)
    } else {
      try transaction.shutGate(reason: reason, tables: open.flatMap(\.domain.tables).map(\.name))
    }
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
}
