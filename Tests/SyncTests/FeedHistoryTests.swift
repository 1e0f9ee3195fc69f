import FerryKernel
import FerryStore
import FerrySync
import TestKit
import Testing

/// The rules of a server, held against the slowest way to keep them.
@Suite struct `A feed's history` {
  @Test(arguments: 1...8)
  func `answers like a list of all changes, after any changes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var history = FeedHistory()
    var all: [RemoteRecord] = []
    for _ in 0..<400 {
      let id = "i\(Int.random(in: 0..<25, using: &random))"
      let last = all.last { $0.id == id }
      let revision =
        Bool.random(using: &random) ? last?.revision ?? 0 : Int64.random(in: 0...3, using: &random)
      let change: RemoteChange =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .create(id, ["n": .integer(.random(in: 0..<3, using: &random))])
        case 1: .update(id, ["n": .integer(.random(in: 0..<3, using: &random))], of: revision)
        default: .delete(id, of: revision)
        }
      let live = last.flatMap { $0.content == nil ? nil : $0 }
      let holds =
        switch change.precondition {
        case .absent: live == nil
        case .revision(let revision): live?.revision == revision
        }
      let (outcome, record) = history.apply(change)
      #expect((record != nil) == holds)
      if holds {
        all.append(RemoteRecord(id: id, revision: Int64(all.count + 1), content: change.content))
        #expect(outcome == .done(revision: Int64(all.count)))
      } else if let live, change.content == live.content {
        #expect(outcome == .done(revision: live.revision))
      } else {
        #expect(outcome == (live.map { .conflict(existing: $0) } ?? .gone))
      }
      let latest = all.enumerated().filter { place, record in
        !all[(place + 1)...].contains { $0.id == record.id }
      }.map(\.element)
      let limit = Int.random(in: 1...9, using: &random)
      let after = Int64.random(in: 0...Int64(all.count), using: &random)
      let rest = latest.filter { $0.revision > after }
      let page = try history.page(of: "f", from: .after("\(after)"), limit: limit)
      #expect(page.records == Array(rest.prefix(limit)))
      #expect(page.hasMore == (rest.count > limit))
      #expect(history.count == latest.count { $0.content != nil })
      #expect(history.record(id) == all.last { $0.id == id })
    }
  }

  @Test func `made anew is told from one in which nothing happened`() throws {
    let empty = FeedHistory(from: 9)
    #expect(throws: RemoteError.flushed(feed: "f", from: 4, to: 9)) {
      try empty.page(of: "f", from: .resuming("4"), limit: 9)
    }
    #expect(
      try empty.page(of: "f", from: .beginning, limit: 9)
        == RemotePage(records: [], cursor: "9", hasMore: false, revision: 9))
    #expect(
      try empty.page(of: "f", from: .resuming("9"), limit: 9)
        == RemotePage(records: [], cursor: "9", hasMore: false, revision: 9))
    #expect(throws: RemoteError.wentBack(feed: "f", from: 10, to: 9)) {
      try empty.page(of: "f", from: .resuming("10"), limit: 9)
    }
  }
}
