import FerryStore

extension StepRun {
  /// restored → resynced: has the server refill what was left to it, then looks up every key that was.
  func resync(_ entry: JournalEntry) async throws -> JournalEntry {
    if step.strategy == .resync {
      for account in try accounts() {
        report(.resynced, account.id, nil, done: 0, of: nil)
        try await run.refill.refill(step.domain, of: account) { [self] table, written, transaction in
          try count(written, into: table, of: account.id, in: transaction)
        }
      }
    }
    return try await blocking { [self] cancellation in
      if step.strategy == .resync {
        let backup = try backup(entry)
        // Rows that don't come back go into quarantine with their content, which only the files have.
        try checkFiles(backup, run.manifest)
        for account in try accounts() {
          for entity in step.entities {
            try lookUp(
              backup.lines(of: entity.crossing.entity, account: account.id), entity, account, cancellation)
          }
        }
      }
      return try journaled(entry.reached(.resynced, at: run.now())) { transaction in
        try checkBalance(after: .resynced, in: transaction)
      }
    }
  }

  private func count(
    _ written: Int, into table: String, of account: AccountID,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    guard let entity = step.entities.first(where: { $0.crossing.table.name == table }) else { return }
    var tally = try tally(account, entity, in: transaction)
    tally.resynced += Int64(written)
    try transaction.upsert(tally)
    report(.resynced, account, entity.crossing.entity, done: tally.resynced, of: nil)
  }

  /// Each key that was left to the server is there now, or is a tombstone, or its row goes into quarantine.
  private func lookUp(
    _ lines: [Backup.Line], _ entity: Plan.Entity, _ account: AccountStore, _ cancellation: Cancellation
  ) throws {
    guard let feed = step.domain.feeds.first(where: { $0.table.name == entity.crossing.table.name }) else {
      return
    }
    let left = lines.compactMap { line in
      if case .left(let key) = line.content { (line.position, key) } else { nil }
    }
    let checked = try run.store.device.blockingRead { try tally(account.id, entity, in: $0).checked }
    var rest = left.filter { position, _ in checked.map { position > $0 } ?? true }[...]
    while !rest.isEmpty {
      let page = rest.prefix(run.pageSize)
      rest = rest.dropFirst(page.count)
      try cancellation.check()
      try run.store.device.blockingWrite(origin: .crossing) { transaction in
        var tally = try tally(account.id, entity, in: transaction)
        for (position, key) in page {
          tally.checked = position
          let reason: String
          switch try transaction.in(account, { try feed.exists(key, $0) }) {
          case .present, .tombstoned: continue
          case .absent:
            let refused = try transaction.find(QuarantinedRow.self, feed.quarantineID(of: key, account.id))
            reason =
              refused.map { "what the server returned was refused: \($0.reason)" }
              ?? "the server did not return it"
          case .taken: reason = "another row has the same key and is kept"
          }
          tally.left -= 1
          tally.quarantined += 1
          try quarantine(entity, account.id, position, reason, in: transaction)
        }
        try transaction.upsert(tally)
      }
    }
  }
}
