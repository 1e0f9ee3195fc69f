import FerryStore

/// What a run would do with the legacy rows of one entity and account, as far as the files alone tell: whether
/// rows merge or are refused shows only once they are mapped.
public struct Forecast: Sendable, Equatable {
  public let domain: String
  public let account: AccountID
  public let entity: String
  public let read: Int64
  /// Rows that would be copied, or whose deletion would be.
  public let copied: Int64
  public let left: Int64
  public let discarded: Int64
}

extension Plan {
  /// Refuses, before anything is made or written, what a run would refuse: a frozen step that was edited, an account
  /// that is signed out, a mapping that doesn't fit the files. No row is read.
  ///
  /// - Parameter accounts: those of the store.
  /// - Throws: `SourceFaults`, `KernelError`.
  public func check(
    before journal: [JournalEntry], _ source: any LegacySource, accounts: [Account] = []
  ) throws {
    try checkFrozen(journal)
    try checkAccounts(of: source, journal)
    try checkSignedIn(accounts, of: source, journal)
    try check(against: source, steps: open(journal))
  }

  /// What a run would do now, step by step, in its order. Nothing is written.
  ///
  /// - Parameter digests: of the classes that have crossed; nil leaves out whether files have changed since, for
  ///   which they are read.
  /// - Throws: as the run would: `SourceFaults`, or `KernelError` for a frozen step that was edited, or for a
  ///   class that changed.
  public func forecast(
    _ source: any LegacySource, _ journal: [JournalEntry], digests: [ClassDigest]? = nil
  ) throws -> [Forecast] {
    try checkFrozen(journal)
    try checkAccounts(of: source, journal)
    let open = open(journal)
    if let digests, !open.isEmpty { try checkUnchanged(source, journal, digests) }
    try check(against: source, steps: open)
    var forecasts: [Forecast] = []
    for step in open {
      for entity in step.entities {
        for account in source.accounts {
          forecasts.append(try forecast(step, entity, source, account))
        }
      }
    }
    return forecasts
  }

  private func checkUnchanged(_ source: any LegacySource, _ journal: [JournalEntry], _ digests: [ClassDigest])
    throws
  {
    let changed = ChangedFile(plan: self, source: source, journal: journal, digests: digests)
    for account in source.accounts {
      let manifest = try source.manifest(of: account)
      for step in changed.suspects(manifest, account) { try changed.check(step, manifest, account) }
    }
  }

  private func forecast(_ step: Step, _ entity: Entity, _ source: any LegacySource, _ account: AccountID)
    throws
    -> Forecast
  {
    let rows = try source.rowCount(of: entity.className, account: account)
    var copied = rows
    if step.strategy != .copy {
      copied = 0
      if rows > 0 {
        try source.forEachRow(
          of: entity.className, account: account, properties: entity.properties, after: nil
        ) {
          if entity.mapped($0).fate != .plain { copied += 1 }
        }
      }
    }
    return Forecast(
      domain: step.domain.name, account: account, entity: entity.crossing.entity, read: rows, copied: copied,
      left: step.strategy == .resync ? rows - copied : 0,
      discarded: step.strategy == .discard ? rows - copied : 0)
  }
}
