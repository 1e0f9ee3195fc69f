import FerryStore

extension StepRun {
  private var backupPath: String { "\(run.backupFolder)/\(step.domain.name).ndjson" }

  /// waiting → backedUp: writes down which files they are and, unless everything is copied, what becomes of
  /// each row.
  func backUp(_ cancellation: Cancellation) throws -> JournalEntry {
    report(.backedUp, nil, nil, done: 0, of: nil)
    var manifests: [(AccountID, LegacyManifest)] = []
    var lines: [Backup.Line] = []
    var digests: [ClassDigest] = []
    for account in run.source.accounts {
      let manifest = try run.likelyManifest(of: account)
      try run.checkSame(manifest, account, cancellation)
      manifests.append((account, manifest))
      guard step.strategy != .copy else { continue }
      for entity in step.entities {
        let digest = RowDigest(entity.properties)
        lines += try classify(entity, account, digest, cancellation)
        digests.append(classDigest(entity, account, digest))
      }
      // The rows were read after the hash was taken; they are of that file only if it still has it.
      guard try run.manifest(of: account) == manifest else {
        throw KernelError.legacyChanged(path: manifest.path)
      }
    }
    let backup = Backup(domain: step.domain.name, manifests: manifests, lines: lines)
    let bytes = try backup.bytes()
    try run.files.makeFolder(run.backupFolder)
    try run.files.writeWhole(bytes, to: backupPath)
    return try journaled(
      run.entry(of: step).reached(
        .backedUp, digests: manifests.map(\.1.sha256), backup: run.files.checksum(of: bytes), at: run.now())
    ) { transaction in
      try transaction.delete(ClassDigest.where { $0.domain == step.domain.name })
      try transaction.upsert(digests)
    }
  }

  func classDigest(_ entity: Plan.Entity, _ account: AccountID, _ digest: RowDigest) -> ClassDigest {
    ClassDigest(
      id: Tally(domain: step.domain.name, account: account, entity: entity.crossing.entity).id,
      domain: step.domain.name, account: account.description, className: entity.className, rows: digest.rows,
      digest: digest.finish())
  }

  /// The backup that the journal knows.
  ///
  /// - Parameter onlyFiles: leaves the rows out.
  func backup(_ entry: JournalEntry, onlyFiles: Bool = false) throws -> Backup {
    let bytes: [UInt8]
    do {
      bytes = try run.files.read(backupPath)
    } catch KernelError.fileSystem(_, _, let message) where !run.files.isThere(backupPath) {
      // One that only can't be read now is no reason to start anew.
      throw KernelError.badBackup(path: backupPath, why: message)
    }
    guard run.files.checksum(of: bytes) == entry.backup else {
      throw KernelError.badBackup(path: backupPath, why: "it has changed since it was written")
    }
    return try Backup(bytes, path: backupPath, onlyFiles: onlyFiles)
  }

  /// A value that the backup keeps.
  func value(_ property: String, of row: JSONObject) throws -> LegacyValue {
    guard let value = row[property].flatMap(LegacyValue.init(json:)) else {
      throw KernelError.badBackup(path: backupPath, why: "a row has no value of \(property) that can be read")
    }
    return value
  }

  /// Refuses to go on with legacy files that aren't those of the backup.
  func checkFiles(_ backup: Backup, _ current: (AccountID) throws -> LegacyManifest) throws {
    for (account, manifest) in backup.manifests where try current(account) != manifest {
      throw KernelError.legacyChanged(path: manifest.path)
    }
  }

  /// How many rows a file has of an entity's class; none where it doesn't have the class, which a mapping is
  /// refused for unless the file has no class at all.
  func rowCount(_ entity: Plan.Entity, _ account: AccountID) throws -> Int64 {
    try run.source.rowCount(of: entity.className, account: account)
  }

  /// A row with all its properties, for the quarantine.
  func content(_ entity: Plan.Entity, _ account: AccountID, at position: Int64) throws -> JSONObject {
    let properties =
      try run.source.classes(of: account).first { $0.name == entity.className }?.properties ?? []
    guard let row = try run.source.row(of: entity.className, account: account, at: position) else {
      return [:]
    }
    return object(properties, row.values)
  }

  private func classify(
    _ entity: Plan.Entity, _ account: AccountID, _ digest: RowDigest, _ cancellation: Cancellation
  ) throws -> [Backup.Line] {
    let classes = try run.source.classes(of: account)
    guard let found = classes.first(where: { $0.name == entity.className }) else { return [] }
    let slots = entity.properties.map { found.properties.firstIndex(of: $0) }
    let page = entity.crossing.makePage()
    var lines: [Backup.Line] = []
    try run.source.forEachRow(of: entity.className, account: account, properties: nil, after: nil) { row in
      try cancellation.check()
      let values = slots.map { slot in slot.map { row.values[$0] } ?? .null }
      let read = LegacyRow(position: row.position, values: values, refusal: row.refusal)
      digest.add(read)
      let mapped = entity.mapped(read)
      let content: Backup.Line.Content
      if let refusal = row.refusal {
        content = .refused(reason: refusal, object(found.properties, row.values))
      } else if mapped.fate != .plain {
        content = .keep(object(found.properties, row.values))
      } else if step.strategy == .discard {
        content = .discarded
      } else {
        do {
          content = .left(key: try page.keyText(of: mapped.row, account: account))
        } catch let refusal as RowRefusal {
          content = .refused(reason: refusal.reason, object(found.properties, row.values))
        }
      }
      lines.append(
        Backup.Line(
          account: account, entity: entity.crossing.entity, position: row.position, content: content))
    }
    return lines
  }

  private func object(_ names: [String], _ values: [LegacyValue]) -> JSONObject {
    var object = JSONObject()
    for (name, value) in zip(names, values) { object[name] = value.json }
    return object
  }
}
