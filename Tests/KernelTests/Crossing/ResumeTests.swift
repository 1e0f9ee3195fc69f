import FerryKernel
import FerryStore
import TestKit
import Testing

/// A run that ends early is taken up by the next one and comes to the same end.
@Suite struct ResumeTests {
  /// - Parameter scale: 40 gives two pages of notes.
  private func rig(_ scale: Int64 = 40) throws -> LibraryRig {
    var rows = LibraryRows()
    rows.shelves = (1...scale).map { [.integer($0), .text("s\($0)")] }
    rows.books = (1...scale * 11).map { LibraryRows.book($0, "t\($0)", isUnsent: $0 % 2 == 0) }
    rows.notes = (1...scale * 16).map { [.integer($0 % (scale * 15)), .text("n")] }
    rows.lines = (1...scale * 7).map { [.integer($0), .text("l\($0)")] }
    let rig = try LibraryRig(rows.source(), remote: ScriptedRemote(pageSize: 100))
    for id in 1...scale {
      rig.remote.put("shelves", LibraryRows.alice, "i\(id)", ["name": .string("s\(id)")])
    }
    for id in 1...scale * 5 {
      rig.remote.put("books", LibraryRows.alice, "i\(id)", ["title": .string("t\(id)"), "changedAt": 0])
    }
    return rig
  }

  static let phases = ["shelf", "book", "diary"].flatMap { domain in
    ["backedUp", "reset", "restored", "resynced", "verified", "done"].map { "\(domain): \($0)" }
  }

  @Test("Cancelled after any phase, the next run comes to the same end")
  func afterEachPhase() async throws {
    let whole = try rig(4)
    try await whole.cross()
    let expected = try whole.dump()
    for phase in ResumeTests.phases.dropLast() {
      var rig = try rig(4)
      try await rig.cross(until: phase)
      let log = RecordingLog()
      rig.log = log
      #expect(try await rig.cross().isOver, "\(phase)")
      #expect(!log.messages.contains(phase), "\(phase) is not done twice")
      #expect(StoreDump.differences(expected, try rig.dump()).prefix(5) == [], "\(phase)")
    }
  }

  @Test("Cancelled between pages, whole pages are there, and the next run goes on after them")
  func betweenPages() async throws {
    let whole = try rig()
    try await whole.cross()
    var rig = try rig()
    let task = Locked<Task<CrossingReport, any Error>?>(nil)
    let (isSet, set) = AsyncStream<Void>.makeStream()
    let ready = rig
    let run = Task {
      for await _ in isSet { break }
      return try await ready.cross { progress in
        guard progress.entity == "note", progress.phase == .restored, progress.done == 500 else { return }
        task.withLock { $0?.cancel() }
      }
    }
    task.withLock { $0 = run }
    set.yield()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try rig.all(Note.self).count == 500)
    #expect(try rig.entry("book")?.phase == .reset)
    #expect(try rig.entry("book")?.stop == nil)
    rig.log = RecordingLog()
    #expect(try await rig.cross().isOver)
    #expect(StoreDump.differences(try whole.dump(), try rig.dump()) == [])
  }

  @Test("A step that is under way when its mapping is edited starts anew")
  func editedUnderWay() async throws {
    var rig = try rig()
    try await rig.cross(until: "book: restored")
    let log = RecordingLog()
    rig.log = log
    rig.roadmap = Library.roadmap.replacing("title: title", with: "title: comment")
    #expect(try await rig.cross().isOver)
    #expect(log.messages.first == "book: backedUp")
    let unsent = try rig.all(Book.self).filter { $0.title.isEmpty }
    #expect(unsent.count == 220)
    #expect(try rig.outbox().count == 220)
  }
}
