import FerryKernel
import FerryStore
import Foundation
import TestKit

/// Legacy rows in memory that say they come from files, and the files.
struct FiledSource: LegacySource {
  private let base: MemoryLegacySource
  private let paths: [AccountID: String]
  private let files = FileOperations()

  init(_ base: MemoryLegacySource, at paths: [AccountID: String]) { (self.base, self.paths) = (base, paths) }

  var accounts: [AccountID] { base.accounts }
  func path(of account: AccountID) throws -> String {
    guard let path = paths[account] else { throw KernelError.noLegacyFile(account) }
    return path
  }
  func manifest(of account: AccountID) throws -> LegacyManifest {
    let path = try path(of: account)
    let (size, sha256) = try files.digest(of: path)
    return LegacyManifest(path: path, size: size, sha256: sha256, schemaVersion: nil)
  }
  func classes(of account: AccountID) throws -> [LegacyClass] {
    _ = try manifest(of: account)
    return try base.classes(of: account)
  }
  func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    try base.forEachRow(
      of: className, account: account, properties: properties, after: position, body)
  }
  func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try base.row(of: className, account: account, at: position)
  }
}

/// A library that has crossed, with the files that it came from: two that have one name, and what Realm leaves
/// beside them.
struct RetiringRig {
  var rig: LibraryRig
  var files = FileOperations()
  let legacy: [String]

  init(roadmap: String = Library.roadmap) async throws {
    rig = try LibraryRig(MemoryLegacySource([]))
    rig.roadmap = roadmap
    legacy = ["alice/default.realm", "bob/default.realm"]
    for (index, name) in legacy.enumerated() {
      try FileManager.default.createDirectory(
        atPath: rig.folder.path(String(name.prefix { $0 != "/" })), withIntermediateDirectories: true)
      try Data("rows of \(index)".utf8).write(to: URL(fileURLWithPath: rig.folder.path(name)))
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: rig.folder.path("bob/default.realm.lock")))
    try FileManager.default.createDirectory(
      atPath: rig.folder.path("bob/default.realm.management"), withIntermediateDirectories: true)
    try Data("y".utf8).write(to: URL(fileURLWithPath: rig.folder.path("bob/default.realm.management/a")))
    takeRows([[.integer(1), .text("n")]])
    try await rig.cross()
  }

  /// The same in a folder that doesn't exist yet, over another disk.
  func copied(to path: String, on disk: FaultDisk) throws -> RetiringRig {
    try FileManager.default.copyItem(atPath: rig.folder.path, toPath: path)
    var copy = self
    copy.rig = try LibraryRig(rig.source, at: path)
    copy.rig.roadmap = rig.roadmap
    copy.rig.disk = disk
    copy.files = disk.files
    copy.takeRows([[.integer(1), .text("n")]])
    return copy
  }

  /// The files have other rows from here on.
  mutating func changeRows() { takeRows([[.integer(1), .text("another")]]) }

  private mutating func takeRows(_ notes: [[LegacyValue]]) {
    var rows = LibraryRows()
    rows.notes = notes
    let base = MemoryLegacySource([(LibraryRows.alice, rows.classes), (LibraryRows.bob, rows.classes)])
    rig.source = FiledSource(
      base,
      at: [LibraryRows.alice: rig.folder.path(legacy[0]), LibraryRows.bob: rig.folder.path(legacy[1])])
  }

  var archive: LegacyArchive {
    LegacyArchive(folder: rig.folder.path("legacy-archive"), files: files)
  }

  func retirement(_ store: Store) throws -> LegacyRetirement {
    LegacyRetirement(
      plan: try rig.plan(), store: store, source: rig.source, archive: archive,
      backupFolder: rig.backupFolder, now: FixedClock.now)
  }

  /// Opens the store as another process would, and closes it.
  func withRetirement<Result>(_ body: (LegacyRetirement) throws -> Result) async throws -> Result {
    let store = try rig.open()
    do {
      let result = try body(retirement(store))
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }

  var rollback: Rollback {
    Rollback(archive: archive, storePath: rig.storePath, backupFolder: rig.backupFolder)
  }

  /// Rolls back as the app does; where there is no store any more, that has been done.
  func rollBack(discarding: Int64 = 0) async throws {
    if try !rollback.isUnderWay() {
      guard FileManager.default.fileExists(atPath: rig.storePath) else { return }
      try await withRetirement { try rollback.begin($0, discarding: discarding) }
    }
    _ = try rollback.finish()
  }

  /// Every file by its path, but for the store's own.
  func contents() throws -> [String: String] {
    var contents: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: rig.folder.path) {
      var isFolder: ObjCBool = false
      let path = rig.folder.path(name)
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
        !name.hasPrefix("ferry.sqlite"), !name.hasPrefix("backups/")
      else { continue }
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      contents[name] = name.hasSuffix(".sqlite") ? "store" : String(decoding: data, as: UTF8.self)
    }
    return contents
  }
}
