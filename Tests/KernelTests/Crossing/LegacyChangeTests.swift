import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// A legacy file, or a backup, that isn't what it was.
@Suite struct LegacyChangeTests {
  private static func rows(_ text: String) -> LibraryRows {
    var rows = LibraryRows()
    rows.books = [LibraryRows.book(1, text), LibraryRows.book(2, text, isUnsent: true)]
    rows.notes = [[.integer(1), .text(text)]]
    return rows
  }

  private static func rig(_ strategy: String) throws -> LibraryRig {
    var rig = try LibraryRig(rows("before").source())
    let step =
      strategy == "copy" ? Library.copiedBookStep : Library.bookStep.replacing("resync", with: strategy)
    rig.putBooksFirst(step: step)
    return rig
  }

  private static let phases = ["backedUp", "reset", "restored", "resynced"]

  @Test(
    "A legacy file that changed since the backup is refused by name, and the next run starts anew from it",
    arguments: ["copy", "resync", "discard"], phases)
  func changedFile(strategy: String, phase: String) async throws {
    var rig = try LegacyChangeTests.rig(strategy)
    try await rig.cross(until: "book: \(phase)")
    var rows = LegacyChangeTests.rows("after")
    rows.notes.append([.integer(2), .text("after")])
    var changed = rows.source()
    changed.version = 2
    (rig.source, rig.log) = (changed, RecordingLog())
    await #expect(throws: KernelError.legacyChanged(path: "memory/alice@home")) { try await rig.cross() }
    let entry = try #require(try rig.entry("book"))
    #expect(entry.phase == .waiting)
    #expect(entry.stop == .failed)
    let report = try await rig.cross()
    #expect(report.isOver)
    #expect(try report.tally("note").outcomes == "2 read, 2 written")
    #expect(try rig.all(Note.self).map(\.text) == ["after", "after"])
  }

  @Test(
    "A file that changes while it is backed up or copied is refused by name", arguments: ["copy", "resync"],
    2...6)
  func changingFile(strategy: String, look: Int) async throws {
    var rig = try LegacyChangeTests.rig(strategy)
    rig.roadmap.replace(Library.shelfStep, with: Library.shelfStep.replacing("resync", with: "discard"))
    let source = rig.source
    rig.source = FaultySource(source, .changes(atLook: look))
    // A step that is under way starts anew from the file as it is. What crosses after one that is over goes on,
    // since the class that crossed is still what it was.
    #expect(try await [nil, .legacyChanged(path: "memory/alice@home")].contains(fault(of: rig)))
    #expect(try await fault(of: rig) == nil)
    #expect(try rig.all(Note.self).map(\.text) == ["before"])
  }

  @Test(
    "A change that doesn't show from outside is found once the rows were read",
    arguments: ["copy", "resync"],
    2...4)
  func unseenChange(strategy: String, look: Int) async throws {
    var rig = try LegacyChangeTests.rig(strategy)
    rig.source = FaultySource(rig.source, .changesUnseen(atLook: look))
    #expect(try await fault(of: rig) == .legacyChanged(path: "memory/alice@home"))
    #expect(try await fault(of: rig) == nil)
    #expect(try rig.all(Note.self).map(\.text) == ["before"])
  }

  @Test("A file that looks as it did is hashed once, and once more by each step that has read it")
  func hashes() async throws {
    var rig = try LegacyChangeTests.rig("copy")
    rig.roadmap.replace(Library.shelfStep, with: Library.shelfStep.replacing("resync", with: "discard"))
    let source = FaultySource(rig.source, .changesUnseen(atLook: .max))
    rig.source = source
    #expect(try await rig.cross().isOver)
    #expect(source.lookCount == 1 + 3)
  }

  /// What a run fails with; nil where it is over.
  private func fault(of rig: LibraryRig) async throws -> KernelError? {
    do {
      #expect(try await rig.cross().isOver)
      return nil
    } catch let error as KernelError {
      return error
    }
  }

  @Test("A file exchanged after a step was done is refused by name, and nothing of it crosses")
  func exchangedFile() async throws {
    var rig = try LegacyChangeTests.rig("copy")
    try await rig.cross(until: "book: done")
    let original = rig.source
    var exchanged = LegacyChangeTests.rows("somebody else's").source()
    exchanged.version = 2
    (rig.source, rig.log) = (exchanged, RecordingLog())
    for _ in 1...2 {
      await #expect(
        throws: KernelError.classChanged(
          path: "memory/alice@home", className: "BookRow", domain: "book", account: LibraryRows.alice)
      ) { try await rig.cross() }
    }
    rig.source = original
    #expect(try await rig.cross().isOver)
    #expect(try rig.all(Note.self).map(\.text) == ["before"])
  }

  @Test(
    "A backup that is damaged or gone is refused by name, and the next run makes a new one",
    arguments: phases, [true, false])
  func badBackup(phase: String, isGone: Bool) async throws {
    var rig = try LegacyChangeTests.rig("resync")
    try await rig.cross(until: "book: \(phase)")
    let path = "\(rig.backupFolder)/book.ndjson"
    let url = URL(fileURLWithPath: path)
    if isGone {
      try FileManager.default.removeItem(at: url)
    } else {
      try Data(contentsOf: url).dropLast().write(to: url)
    }
    rig.log = RecordingLog()
    let error = await #expect(throws: KernelError.self) { try await rig.cross() }
    guard case .badBackup(path, let why)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!why.isEmpty)
    #expect(try await rig.cross().isOver)
    #expect(try rig.all(Note.self).map(\.text) == ["before"])
  }

  @Test("A copy's backup names the files and holds no row; a resync's holds each row's fate")
  func contents() async throws {
    let copied = try LegacyChangeTests.rig("copy")
    try await copied.cross()
    let manifest = try String(contentsOfFile: "\(copied.backupFolder)/book.ndjson", encoding: .utf8)
    #expect(manifest.split(separator: "\n").count == 1)
    #expect(manifest.contains("memory/alice@home"))
    let resynced = try LegacyChangeTests.rig("resync")
    try await resynced.cross()
    let lines = try String(contentsOfFile: "\(resynced.backupFolder)/book.ndjson", encoding: .utf8).split(
      separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].contains(#""left":"i1""#) && !lines[1].contains("before"))
    #expect(lines[2].contains(#""keep":{"#) && lines[2].contains(#""comment":"""#))
    #expect(try permissions(resynced.backupFolder) == 0o700)
    #expect(try permissions("\(resynced.backupFolder)/book.ndjson") == 0o600)
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
