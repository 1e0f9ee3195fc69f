import FerryKernel
import FerryStore
import TestKit
import Testing

/// One domain a pull request: whatever stages a roadmap had before, the end is the same.
@Suite struct `A crossing in stages` {
  private static let domains = ["shelf", "book", "diary"]

  private func rig() throws -> LibraryRig {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("a")], [.integer(-1), .text("bad")]]
    rows.books = (1...5).map { LibraryRows.book($0, "t\($0)", isUnsent: $0 > 3) }
    rows.notes = [[.integer(1), .text("n")], [.integer(1), .text("m")]]
    rows.lines = [[.integer(1), .text("l")]]
    var bobs = rows
    bobs.notes = []
    let rig = try LibraryRig(
      MemoryLegacySource([(LibraryRows.alice, rows.classes), (LibraryRows.bob, bobs.classes)]))
    for id in 1...3 {
      rig.remote.put("books", LibraryRows.alice, "i\(id)", ["title": "of the server", "changedAt": 1])
    }
    return rig
  }

  private func roadmap(enabling count: Int) -> String {
    Self.domains.dropFirst(count).reduce(Library.roadmap) { text, domain in
      text.replacing("- domain: \(domain)", with: "- enabled: false\n    domain: \(domain)")
    }
  }

  @Test(arguments: [[1], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2]])
  func `ends like one that crossed at once`(stages: [Int]) async throws {
    let whole = try rig()
    #expect(try await whole.cross().isOver)
    var staged = try rig()
    for count in stages {
      staged.roadmap = roadmap(enabling: count)
      let report = try await staged.cross()
      #expect(report.states.count { $0.state == .done } == count)
      #expect(report.states.dropFirst(count).allSatisfy { $0.state == .off })
      #expect(try staged.read { try $0.gateReason() } == nil)
    }
    staged.roadmap = Library.roadmap
    #expect(try await staged.cross().isOver)
    #expect(StoreDump.differences(try whole.dump(), try staged.dump()) == [])
  }
}
