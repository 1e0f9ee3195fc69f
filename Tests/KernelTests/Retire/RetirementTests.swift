import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@testable import FerryKernel

@Suite struct `Retiring the legacy files` {
  struct Fault: Error {}

  private static let archived = [
    "legacy-archive/default.realm": "rows of 0", "legacy-archive/2-default.realm": "rows of 1",
    "legacy-archive/2-default.realm.lock": "x", "legacy-archive/2-default.realm.management/a": "y",
  ]
  private static let inPlace = [
    "alice/default.realm": "rows of 0", "bob/default.realm": "rows of 1", "bob/default.realm.lock": "x",
    "bob/default.realm.management/a": "y",
  ]

  private func withoutManifest(_ contents: [String: String]) -> [String: String] {
    contents.filter { $0.key != "legacy-archive/manifest.json" }
  }

  @Test func `moves them into the archive with a manifest of their hashes, and does it once`() async throws {
    let rig = try await RetiringRig()
    #expect(try await rig.withRetirement { try $0.isDue() })
    try await rig.withRetirement { try $0.run() }
    #expect(try withoutManifest(rig.contents()) == Self.archived)
    let manifest = try JSONValue.parse(text: #require(try rig.contents()["legacy-archive/manifest.json"]))
    let files = try #require(manifest["files"]?.arrayValue)
    #expect(files.map { $0["path"]?.stringValue } == ["../alice/default.realm", "../bob/default.realm"])
    #expect(files[0]["sha256"]?.stringValue == FileOperations().checksum(of: Array("rows of 0".utf8)))
    // The files are gone from where they were, and nobody misses them.
    #expect(try await !rig.withRetirement { try $0.isDue() })
    try await rig.withRetirement { try $0.run() }
    #expect(try await rig.rig.cross().isOver)
  }

  /// One file is in the archive, the other one isn't.
  private func halfway() async throws -> RetiringRig {
    var rig = try await RetiringRig()
    let alice = rig.rig.folder.path("alice/default.realm")
    rig.files = FileOperations { _, path in
      // Whatever is done with the second one once the first one has gone.
      let isSecond = path.hasSuffix("/bob/default.realm")
      if isSecond, !FileManager.default.fileExists(atPath: alice) {
        #expect(!path.contains(".."))
        throw Fault()
      }
    }
    await #expect(throws: Fault.self) { try await rig.withRetirement { try $0.run() } }
    rig.files = FileOperations()
    #expect(try rig.contents()["legacy-archive/default.realm"] == "rows of 0")
    #expect(try rig.contents()["bob/default.realm"] == "rows of 1")
    return rig
  }

  @Test func `goes on without asking for the files that have gone`() async throws {
    let rig = try await halfway()
    let journal = try rig.rig.read { try $0.fetch(JournalEntry.all) }
    try rig.rig.plan().check(before: journal, rig.rig.source)
    #expect(try rig.rig.plan().forecast(rig.rig.source, journal) == [])
    try await rig.withRetirement { try $0.run() }
    #expect(try withoutManifest(rig.contents()) == Self.archived)
  }

  @Test func `refuses a file that became another one while it was interrupted`() async throws {
    let rig = try await halfway()
    let place = URL(fileURLWithPath: rig.rig.folder.path("bob/default.realm"))
    try Data("of an old app".utf8).write(to: place)
    await #expect(throws: KernelError.archivedOther(path: try FileOperations().realPath(of: place.path))) {
      try await rig.withRetirement { try $0.run() }
    }
    #expect(try rig.contents()["bob/default.realm"] == "of an old app")
    try Data("rows of 1".utf8).write(to: place)
    try await rig.withRetirement { try $0.run() }
    #expect(try withoutManifest(rig.contents()) == Self.archived)
  }

  @Test func `takes what a link leads to, and a rollback puts it back there`() async throws {
    let rig = try await RetiringRig()
    let (link, real) = (rig.rig.folder.path("alice/default.realm"), rig.rig.folder.path("alice/real.realm"))
    try FileManager.default.moveItem(atPath: link, toPath: real)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.realm")
    try await rig.withRetirement { try $0.run() }
    #expect(try rig.contents()["legacy-archive/real.realm"] == "rows of 0")
    try await rig.rollBack()
    #expect(try rig.contents()["alice/real.realm"] == "rows of 0")
    #expect(try rig.contents()["alice/default.realm"] == "rows of 0")
  }

  @Test func `waits while a domain is off or isn't over`() async throws {
    let rig = try await RetiringRig(
      roadmap: Library.roadmap.replacing("- domain: book\n", with: "- domain: book\n    enabled: false\n"))
    #expect(try await !rig.withRetirement { try $0.isDue() })
    try await rig.withRetirement { try $0.run() }
    #expect(FileManager.default.fileExists(atPath: rig.archive.folder) == false)
  }

  @Test func `refuses a file that has changed since it crossed, and leaves all where they are`() async throws
  {
    var rig = try await RetiringRig()
    let path = rig.rig.folder.path("bob/default.realm")
    try Data("other rows".utf8).write(to: URL(fileURLWithPath: path))
    rig.changeRows()
    await #expect {
      try await rig.withRetirement { try $0.run() }
    } throws: { error in
      (error as? KernelError)?.code == "kernel.classChanged"
    }
    #expect(try rig.contents()["alice/default.realm"] == "rows of 0")
    #expect(try rig.contents()["bob/default.realm"] == "other rows")
  }

  @Test func `leaves a file alone that has come to where a retired one was`() async throws {
    let rig = try await RetiringRig()
    try await rig.withRetirement { try $0.run() }
    let path = rig.rig.folder.path("alice/default.realm")
    try Data("of an old app".utf8).write(to: URL(fileURLWithPath: path))
    await #expect {
      try await rig.rollBack()
    } throws: { ($0 as? KernelError)?.code == "kernel.inTheWay" }
    #expect(try rig.contents()["alice/default.realm"] == "of an old app")
    #expect(try !rig.rollback.isUnderWay())
  }

  /// How many file operations a work takes.
  private func operations(
    _ work: (RetiringRig) async throws -> Void, after: (RetiringRig) async throws -> Void
  )
    async throws -> Int
  {
    var rig = try await RetiringRig()
    try await after(rig)
    let count = Locked(0)
    rig.files = FileOperations { _, _ in count.withLock { $0 += 1 } }
    try await work(rig)
    return count.withLock { $0 }
  }

  /// Lets the work fail at its nth file operation, for every n, and does it again.
  private func failEverywhere(
    _ work: (RetiringRig) async throws -> Void, after: (RetiringRig) async throws -> Void = { _ in },
    check: (RetiringRig, Int) async throws -> Void
  ) async throws {
    let count = try await operations(work, after: after)
    #expect(count > 8)
    for last in 0..<count {
      var rig = try await RetiringRig()
      try await after(rig)
      let number = Locked(0)
      rig.files = FileOperations { _, _ in
        let isOver = number.withLock { number in
          number += 1
          return number > last
        }
        if isOver { throw Fault() }
      }
      await #expect(throws: Fault.self, "operation \(last)") { try await work(rig) }
      // At any instant each row is somewhere.
      let found = try rig.contents().values
      #expect(found.contains("rows of 0") && found.contains("rows of 1"), "operation \(last)")
      rig.files = FileOperations()
      try await work(rig)
      try await check(rig, last)
    }
  }

  @Test func `comes to the same end wherever it was interrupted`() async throws {
    try await failEverywhere { rig in
      try await rig.withRetirement { try $0.run() }
    } check: { rig, last in
      let contents = try withoutManifest(rig.contents())
      #expect(contents == Self.archived, "operation \(last)")
    }
  }

  @Test func `is undone by a rollback, wherever that was interrupted`() async throws {
    try await failEverywhere { rig in
      try await rig.rollBack()
    } after: { rig in
      try await rig.withRetirement { try $0.run() }
    } check: { rig, last in
      let contents = try rig.contents()
      #expect(contents.filter { !$0.key.hasPrefix("legacy-archive/store-1/") } == Self.inPlace, "\(last)")
      #expect(contents["legacy-archive/store-1/ferry.sqlite"] == "store", "operation \(last)")
      #expect(!FileManager.default.fileExists(atPath: rig.rig.storePath))
    }
  }

  @Test func `is carried over anew after a rollback, and every store that was is kept`() async throws {
    let rig = try await RetiringRig()
    for number in 1...2 {
      try await rig.withRetirement { try $0.run() }
      try await rig.rollBack()
      #expect(try rig.contents()["legacy-archive/store-\(number)/ferry.sqlite"] == "store")
      #expect(try await rig.rig.cross().isOver)
    }
    #expect(try rig.contents()["legacy-archive/store-1/ferry.sqlite"] == "store")
  }

  @Test func `isn't undone while that would lose what people have changed, by their number`() async throws {
    let rig = try await RetiringRig()
    try await rig.withRetirement { try $0.run() }
    func edit(_ origin: Origin, _ id: String) async throws {
      let store = try rig.rig.open()
      try store.account(LibraryRows.alice).blockingWrite(origin: origin) {
        try $0.upsert(Note(id: #require(NoteID(id)), text: "later"))
      }
      await store.close()
    }
    try await edit(.server, "from the server")
    #expect(try await rig.withRetirement { try $0.laterEdits() } == 0)
    try await edit(.local, "a")
    try await edit(.local, "b")
    #expect(try await rig.withRetirement { try $0.laterEdits() } == 2)
    for number in [0, 1, 3] as [Int64] {
      await #expect(throws: KernelError.laterEdits(count: 2, discarding: number)) {
        try await rig.rollBack(discarding: number)
      }
    }
    // Refused, it has shut nobody out.
    try await edit(.local, "c")
    try await rig.rollBack(discarding: 3)
    #expect(try rig.contents()["alice/default.realm"] == "rows of 0")
  }

  @Test func `counts also what people changed before the last domain crossed`() async throws {
    let off = Library.roadmap.replacing("- domain: book\n", with: "- domain: book\n    enabled: false\n")
    var rig = try await RetiringRig(roadmap: off)
    let store = try rig.rig.open()
    try store.account(LibraryRows.alice).blockingWrite {
      try $0.upsert(Shelf(id: #require(ShelfID("mine")), name: "before"))
    }
    await store.close()
    rig.rig.roadmap = Library.roadmap
    try await rig.rig.cross()
    try await rig.withRetirement { try $0.run() }
    await #expect(throws: KernelError.laterEdits(count: 1, discarding: 0)) { try await rig.rollBack() }
  }

  @Test func `takes what belongs to the store along when it is undone`() async throws {
    let rig = try await RetiringRig()
    try await rig.withRetirement { try $0.run() }
    let files = rig.rig.folder.path("files")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try Data("only here".utf8).write(to: URL(fileURLWithPath: files + "/a"))
    let rollback = Rollback(
      archive: rig.archive, storePath: rig.rig.storePath, backupFolder: rig.rig.backupFolder,
      belongings: [files, files + "-of-none"])
    try await rig.withRetirement { try rollback.begin($0, discarding: 0) }
    _ = try rollback.finish()
    let contents = try rig.contents()
    #expect(contents["legacy-archive/store-1/files/a"] == "only here" && contents["files/a"] == nil)
  }

  @Test func `takes the files of accounts that were removed, unless they are gone or other accounts'`()
    async throws
  {
    let rig = try await RetiringRig()
    let (bob, place) = (try rig.rig.source.path(of: LibraryRows.bob), rig.rig.folder.path("bob"))
    let store = try rig.rig.open()
    let retirement = LegacyRetirement(
      plan: try rig.rig.plan(), store: store,
      source: RemainingAccounts(of: rig.rig.source, without: [LibraryRows.bob]),
      removed: [bob, place + "/gone.realm", try rig.rig.source.path(of: LibraryRows.alice)],
      archive: rig.archive, backupFolder: rig.rig.backupFolder, now: FixedClock.now)
    #expect(try retirement.isDue())
    try retirement.run()
    await store.close()
    #expect(try withoutManifest(rig.contents()) == Self.archived)
  }

  @Test func `isn't undone from an archive that isn't whole`() async throws {
    let rig = try await RetiringRig()
    try await rig.withRetirement { try $0.run() }
    let path = "\(rig.archive.folder)/2-default.realm"
    try Data("rows of X".utf8).write(to: URL(fileURLWithPath: path))
    await #expect(throws: KernelError.archiveDamaged(path: path)) { try await rig.rollBack() }
    #expect(FileManager.default.fileExists(atPath: rig.rig.storePath))
  }

  @Test func `ends with the archive's removal, after which there is no way back`() async throws {
    let rig = try await RetiringRig()
    await #expect(throws: KernelError.notRetired) { _ = try await rig.withRetirement { try $0.removable() } }
    await #expect(throws: KernelError.notRetired) { try await rig.rollBack() }
    try await rig.withRetirement { try $0.run() }
    let names = try await rig.withRetirement { try $0.removable() }.map(\.path)
    #expect(names.contains { $0.hasSuffix("2-default.realm.management/a") })
    #expect(names.contains { $0.hasSuffix("backups/book.ndjson") })
    try await rig.withRetirement { try $0.remove() }
    #expect(try rig.contents() == [:])
    #expect(try await rig.withRetirement { try $0.removable() }.isEmpty)
    await #expect(throws: KernelError.archiveRemoved(rig.archive.folder)) { try await rig.rollBack() }
    #expect(try await rig.rig.cross().isOver)
  }
}
