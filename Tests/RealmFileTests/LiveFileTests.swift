import Foundation
import Testing

@testable import RealmFile

@Suite("Files in use")
struct LiveFileTests {
  private func source() throws -> MemorySource {
    MemorySource([UInt8](try Data(contentsOf: Fixtures.committed("app/alice.realm"))))
  }

  @Test("What is read in one piece comes from the first attempt")
  func quiet() throws {
    var runs = 0
    let path = Fixtures.committed("app/alice.realm").path
    let count = try RealmFile.read(path: path) { file in
      runs += 1
      return file.table(className: "NoteSummary")?.rowCount
    }
    #expect(count == 300 && runs == 1)
  }

  @Test("A commit while reading discards what was read, and what was thrown, and reads again")
  func retried() throws {
    let source = try source()
    var runs = 0
    let value = try RealmFile.read(
      attempts: 4, opening: { () throws(RealmFileError) in try RealmFile(source: source) }
    ) { file in
      runs += 1
      if runs < 3 { source.pieces[0].bytes[22] &+= 1 }
      if runs == 2 { throw RealmFileError.damaged(what: "nonsense", offset: 0) }
      return "\(runs): \(file.tables.count)"
    }
    #expect(value == "3: 11")
  }

  @Test("A file that never rests is refused after the attempts that were asked for")
  func refused() throws {
    let source = try source()
    var runs = 0
    #expect(throws: RealmFileError.changedWhileReading) {
      try RealmFile.read(attempts: 3, opening: { () throws(RealmFileError) in try RealmFile(source: source) })
      { _ in
        runs += 1
        source.pieces[0].bytes[22] &+= 1
      }
    }
    #expect(runs == 3)
  }

  @Test("An error that no other process explains is passed on at once")
  func passedOn() throws {
    var runs = 0
    #expect(throws: RealmFileError.emptyFile) {
      try RealmFile.read(path: Fixtures.committed("app/alice.realm").path) { _ in
        runs += 1
        throw RealmFileError.emptyFile
      }
    }
    #expect(runs == 1)
    #expect(throws: RealmFileError.self) { try RealmFile.read(path: "/nowhere") { _ in runs += 1 } }
    #expect(runs == 1)
  }

  @Test("Facts of a file add up")
  func info() throws {
    let info = try RealmFile(path: Fixtures.committed("app/alice.realm").path).info()
    #expect(info.format == 24 && info.layout == .plain && !info.isEncrypted && info.schemaVersion != nil)
    #expect(info.size == 557_056 && info.logicalSize <= info.size && info.versionNumber > 1)
    #expect(info.freeBytes > 0 && info.liveBytes > 0 && info.liveBytes + info.freeBytes == info.logicalSize)
    #expect(info.history == .inRealm)
    let blank = try RealmFile(path: Fixtures.committed("app/blank.realm").path).info()
    #expect(blank.format == 0 && blank.schemaVersion == nil && blank.liveBytes == 24)
  }

  @Test("Facts of a file with a footer, and without free lists and version")
  func streamingInfo() throws {
    var file = HandmadeFile()
    let info = try RealmFile(source: MemorySource(file.finish(isStreaming: true))).info()
    #expect(info.layout == .streaming && info.freeBytes == 0 && info.versionNumber == 0)
    #expect(info.history == .none && info.logicalSize < info.size)
  }

  @Test("What lies beside a file is told apart, and copies of other databases are not taken for its own")
  func companions() throws {
    let folder = try TemporaryFolder()
    for name in [
      "a.realm", "a.realm.lock", "a.realm.note", "a.realm.log_a", "a.realm.tmp_compaction_space",
      "a.v9.backup.realm", "a.v23.backup.realm", "a.v.backup.realm", "a.vx.backup.realm",
      "ab.v9.backup.realm",
      "b.realm", "b.realm.lock", "a.json",
    ] {
      _ = try folder.write([], to: name)
    }
    let management = folder.url.appending(path: "a.realm.management")
    try FileManager.default.createDirectory(at: management, withIntermediateDirectories: true)
    let path = folder.url.appending(path: "a.realm").path
    let found = try RealmFile.companions(of: path)
    #expect(
      found.map(\.kind) == [
        .lock, .log, .management, .note, .compactionLeftover, .backup(format: 23), .backup(format: 9),
      ])
    #expect(found.first?.path == path + ".lock")
    let backups = try RealmFile.backupSiblings(of: path)
    #expect(backups.map { $0.split(separator: "/").last } == ["a.v23.backup.realm", "a.v9.backup.realm"])
    #expect(try RealmFile.companions(of: folder.url.appending(path: "none.realm").path).isEmpty)
    #expect(throws: RealmFileError.self) { _ = try RealmFile.companions(of: "/nowhere/a.realm") }
  }
}
