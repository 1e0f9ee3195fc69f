import FerryKernel
import FerryStore
import FerrySync
import TestKit
import Testing

/// A server that can't be reached is a reason to wait, not a failure.
@Suite struct NetworkTests {
  private func rig() throws -> LibraryRig {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("a")]]
    rows.books = (1...30).map { LibraryRows.book($0, "t\($0)", isUnsent: $0 > 27) }
    rows.notes = [[.integer(1), .text("only here")]]
    rows.lines = [[.integer(1), .text("line")]]
    let rig = try LibraryRig(rows.source(), remote: ScriptedRemote(pageSize: 10))
    rig.remote.put("shelves", LibraryRows.alice, "i1", ["name": "a"])
    for id in 1...25 {
      rig.remote.put("books", LibraryRows.alice, "i\(id)", ["title": .string("t\(id)"), "changedAt": 0])
    }
    return rig
  }

  @Test(
    "Local-only rows are safe already, the next run goes on where the server stopped, and ends the same",
    arguments: 0...3)
  func waits(pages: Int) async throws {
    let whole = try rig()
    try await whole.cross()
    let rig = try rig()
    rig.remote.answer(pages: pages)
    let report = try await rig.cross()
    let waiting = pages == 0 ? 0 : 1
    #expect(report.states[waiting].state.name == "waitingForNetwork")
    #expect(report.states[2].state.name == "waiting")
    let stopped = try #require(try rig.entry(pages == 0 ? "shelf" : "book"))
    #expect(stopped.phase == .restored)
    #expect(stopped.reason?.contains("home") == true)
    #expect(stopped.remedy?.isEmpty == false)
    if pages > 0 {
      #expect(try rig.all(Note.self).map(\.text) == ["only here"])
      #expect(try rig.outbox().map(\.key) == ["i28", "i29", "i30"])
    }
    let asked = rig.remote.requests.count
    rig.remote.answer(pages: .max)
    #expect(try await rig.cross().isOver)
    if pages > 1 { #expect(rig.remote.requests[asked] == "books alice@home \((pages - 1) * 10)") }
    #expect(StoreDump.differences(try whole.dump(), try rig.dump()) == [])
  }

  @Test("What doesn't depend on the waiting domain goes on")
  func independent() async throws {
    var rig = try rig()
    let memo = Domain(
      "memo", "Notes alone", tables: [Note.table.declaration],
      crossings: Library.book().crossings.filter { $0.entity == "note" })
    rig.domains = [Library.shelf, memo] + Library.domains().suffix(1)
    let memoStep =
      "  - {domain: memo, strategy: copy, legacy: {note: {class: NoteRow, fields: {id: id, text: text}}}}\n"
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: memoStep)
    rig.remote.answer(pages: 0)
    let report = try await rig.cross()
    #expect(report.stateNames == ["shelf waitingForNetwork", "memo done", "diary waiting"])
    rig.remote.answer(pages: .max)
    #expect(try await rig.cross().isOver)
  }

  @Test("A server that answers nonsense is a failure, with its reason")
  func nonsense() async throws {
    let rig = try rig()
    rig.remote.standStill()
    await #expect(throws: RemoteError.self) { try await rig.cross() }
    let entry = try #require(try rig.entry("shelf"))
    #expect(entry.stop == .failed)
    #expect(entry.phase == .restored)
    #expect(entry.reason?.contains("stands still") == true)
  }
}
