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
    let done = try store.device.blockingRead { try $0.fetch(JournalEntry.all) }.done.filter { entry in
      let crossed = zip(entry.accounts, entry.digests).first { $0.0.hasSameBytes(as: account.description) }
      return crossed.map { !$0.1.hasSameBytes(as: manifest.sha256) } ?? false
    }
    for step in plan.steps where done.contains(where: { $0.domain == step.domain.name }) {
      let seen = SeenFile(account: account, sha256: manifest.sha256, domain: step.domain.name)
      guard !compared.withLock({ $0.contains(seen) }) else { continue }
      for entity in step.entities { try checkSame(entity, of: step, manifest, account, cancellation) }
      compared.withLock { _ = $0.insert(seen) }
    }
  }

  private func checkSame(
    _ entity: Plan.Entity, of step: Plan.Step, _ manifest: LegacyManifest, _ account: AccountID,
    _ cancellation: Cancellation
  ) throws {
    let id = Tally(domain: step.domain.name, account: account, entity: entity.crossing.entity).id
    guard let known = try store.device.blockingRead({ try $0.find(ClassDigest.self, id) }) else {
      throw KernelError.legacyReplaced(path: manifest.path, domain: step.domain.name)
    }
    let changed = KernelError.classChanged(
      path: manifest.path, className: entity.className, domain: step.domain.name, account: account)
    let found = try source.classes(of: account).first { $0.name.hasSameBytes(as: entity.className) }
    let digest = RowDigest(entity.properties)
    if let found, try source.rowCount(of: entity.className, account: account) > 0 {
      for property in entity.properties
      where !found.properties.contains(where: { $0.hasSameBytes(as: property) }) {
        throw changed
      }
      try source.forEachRow(
        of: entity.className, account: account, properties: entity.properties, after: nil
      ) { row in
        try cancellation.check()
        digest.add(row)
      }
    }
    guard digest.rows == known.rows, digest.finish() == known.digest else { throw changed }
  }

  /// A file that was held against a domain, and found to have what crossed from it.
  struct SeenFile: Hashable {
    let account: AccountID
    let sha256: String
    let domain: String
  }
}
