import FerryStore

/// A legacy file that isn't the one that earlier steps crossed from. An app may go on writing to it for domains
/// that haven't crossed; what it writes for one that has would be left behind.
extension CrossingRun {
  /// Refuses a file in which a class of a domain that is done has changed.
  ///
  /// Where the file's hash is that of the journal nothing is read. Else the done domains' rows are, once a run
  /// and file.
  ///
  /// - Throws: `KernelError.classChanged`; `.legacyReplaced` where an older build kept no digest of the class.
  func checkSame(_ manifest: LegacyManifest, _ account: AccountID, _ cancellation: Cancellation) throws {
    let seen = SeenFile(account: account, sha256: manifest.sha256)
    let known = compared.withLock { $0[seen] ?? [] }
    var changed = try ChangedFile(plan, source, as: store)
    changed.check = cancellation.check
    for step in changed.suspects(manifest, account) where !known.contains(step.domain.name) {
      try changed.check(step, manifest, account)
      compared.withLock { _ = $0[seen, default: []].insert(step.domain.name) }
    }
  }

  /// A file as it is now.
  struct SeenFile: Hashable {
    let account: AccountID
    let sha256: String
  }
}

/// Holds legacy files against what domains that are done have crossed from.
struct ChangedFile {
  let plan: Plan
  let source: any LegacySource
  let journal: [JournalEntry]
  let digests: [ClassDigest]
  /// Asked for each row.
  var check: () throws -> Void = {}

  init(plan: Plan, source: any LegacySource, journal: [JournalEntry], digests: [ClassDigest]) {
    (self.plan, self.source, self.journal, self.digests) = (plan, source, journal, digests)
  }

  /// As the store's journal has it.
  init(_ plan: Plan, _ source: any LegacySource, as store: Store) throws {
    let (journal, digests) = try store.device.blockingRead { snapshot in
      (try snapshot.fetch(JournalEntry.all), try snapshot.fetch(ClassDigest.all))
    }
    self.init(plan: plan, source: source, journal: journal, digests: digests)
  }

  /// The done steps that crossed from another file than the one the account has now.
  func suspects(_ manifest: LegacyManifest, _ account: AccountID) -> [Plan.Step] {
    plan.steps.filter { step in
      guard let entry = journal.done.first(where: { $0.domain == step.domain.name }) else { return false }
      let crossed = zip(entry.accounts, entry.digests).first { $0.0.hasSameBytes(as: account.description) }
      return crossed.map { !$0.1.hasSameBytes(as: manifest.sha256) } ?? false
    }
  }

  func check(_ step: Plan.Step, _ manifest: LegacyManifest, _ account: AccountID) throws {
    for entity in step.entities {
      let id = Tally(domain: step.domain.name, account: account, entity: entity.crossing.entity).id
      guard let known = digests.first(where: { $0.id.hasSameBytes(as: id) }) else {
        throw KernelError.legacyReplaced(path: manifest.path, domain: step.domain.name)
      }
      guard let found = try digest(entity, account), found.rows == known.rows, found.digest == known.digest
      else {
        throw KernelError.classChanged(
          path: manifest.path, className: entity.className, domain: step.domain.name, account: account)
      }
    }
  }

  /// What the class's rows are now; nil where it doesn't have what the mapping reads.
  private func digest(_ entity: Plan.Entity, _ account: AccountID) throws -> (rows: Int64, digest: String)? {
    let digest = RowDigest(entity.properties)
    if try source.rowCount(of: entity.className, account: account) > 0 {
      let found = try source.classes(of: account).first { $0.name.hasSameBytes(as: entity.className) }
      let has = found?.properties ?? []
      guard entity.properties.allSatisfy({ name in has.contains { $0.hasSameBytes(as: name) } }) else {
        return nil
      }
      try source.forEachRow(
        of: entity.className, account: account, properties: entity.properties, after: nil
      ) { row in
        try check()
        digest.add(row)
      }
    }
    return (digest.rows, digest.finish())
  }
}
