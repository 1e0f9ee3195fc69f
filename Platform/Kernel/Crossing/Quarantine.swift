import FerryStore

/// What may be done with rows that were kept aside, once their domain is over: carry one over after all, or let it
/// go. Each is one transaction in which the row leaves the quarantine and its outcome changes, so that the
/// accounts stay balanced.
public struct Quarantine: Sendable {
  private let plan: Plan
  private let store: Store
  private let source: any LegacySource

  /// What became of a row that was tried again.
  public enum Retried: String, Sendable {
    case written
    /// The table had its key with the same content.
    case merged
    /// Its deletion waits to be pushed.
    case deleted
  }

  /// - Parameter source: says whose a row is; no row of it is read.
  public init(plan: Plan, store: Store, source: any LegacySource) {
    (self.plan, self.store, self.source) = (plan, store, source)
  }

  /// The row with this id.
  ///
  /// - Throws: `KernelError.notQuarantined`.
  public func row(_ id: String) throws -> QuarantinedRow {
    try store.device.blockingRead { try row(id, in: $0) }
  }

  /// Maps a kept row again with today's mapping and writes it. What no server has heard of waits to be pushed.
  ///
  /// - Throws: `KernelError.notQuarantined`; `.notDone`, `.domainDisabled`, `.editedStep` for its domain;
  ///   `.stillRefused` where it can't become a record yet; `.keyTaken` where the table has another row with its
  ///   key. Nothing has changed then.
  public func retry(_ id: String) throws -> Retried {
    let kept = try row(id)
    let (step, entity) = try place(of: kept)
    let account = try store.account(AccountID(kept.account))
    let mapped = try mapped(kept, entity, account.id)
    return try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      // As it is now: another process may have been quicker.
      _ = try row(id, in: transaction)
      var tally = try tally(of: kept, in: transaction)
      let page = entity.crossing.makePage()
      let retried = try write(mapped, kept, step, entity, account, page, in: transaction)
      tally.quarantined -= 1
      switch retried {
      case .written: tally.written += 1
      case .merged: tally.merged += 1
      case .deleted:
        tally.written += 1
        tally.deletes += 1
      }
      tally.clamped += Int64(page.takeNotes().clampedTimes)
      try transaction.upsert(tally)
      try transaction.delete(QuarantinedRow.self, id)
      return retried
    }
  }

  /// Lets a row go for good: a legacy row counts as discarded from then on.
  ///
  /// - Returns: what went.
  /// - Throws: `KernelError.notQuarantined`, or `.notDone` while its domain is under way.
  public func drop(_ id: String) throws -> QuarantinedRow {
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      let kept = try row(id, in: transaction)
      if kept.isLegacyRow {
        try checkDone(kept.domain, transaction.fetch(JournalEntry.all))
        var tally = try tally(of: kept, in: transaction)
        tally.quarantined -= 1
        tally.discarded += 1
        try transaction.upsert(tally)
      }
      try transaction.delete(QuarantinedRow.self, id)
      return kept
    }
  }

  private func write(
    _ mapped: MappedRow, _ kept: QuarantinedRow, _ step: Plan.Step, _ entity: Plan.Entity,
    _ account: AccountStore, _ page: any CrossingPage, in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Retried {
    let isDeletion = mapped.fate == .deleted
    switch try refusals(kept, { try page.standing(of: mapped.row, account: account, in: transaction) }) {
    case .same where !isDeletion: return .merged
    case .free: break
    case .same(let key), .taken(let key): throw KernelError.keyTaken(row: kept.id, key: key)
    }
    // A row that was left to the server and that it never returned is this device's alone.
    let isUnsent = entity.crossing.table.isTracked && (mapped.fate == .preserved || step.strategy == .resync)
    let kind = isDeletion ? RowKind.deletion : isUnsent ? .unsent : .record
    _ = try page.place(mapped.row, as: kind, of: account, in: transaction)
    try page.flush(to: account, in: transaction)
    return isDeletion ? .deleted : .written
  }

  private func refusals<Result>(_ kept: QuarantinedRow, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let refusal as RowRefusal {
      throw KernelError.stillRefused(row: kept.id, why: refusal.reason)
    }
  }

  /// The kept properties as the crossing sees them.
  private func mapped(_ kept: QuarantinedRow, _ entity: Plan.Entity, _ account: AccountID) throws -> MappedRow
  {
    let content = try JSONValue.parse(text: kept.content)
    func value(_ property: String) -> LegacyValue? { content[property].flatMap(LegacyValue.init(json:)) }
    let refusal = source.refusal(of: entity.className, account: account, value: value)
    let values = try entity.properties.map { property in
      guard let value = value(property) else {
        throw KernelError.stillRefused(row: kept.id, why: "it was kept without the property \(property)")
      }
      return value
    }
    return entity.mapped(LegacyRow(position: 0, values: values, refusal: refusal))
  }

  private func place(of kept: QuarantinedRow) throws -> (Plan.Step, Plan.Entity) {
    let journal = try store.device.blockingRead { try $0.fetch(JournalEntry.all) }
    try plan.checkFrozen(journal)
    guard let step = plan.enabled.first(where: { $0.domain.name == kept.domain }) else {
      throw KernelError.domainDisabled(kept.domain)
    }
    try checkDone(kept.domain, journal)
    guard let entity = step.entities.first(where: { $0.crossing.entity == kept.entity }) else {
      throw KernelError.stillRefused(row: kept.id, why: "\(kept.domain) has no \(kept.entity) to make of it")
    }
    return (step, entity)
  }

  private func checkDone(_ domain: String, _ journal: [JournalEntry]) throws {
    guard journal.isDone(domain) else { throw KernelError.notDone(domain: domain) }
  }

  private func row<Source: Reading & ~Copyable>(_ id: String, in reading: borrowing Source) throws
    -> QuarantinedRow where Source.Scope == DeviceScope
  {
    guard let row = try reading.find(QuarantinedRow.self, id) else { throw KernelError.notQuarantined(id) }
    return row
  }

  private func tally(of kept: QuarantinedRow, in transaction: borrowing Transaction<DeviceScope>) throws
    -> Tally
  {
    let id = "\(kept.domain)/\(kept.account)/\(kept.entity)"
    guard let tally = try transaction.find(Tally.self, id), tally.quarantined > 0 else {
      throw KernelError.malformed(path: id, why: "the journal counts no row of it in quarantine")
    }
    return tally
  }
}

extension QuarantinedRow {
  /// The feed whose record it is; nil for a legacy row.
  public var feed: String? {
    entity.hasPrefix("feed ") ? String(entity.dropFirst("feed ".count)) : nil
  }

  /// The feed that a server doesn't take it in; nil where it is none of this device's own rows.
  public var unsentFeed: String? {
    entity.hasPrefix("push ") ? String(entity.dropFirst("push ".count)) : nil
  }

  /// Whether it is a legacy row, and neither a server's record nor one that a server doesn't take.
  public var isLegacyRow: Bool { feed == nil && unsentFeed == nil }
}
