import FerryStore

/// What became of the legacy files once every domain was over. One row; none before that.
public struct Retirement: Record, Equatable {
  public enum Phase: String, ColumnValue {
    /// The archive has its manifest; the files are on their way.
    case moving
    /// They are in the archive, and nowhere else.
    case archived
    /// The archive was removed, or is being removed.
    case removed
  }

  public typealias Scope = DeviceScope
  public typealias Key = Int64
  public let id: Int64
  public let phase: Phase
  public let at: Timestamp

  public static let table = Table<Retirement>(
    "kernel_retirement", key: \.id,
    columns: Column("id", \.id), Column("phase", \.phase), Column("at", \.at),
    make: Retirement.init(id:phase:at:))

  /// The table with how many changes people had made by then. Those were to count from the first domain on, not the
  /// last.
  static let withEdits = FrozenTable(
    "kernel_retirement", hasAccount: false, key: "id",
    columns: [
      FrozenColumn("id", Int64.self), FrozenColumn("phase", String.self), FrozenColumn("edits", Int64.self),
      FrozenColumn("at", Timestamp.self),
    ])

  static let key: Int64 = 1

  func reached(_ phase: Phase) -> Retirement { Retirement(id: id, phase: phase, at: at) }
}

/// Moves the legacy files into the archive after the last domain, journaled like every step before it: a run
/// that is killed at any instant is gone on with by the next.
public struct LegacyRetirement: Sendable {
  let plan: Plan
  let store: Store
  let source: any LegacySource
  let removed: [String]
  let archive: LegacyArchive
  let backupFolder: String
  let now: @Sendable () -> Timestamp

  /// - Parameter removed: the paths of legacy files whose accounts were removed from the store. Nothing is asked of
  ///   them, and they go the way of the others; some may be the others', or gone.
  public init(
    plan: Plan, store: Store, source: any LegacySource, removed: [String] = [], archive: LegacyArchive,
    backupFolder: String, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.plan, self.store, self.source, self.removed) = (plan, store, source, removed)
    (self.archive, self.backupFolder, self.now) = (archive, backupFolder, now)
  }

  /// What has become of the files; nil where retiring hasn't begun.
  public func state() throws -> Retirement? {
    try store.device.blockingRead { try $0.find(Retirement.self, Retirement.key) }
  }

  /// Whether every domain is over and the files aren't in the archive yet.
  public func isDue() throws -> Bool {
    let (journal, state) = try store.device.blockingRead { snapshot in
      (try snapshot.fetch(JournalEntry.all), try snapshot.find(Retirement.self, Retirement.key))
    }
    if let state { return state.phase == .moving }
    return plan.off.isEmpty && plan.open(journal).isEmpty && !(source.accounts.isEmpty && removed.isEmpty)
  }

  /// Moves them. Blocks its thread.
  ///
  /// - Throws: `KernelError.classChanged` for a file whose rows aren't those that crossed any more, which stays
  ///   where it is; `KernelError.inTheWay`; what a file operation throws.
  public func run() throws {
    guard try isDue() else { return }
    if try state() == nil { try begin() }
    for file in try archive.manifest().files { try archive.moveIn(file) }
    try write { $0.reached(.archived) }
  }

  private func begin() throws {
    let changed = try ChangedFile(plan, source, as: store)
    var manifests: [LegacyManifest] = []
    for account in source.accounts {
      let manifest = try source.manifest(of: account)
      for step in changed.suspects(manifest, account) { try changed.check(step, manifest, account) }
      if !manifests.has(manifest.path) { manifests.append(manifest) }
    }
    for path in removed where try !manifests.has(path) && archive.files.exists(path) {
      let (size, sha256) = try archive.files.digest(of: path)
      manifests.append(LegacyManifest(path: path, size: size, sha256: sha256, schemaVersion: nil))
    }
    try archive.write(archive.manifest(of: manifests))
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      try transaction.upsert(
        Retirement(id: Retirement.key, phase: .moving, at: now()))
    }
  }

  private func write(_ change: @escaping (Retirement) -> Retirement) throws {
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      guard let state = try transaction.find(Retirement.self, Retirement.key) else { return }
      try transaction.upsert(change(state))
    }
  }

  /// What `remove` takes away: the archive and the crossing's backups, which nothing needs once the files
  /// are in it.
  ///
  /// - Throws: `KernelError.notRetired` before that.
  public func removable() throws -> [(path: String, size: Int64)] {
    guard let state = try state(), state.phase != .moving else { throw KernelError.notRetired }
    return try archive.contents() + archive.files.sizes(below: backupFolder)
  }

  /// Removes the archive and the backups for good. What an interrupted removal left goes with the next.
  public func remove() throws {
    _ = try removable()
    try write { $0.reached(.removed) }
    for path in [archive.folder, backupFolder] { try archive.files.removeTree(path) }
    try archive.files.syncFolder(of: archive.folder)
  }

  /// How many changes people have made since the first domain was over, which is when the gate opened for the first of
  /// them: what a rollback loses.
  public func laterEdits() throws -> Int64 { try store.device.blockingRead { try $0.localEdits() } }
}

extension [LegacyManifest] {
  fileprivate func has(_ path: String) -> Bool { contains { $0.path.hasSameBytes(as: path) } }
}
