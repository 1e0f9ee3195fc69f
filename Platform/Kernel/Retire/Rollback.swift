import FerryStore

/// Puts the legacy files back where they were and the store into the archive.
///
/// What it is about to do is written down first, so that a rollback that was killed is gone on with; until then
/// nothing may open the store to write.
public struct Rollback: Sendable {
  private let archive: LegacyArchive
  private let storePath: String
  private let backupFolder: String
  private let belongings: [String]
  private var files: FileOperations { archive.files }

  /// - Parameters:
  ///   - storePath: the store's file.
  ///   - backupFolder: the crossing's backups, which go with the store.
  ///   - belongings: files and folders that the store's rows speak of, which go with it too: beside another store
  ///     they would be nobody's.
  public init(archive: LegacyArchive, storePath: String, backupFolder: String, belongings: [String] = []) {
    (self.archive, self.storePath, self.backupFolder) = (archive, storePath, backupFolder)
    self.belongings = belongings
  }

  /// What writers are told whom it shuts out.
  static let gateReason =
    "the crossing is being rolled back, and `app-cli migrate rollback` goes on with that"

  private var intentPath: String { "\(archive.folder)/rollback.json" }

  /// Whether one was begun and isn't over.
  public func isUnderWay() throws -> Bool { try files.exists(intentPath) }

  /// Refuses to go on while one is under way.
  ///
  /// - Throws: `KernelError.rollbackUnderWay`.
  public func checkNotUnderWay() throws {
    if try isUnderWay() { throw KernelError.rollbackUnderWay(archive: archive.folder) }
  }

  /// Checks that it can be done, and writes down that it will be. Nobody but this process may write to the store
  /// any more once this returns.
  ///
  /// - Parameters:
  ///   - retirement: of the store, which is closed afterwards.
  ///   - discarding: how many later edits whoever asks for it knows of and gives up.
  /// - Throws: `KernelError.notRetired`, `archiveRemoved`, `laterEdits` with their number; `inTheWay` and
  ///   `archiveDamaged`; nothing was changed then.
  public func begin(_ retirement: LegacyRetirement, discarding: Int64) throws {
    switch try retirement.state()?.phase {
    case .archived: break
    case .removed: throw KernelError.archiveRemoved(archive.folder)
    case .moving, nil: throw KernelError.notRetired
    }
    for file in try archive.manifest().files {
      let archived = "\(archive.folder)/\(file.name)"
      guard try files.exists(archived), try files.digest(of: archived).sha256 == file.sha256 else {
        throw KernelError.archiveDamaged(path: archived)
      }
      let place = try archive.place(of: file)
      guard try !files.exists(place) else { throw KernelError.inTheWay(path: place, of: archived) }
    }
    try retirement.store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      try transaction.shutGate(reason: Rollback.gateReason)
    }
    // Behind the gate nobody adds to them.
    let edits = try retirement.laterEdits()
    guard edits == discarding else {
      try retirement.store.device.blockingWrite(origin: .crossing, durability: .powerLoss) {
        try $0.openGate()
      }
      throw KernelError.laterEdits(count: edits, discarding: discarding)
    }
    try files.writeWhole(Array("{\"rollback\":1}\n".utf8), to: intentPath)
  }

  /// Does what was written down, from wherever an earlier try stopped. The store must be closed.
  ///
  /// - Returns: where the store is now.
  public func finish() throws -> String {
    if try archive.hasManifest() {
      for file in try archive.manifest().files { try archive.moveBack(file) }
    }
    let folder = try storeFolder()
    try files.makeFolder(folder)
    // The store last, which says whose folder it is.
    for path in belongings + [backupFolder, storePath + "-wal", storePath + "-shm", storePath] {
      guard try files.exists(path) else { continue }
      try files.move(path, to: "\(folder)/\(path.split(separator: "/").last ?? "store")")
    }
    try archive.removeManifest()
    try files.removeTree(intentPath)
    try files.syncFolder(of: intentPath)
    return folder
  }

  /// What lies in the archive after a rollback: the stores that were.
  ///
  /// - Throws: `KernelError.rollbackUnderWay`; `archiveAlone` where legacy files are in it and the store is gone.
  public func removable() throws -> [(path: String, size: Int64)] {
    try checkNotUnderWay()
    try archive.checkNotAlone()
    return try archive.contents()
  }

  /// Removes them for good.
  public func remove() throws {
    _ = try removable()
    guard try files.exists(archive.folder) else { return }
    try files.removeTree(archive.folder)
    try files.syncFolder(of: archive.folder)
  }

  /// A folder of its own for each store that was rolled back: the last one, unless it holds an earlier store. Once
  /// this store has moved, the last one is its.
  private func storeFolder() throws -> String {
    var last = 0
    while try files.exists("\(archive.folder)/store-\(last + 1)") { last += 1 }
    let moved = "\(archive.folder)/store-\(last)/\(storePath.split(separator: "/").last ?? "store")"
    let isTaken = try files.exists(storePath) && files.exists(moved)
    return "\(archive.folder)/store-\(isTaken ? last + 1 : max(last, 1))"
  }
}
