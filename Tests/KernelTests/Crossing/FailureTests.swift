import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// A step that fails says where and why, and the next run goes on.
@Suite struct FailureTests {
  private struct DiskFull: FerryError {
    let code = "test.full"
    let sentence = "The disk is full."
    let remedy = "Free some space."
  }

  private func rig() throws -> LibraryRig {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("a")]]
    rows.notes = [[.integer(1), .text("n")], [.integer(2), .text("m")]]
    return try LibraryRig(rows.source())
  }

  @Test("Phase, reason and remedy are kept; what was done before stays done; the next run goes on")
  func isKept() async throws {
    var rig = try rig()
    let log = RecordingLog()
    rig.log = log
    rig.files = FileOperations { operation, path in
      if operation == "rename", path.hasSuffix("book.ndjson") { throw DiskFull() }
    }
    await #expect(throws: DiskFull.self) { try await rig.cross() }
    let entry = try #require(try rig.entry("book"))
    #expect(entry.stop == .failed)
    #expect(entry.phase == .waiting)
    #expect(entry.reason == "The disk is full.")
    #expect(entry.remedy == "Free some space.")
    #expect(log.messages.last == "book: failed: The disk is full.")
    let journal = try rig.read { try $0.fetch(JournalEntry.all) }
    let states = try rig.plan().states(journal).map(\.state)
    #expect(states[0] == .done)
    #expect(states[1] == .failed(after: .waiting, reason: "The disk is full.", remedy: "Free some space."))
    rig.files = FileOperations()
    #expect(try await rig.cross().isOver)
    #expect(try rig.entry("book")?.reason == nil)
  }

  @Test("What went wrong first is told, also where it can't be written down")
  func cannotBeKept() async throws {
    var rig = try rig()
    let store = try rig.open()
    let log = RecordingLog()
    rig.log = log
    // The store is closed by the time the failure would be written down.
    rig.files = FileOperations { operation, path in
      guard operation == "rename", path.hasSuffix("book.ndjson") else { return }
      let isClosed = DispatchSemaphore(value: 0)
      Task {
        await store.close()
        isClosed.signal()
      }
      isClosed.wait()
      throw DiskFull()
    }
    await #expect(throws: DiskFull.self) { try await rig.run(rig.plan(), store).run() }
    #expect(log.messages.suffix(2).first == "book: failed: The disk is full.")
    #expect(log.messages.last?.contains("could not be written down") == true)
    rig.files = FileOperations()
    #expect(try await rig.cross().isOver)
  }

  @Test("A backup that can't be read now is kept, and the next run goes on from it")
  func unreadableBackup() async throws {
    var rig = try rig()
    try await rig.cross(until: "book: reset")
    let broken = KernelError.fileSystem(path: "book.ndjson", doing: "Reading", message: "Input/output error")
    rig.log = RecordingLog()
    rig.files = FileOperations { operation, path in
      if operation == "read", path.hasSuffix("book.ndjson") { throw broken }
    }
    await #expect(throws: broken) { try await rig.cross() }
    #expect(try rig.entry("book")?.phase == .reset)
    #expect(try rig.entry("book")?.stop == .failed)
    let log = RecordingLog()
    (rig.files, rig.log) = (FileOperations(), log)
    #expect(try await rig.cross().isOver)
    #expect(log.messages.first == "book: restored")
  }

  @Test("Once there is a backup, no row of the legacy file is read again but for the quarantine")
  func nothingButTheBackup() async throws {
    var rig = try rig()
    try await rig.cross(until: "book: backedUp")
    rig.source = FaultySource(rig.source, .stops(className: "NoteRow", at: 0))
    rig.log = RecordingLog()
    // The diary, which is copied, has no line.
    let report = try await rig.cross()
    #expect(report.isOver)
    #expect(try rig.all(Note.self).map(\.text) == ["n", "m"])
  }

  @Test("Rows that don't add up fail the step, by numbers", arguments: [-1, 1] as [Int64])
  func gap(more: Int64) async throws {
    var rig = try rig()
    rig.source = FaultySource(rig.source, .miscounts(className: "NoteRow", by: more))
    await #expect(
      throws: KernelError.unaccounted(
        domain: "book", account: "alice@home", entity: "note", phase: .verified, read: 2 + more, accounted: 2)
    ) { try await rig.cross() }
    #expect(try rig.entry("book")?.phase == .resynced)
    #expect(try rig.entry("book")?.stop == .failed)
    #expect(try rig.read { try $0.gateReason() } == nil)
  }

  @Test(
    "Each phase that gives rows outcomes checks them before it ends", arguments: [Phase.resynced, .verified])
  func eachPhase(phase: Phase) async throws {
    var rows = LibraryRows()
    rows.notes = [[.integer(-1), .text("bad")]]
    var rig = try LibraryRig(rows.source())
    let plan = try rig.plan()
    let store = try rig.open(plan)
    let before = phase == .resynced ? "restored" : "resynced"
    rig.log = RecordingLog { line in
      guard line.message == "book: \(before)" else { return }
      do {
        try store.device.blockingWrite(origin: .crossing) {
          _ = try $0.delete(QuarantinedRow.self, "book/alice@home/note/0")
        }
      } catch {
        Issue.record(error)
      }
    }
    await #expect(
      throws: KernelError.unaccounted(
        domain: "book", account: "alice@home", entity: "note", phase: phase, read: 1, accounted: 0)
    ) { try await rig.run(plan, store).run() }
  }

  @Test("A row that vanishes from a table before it is verified fails the step")
  func missingRow() async throws {
    var rig = try rig()
    let plan = try rig.plan()
    let store = try rig.open(plan)
    let note = try #require(NoteID("i1"))
    rig.log = RecordingLog { line in
      guard line.message == "book: resynced" else { return }
      do {
        try store.account(LibraryRows.alice).blockingWrite(origin: .crossing) {
          _ = try $0.delete(Note.self, note)
        }
      } catch {
        Issue.record(error)
      }
    }
    await #expect(throws: KernelError.missingRows(domain: "book", table: "note", expected: 2, found: 1)) {
      try await rig.run(plan, store).run()
    }
  }
}
