import FerryKernel
import FerryStore
import TestKit
import Testing

/// One domain a pull request: what is off waits, and crosses when it is turned on.
@Suite struct DomainOffTests {
  private func rig() throws -> LibraryRig {
    var rows = LibraryRows()
    rows.notes = [[.integer(1), .text("n")]]
    rows.lines = [[.integer(1), .text("l")]]
    var rig = try LibraryRig(rows.source())
    rig.roadmap = Library.roadmap.replacing("- domain: book", with: "- enabled: false\n    domain: book")
    return rig
  }

  @Test("The others cross, the last one waits and says for what")
  func othersCross() async throws {
    let rig = try rig()
    let report = try await rig.cross()
    #expect(report.stateNames == ["shelf done", "book off", "diary waiting"])
    #expect(!report.isOver)
    guard case .waiting(let reason?) = report.states[2].state else {
      Issue.record("no reason")
      return
    }
    #expect(reason.contains("book"))
    #expect(reason.contains("off"))
    #expect(try rig.dump().allSatisfy { !$0.hasPrefix("book:") && !$0.hasPrefix("note:") })
    #expect(try rig.read { try $0.gateReason() } == nil)
  }

  @Test("A run with nothing that can cross writes nothing")
  func nothingToDo() async throws {
    let rig = try rig()
    try await rig.cross()
    let before = try FileOperations().read(rig.storePath)
    #expect(try await !rig.cross().didWork)
    #expect(try FileOperations().read(rig.storePath) == before)
  }

  @Test("Turned on later it crosses, and then the last one; what was done isn't done again")
  func turnedOn() async throws {
    var rig = try rig()
    try await rig.cross()
    let log = RecordingLog()
    (rig.roadmap, rig.log) = (Library.roadmap, log)
    #expect(try await rig.cross().isOver)
    #expect(log.messages.first == "book: backedUp")
    #expect(log.messages.last == "diary: done")
    #expect(log.messages.allSatisfy { !$0.hasPrefix("shelf") })
    #expect(try rig.all(Note.self).map(\.text) == ["n"])
    let together = try self.rig()
    var direct = together
    direct.roadmap = Library.roadmap
    try await direct.cross()
    // All but the order in which tables were made and domains were over.
    #expect(StoreDump.differences(try direct.dump(), try rig.dump()) == [])
  }

  @Test("A registered domain that the roadmap doesn't name holds up the last one too")
  func unlisted() async throws {
    var rig = try rig()
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: "")
    let report = try await rig.cross()
    #expect(report.stateNames == ["shelf done", "diary waiting"])
    #expect(try rig.plan().unlisted.map(\.name) == ["book"])
  }
}
