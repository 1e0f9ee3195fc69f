import FerryKernel
import FerryStore
import TestKit
import Testing

/// Rows that this device alone has (traps M2).
@Suite struct UnsentTests {
  private func rig() throws -> LibraryRig {
    var rows = LibraryRows()
    rows.books = [
      LibraryRows.book(1, "sent"), LibraryRows.book(2, "unsent", isUnsent: true),
      LibraryRows.book(3, "sent, but another unsent one was made", isUnsent: true),
      LibraryRows.book(2, "unsent", isUnsent: true),
    ]
    rows.notes = [[.integer(1), .text("n")]]
    return try LibraryRig(rows.source())
  }

  @Test("They end in the store and in the outbox, once, to be compared with the server's first")
  func outbox() async throws {
    let rig = try rig()
    rig.remote.put("books", LibraryRows.alice, "i1", ["title": "sent", "changedAt": 0])
    rig.remote.put("books", LibraryRows.alice, "i3", ["title": "of the server", "changedAt": 0])
    let report = try await rig.cross()
    #expect(try report.tally("book").outcomes == "4 read, 2 written, 1 merged, 1 left, 1 resynced")
    let outbox = try rig.outbox()
    #expect(outbox.map(\.key) == ["i2", "i3"])
    #expect(outbox.allSatisfy { $0.table == "book" && $0.operation == .put && $0.base == .unknown })
    // The server's version of 3 didn't overwrite the one that was never sent.
    #expect(
      try rig.all(Book.self).map(\.title) == ["sent", "unsent", "sent, but another unsent one was made"])
  }

  @Test("Preserved rows of a table that never leaves the device don't")
  func untracked() async throws {
    let rig = try rig()
    try await rig.cross()
    #expect(try rig.all(Note.self).map(\.text) == ["n"])
    #expect(try rig.outbox().allSatisfy { $0.table == "book" })
  }

  @Test("Rows that are copied because the strategy copies all are no local changes")
  func copiedAreNoChanges() async throws {
    var rig = try rig()
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep)
    try await rig.cross()
    #expect(try rig.outbox().isEmpty)
  }
}
