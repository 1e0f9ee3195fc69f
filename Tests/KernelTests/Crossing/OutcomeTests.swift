import FerryKernel
import FerryStore
import TestKit
import Testing

/// What becomes of legacy rows: each has exactly one outcome (traps M5).
@Suite struct OutcomeTests {
  @Test("Copied, merged and refused rows add up to what was read")
  func copied() async throws {
    var rows = LibraryRows()
    rows.books = [
      LibraryRows.book(1, "a", at: 5), LibraryRows.book(2, "b"), LibraryRows.book(1, "a", at: 5),
      LibraryRows.book(-1, "a placeholder"),
      [.integer(4), .null, .time(seconds: 0, nanoseconds: 0), .null, .text("")],
      LibraryRows.book(1, "older", at: 4), LibraryRows.book(2, "as old, but higher"),
    ]
    var rig = try LibraryRig(rows.source())
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep)
    let report = try await rig.cross()
    let tally = try report.tally("book")
    #expect(tally.outcomes == "7 read, 2 written, 1 merged, 4 quarantined")
    #expect(tally.accounted == tally.read)
    #expect(try rig.all(Book.self).map(\.title) == ["a", "as old, but higher"])
    #expect(report.isOver)
  }

  @Test("Rows that the server holds are left to it, and it sends them again")
  func left() async throws {
    var rows = LibraryRows()
    rows.shelves = [
      [.integer(1), .text("stale")], [.integer(2), .text("deleted there")],
      [.integer(3), .text("lost there")],
    ]
    let rig = try LibraryRig(rows.source())
    rig.remote.put("shelves", LibraryRows.alice, "i1", ["name": "fresh"])
    rig.remote.delete("shelves", LibraryRows.alice, "i2")
    rig.remote.put("shelves", LibraryRows.alice, "x", ["name": "from another device"])
    let report = try await rig.cross()
    let tally = try report.tally("shelf")
    #expect(tally.outcomes == "3 read, 1 quarantined, 2 left, 2 resynced")
    #expect(tally.accounted == tally.read)
    #expect(try rig.all(Shelf.self).map(\.name) == ["fresh", "from another device"])
    let lost = try #require(try rig.quarantine().first)
    #expect(lost.id == "shelf/alice@home/shelf/2")
    #expect(lost.reason == "the server did not return it")
    #expect(lost.content == #"{"id":3,"name":"lost there"}"#)
  }

  @Test("A strategy that discards writes nothing but what is preserved")
  func discarded() async throws {
    var rows = LibraryRows()
    rows.books = (1...5).map { LibraryRows.book($0, "t", isUnsent: $0 == 3) }
    rows.notes = [[.integer(1), .text("kept")]]
    var rig = try LibraryRig(rows.source())
    rig.roadmap = Library.roadmap.replacing(
      Library.bookStep, with: Library.bookStep.replacing("resync", with: "discard"))
    let report = try await rig.cross()
    #expect(try report.tally("book").outcomes == "5 read, 1 written, 4 discarded")
    #expect(try report.tally("note").outcomes == "1 read, 1 written")
    #expect(try rig.all(Book.self).map(\.id.rawValue) == ["i3"])
    #expect(rig.remote.requests.allSatisfy { $0.hasPrefix("shelves") })
  }

  @Test("Times beyond the range become its end, and are counted")
  func clamped() async throws {
    var rows = LibraryRows()
    rows.books = [
      LibraryRows.book(1, "far future", at: .max), LibraryRows.book(2, "now", at: 1_700_000_000),
      LibraryRows.book(3, "far past", at: -62_135_769_600),
    ]
    var rig = try LibraryRig(rows.source())
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep)
    let report = try await rig.cross()
    #expect(try report.tally("book").outcomes == "3 read, 3 written, 2 clamped")
    let times = try rig.all(Book.self).map(\.changedAt)
    #expect(times == [.max, Timestamp(nanoseconds: 1_700_000_000_000_000_000), .min])
  }

  @Test("A second run writes nothing, and says that it did nothing")
  func secondRun() async throws {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("a")]]
    rows.notes = [[.integer(1), .text("n")]]
    let rig = try LibraryRig(rows.source())
    #expect(try await rig.cross().didWork)
    let before = try FileOperations().read(rig.storePath)
    let second = try await rig.cross()
    #expect(!second.didWork)
    #expect(second.isOver)
    #expect(try second.tally("shelf").read == 1)
    #expect(try FileOperations().read(rig.storePath) == before)
  }

  @Test("Random rows have exactly one outcome each", arguments: 0..<6 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var rows = LibraryRows()
    rows.books = (0..<Int.random(in: 0...1300, using: &random)).map { _ in
      LibraryRows.book(
        .random(in: -2...900, using: &random), random.perhaps { $0.text() } ?? "same",
        at: .random(in: 0...2, using: &random),
        isUnsent: .random(using: &random), comment: random.text())
    }
    rows.notes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
      [random.perhaps { .integer(.random(in: -1...20, using: &$0)) } ?? .null, .text(random.text())]
    }
    let rig = try LibraryRig(
      rows.source(), remote: ScriptedRemote(pageSize: .random(in: 1...300, using: &random)))
    for id in 0..<900 where Bool.random(using: &random) {
      rig.remote.put("books", LibraryRows.alice, "i\(id)", ["title": .string(random.text()), "changedAt": 1])
    }
    let report = try await rig.cross()
    let aside = try rig.quarantine()
    for (entity, all) in [("book", rows.books), ("note", rows.notes)] {
      let tally = try report.tally(entity)
      #expect(tally.read == all.count, "seed \(seed)")
      #expect(tally.accounted == tally.read, "seed \(seed)")
      #expect(aside.count { $0.entity == entity } == tally.quarantined, "seed \(seed)")
    }
    #expect(try rig.all(Note.self).count == Int(try report.tally("note").written), "seed \(seed)")
    #expect(try rig.outbox().count == Int(try report.tally("book").written), "seed \(seed)")
  }
}
