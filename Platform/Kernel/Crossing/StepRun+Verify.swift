import FerryStore

extension StepRun {
  /// resynced → verified: every legacy row has exactly one outcome, and the tables hold what was written.
  func verify(_ entry: JournalEntry) throws -> JournalEntry {
    let accounts = try accounts()
    // Rows are counted in the files; a file that has changed since is no gap, and the step starts anew.
    try checkFiles(backup(entry, onlyFiles: true), run.likelyManifest)
    return try journaled(entry.reached(.verified, at: run.now())) { transaction in
      for account in accounts {
        for entity in step.entities {
          let tally = try tally(account.id, entity, in: transaction)
          try check(tally, rows: try rowCount(entity, account.id), after: .verified)
        }
      }
      try checkBalance(after: .verified, in: transaction)
      for table in Set(step.entities.map(\.crossing.table.name)).sorted() {
        try verify(table, accounts, in: transaction)
      }
    }
  }

  /// Refuses to end a phase in which a row has no outcome, or a row that was set aside isn't there. Checked where
  /// a phase gives outcomes, in the transaction that ends it.
  func checkBalance(after phase: Phase, in transaction: borrowing Transaction<DeviceScope>) throws {
    for account in run.source.accounts {
      for entity in step.entities {
        let tally = try tally(account, entity, in: transaction)
        let aside = try transaction.count(
          QuarantinedRow.where {
            $0.domain == tally.domain && $0.account == tally.account && $0.entity == tally.entity
          })
        guard Int64(aside) == tally.quarantined else {
          throw unaccounted(tally, tally.read, tally.accounted - tally.quarantined + Int64(aside), phase)
        }
        try check(tally, rows: tally.read, after: phase)
      }
    }
  }

  private func check(_ tally: Tally, rows: Int64, after phase: Phase) throws {
    guard tally.read == rows, tally.accounted == rows else {
      throw unaccounted(tally, rows, tally.accounted, phase)
    }
  }

  private func unaccounted(_ tally: Tally, _ read: Int64, _ accounted: Int64, _ phase: Phase) -> KernelError {
    .unaccounted(
      domain: tally.domain, account: tally.account, entity: tally.entity, phase: phase, read: read,
      accounted: accounted)
  }

  private func verify(
    _ table: String, _ accounts: [AccountStore], in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let entities = step.entities.filter { $0.crossing.table.name == table }
    guard let declaration = entities.first?.crossing.table else { return }
    var (expected, found): (Int64, Int64) = (0, 0)
    if !declaration.hasAccount { found = Int64(try transaction.count(of: declaration)) }
    for case let table? in entities.map(\.crossing.deviceTable) {
      found += Int64(try transaction.count(of: table))
    }
    for account in accounts {
      for entity in entities {
        let tally = try tally(account.id, entity, in: transaction)
        expected += tally.written - tally.deletes
      }
      if declaration.hasAccount {
        found += Int64(try transaction.in(account) { try $0.count(of: declaration) })
      }
    }
    // What a server sent comes on top of what was written here.
    guard step.strategy == .resync ? found >= expected : found == expected else {
      throw KernelError.missingRows(domain: step.domain.name, table: table, expected: expected, found: found)
    }
  }

  /// verified → done: the step is frozen, and the gate opens as far as it can.
  func finish(_ entry: JournalEntry) throws -> JournalEntry {
    let done = entry.reached(.done, at: run.now())
    return try journaled(done) { transaction in
      let others = try transaction.fetch(JournalEntry.where { $0.domain != done.domain })
      try run.plan.setGate(others + [done], in: transaction)
    }
  }
}
