import FerryStore

extension StepRun {
  /// backedUp → reset: empties what an earlier attempt left.
  func reset(_ entry: JournalEntry) throws -> JournalEntry {
    // Every account of the store, also one whose file an earlier attempt still had.
    let accounts = try run.store.device.blockingRead { try $0.accounts() }.map {
      try run.store.account($0.id)
    }
    return try journaled(entry.reached(.reset, at: run.now())) { transaction in
      for table in step.domain.tables where !table.hasAccount { try transaction.deleteAll(of: table) }
      for account in accounts {
        try transaction.in(account) { transaction in
          for table in step.domain.tables where table.hasAccount {
            try transaction.deleteAll(of: table)
            try transaction.forgetRemoteState(of: table)
          }
        }
        try run.refill.forget(step.domain, of: account, in: transaction)
      }
      try transaction.delete(Tally.where { $0.domain == step.domain.name })
      try transaction.delete(QuarantinedRow.where { $0.domain == step.domain.name })
    }
  }

  /// reset → restored: writes what the backup holds, a page a transaction.
  func restore(_ entry: JournalEntry, _ cancellation: Cancellation) throws -> JournalEntry {
    let backup = try backup(entry)
    // Whatever the strategy, nothing but the backup is read; for a copy that is the files of its manifest.
    if step.strategy == .copy { try checkFiles(backup, run.likelyManifest) }
    var digests: [ClassDigest] = []
    for account in try accounts() {
      for entity in step.entities {
        let lines = backup.lines(of: entity.crossing.entity, account: account.id)
        let total = step.strategy == .copy ? try rowCount(entity, account.id) : Int64(lines.count)
        let tally = try run.store.device.blockingRead { try self.tally(account.id, entity, in: $0) }
        let restoring = Restoring(
          stepRun: self, entity: entity, account: account, tally: tally, total: total,
          cancellation: cancellation)
        if step.strategy == .copy {
          let digest = RowDigest(entity.properties)
          // A class that a file doesn't have has no rows; a mapping that asks for it was refused before.
          if total > 0 { try restoring.copy(digest) }
          digests.append(classDigest(entity, account.id, digest))
        } else {
          try restoring.restore(lines)
        }
        try restoring.finish()
      }
    }
    // The pages came from the files as they were hashed only if they still are.
    if step.strategy == .copy { try checkFiles(backup, run.manifest) }
    return try journaled(entry.reached(.restored, at: run.now())) { transaction in
      try transaction.upsert(digests)
      try checkBalance(after: .restored, in: transaction)
    }
  }
}

/// Writes the rows of one entity of an account, from after the last page that an interrupted run committed.
/// Used by one thread.
private final class Restoring {
  private let stepRun: StepRun
  private let entity: Plan.Entity
  private let account: AccountStore
  private let total: Int64
  private let cancellation: Cancellation
  private let page: any CrossingPage
  private var tally: Tally
  /// The rows that the backup keeps, by position.
  private var kept: [Int64: JSONObject] = [:]
  private var pending: [(row: MappedRow, line: Backup.Line.Content?)] = []

  init(
    stepRun: StepRun, entity: Plan.Entity, account: AccountStore, tally: Tally, total: Int64,
    cancellation: Cancellation
  ) {
    (self.stepRun, self.entity, self.account) = (stepRun, entity, account)
    (self.tally, self.total, self.cancellation) = (tally, total, cancellation)
    page = entity.crossing.makePage()
  }

  /// Every row, from the legacy file.
  func copy(_ digest: RowDigest) throws {
    try stepRun.run.source.forEachRow(
      of: entity.className, account: account.id, properties: entity.properties, after: nil
    ) { row in
      digest.add(row)
      try take(entity.mapped(row), nil)
    }
  }

  /// The rows of the backup.
  func restore(_ lines: [Backup.Line]) throws {
    for line in lines {
      var mapped = MappedRow(row: LegacyRow(position: line.position, values: []), fate: .plain)
      if case .keep(let row) = line.content {
        kept[line.position] = row
        let values = try entity.properties.map { try stepRun.value($0, of: row) }
        mapped = entity.mapped(LegacyRow(position: line.position, values: values))
      }
      try take(mapped, line.content)
    }
  }

  /// Commits what is left, and the tally even of a class without rows.
  func finish() throws {
    try commit()
    stepRun.report(.restored, account.id, entity.crossing.entity, done: tally.read, of: total)
  }

  private func take(_ mapped: MappedRow, _ line: Backup.Line.Content?) throws {
    if let position = tally.position, mapped.row.position <= position {
      let isPlaced = if case .keep? = line { true } else { line == nil }
      if isPlaced { page.replay(mapped.row, as: kind(of: mapped), of: account.id) }
      return
    }
    pending.append((mapped, line))
    if pending.count == stepRun.run.pageSize { try commit() }
  }

  /// As what a row that is carried over is carried.
  private func kind(of mapped: MappedRow) -> RowKind {
    switch mapped.fate {
    case .plain: .record
    case .preserved: entity.preservesUnsent ? .unsent : .record
    case .deleted: .deletion
    }
  }

  private func commit() throws {
    try cancellation.check()
    let next = try stepRun.run.store.device.blockingWrite(origin: .crossing) { transaction in
      var tally = tally
      for (mapped, line) in pending {
        tally.read += 1
        tally.position = mapped.row.position
        switch line {
        case nil, .keep?: try place(mapped, &tally, transaction)
        case .left?: tally.left += 1
        case .discarded?: tally.discarded += 1
        case .refused(let reason, let content)?:
          tally.quarantined += 1
          try quarantine(mapped.row.position, reason, content, transaction)
        }
      }
      try page.flush(to: account, in: transaction)
      tally.clamped += Int64(page.takeNotes().clampedTimes)
      try transaction.upsert(tally)
      return tally
    }
    tally = next
    pending.removeAll(keepingCapacity: true)
    stepRun.report(.restored, account.id, entity.crossing.entity, done: tally.read, of: total)
  }

  private func place(
    _ mapped: MappedRow, _ tally: inout Tally, _ transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let (row, kind) = (mapped.row, kind(of: mapped))
    switch try page.place(row, as: kind, of: account, in: transaction) {
    case .written:
      tally.written += 1
      if kind == .deletion { tally.deletes += 1 }
    case .merged: tally.merged += 1
    case .refused(let reason):
      tally.quarantined += 1
      try quarantine(row.position, reason, nil, transaction)
    case .lost(let winner):
      tally.quarantined += 1
      try quarantine(row.position, "row \(winner) has the same key and goes before it", nil, transaction)
    case .won(let loser, let overtaken):
      tally.quarantined += 1
      tally.deletes += (kind == .deletion ? 1 : 0) - (overtaken == .deletion ? 1 : 0)
      try quarantine(loser, "row \(row.position) has the same key and goes before it", nil, transaction)
    }
  }

  private func quarantine(
    _ position: Int64, _ reason: String, _ content: JSONObject?,
    _ transaction: borrowing Transaction<DeviceScope>
  ) throws {
    try stepRun.quarantine(entity, account.id, position, reason, content ?? kept[position], in: transaction)
  }
}

extension StepRun {
  /// Keeps a row aside, whole, with the reason.
  func quarantine(
    _ entity: Plan.Entity, _ account: AccountID, _ position: Int64, _ reason: String,
    _ content: JSONObject? = nil,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    let content = try content ?? self.content(entity, account, at: position)
    try transaction.upsert(
      QuarantinedRow(
        id: "\(step.domain.name)/\(account)/\(entity.crossing.entity)/\(position)", domain: step.domain.name,
        account: account, entity: entity.crossing.entity, content: try JSONValue.object(content).text(),
        reason: reason, at: run.now()))
  }
}
