import Foundation
import Testing

@testable import FerryStore

@Suite struct `What a query's records come to` {
  let cabinet: Cabinet

  init() throws { cabinet = try Cabinet() }

  private func read<Value: Sendable>(
    _ body: (borrowing Snapshot<AccountScope>) throws -> Value
  ) throws -> Value { try cabinet.account.blockingRead(body) }

  private func upsert(_ id: Int64, _ change: (inout Everything) -> Void) throws {
    var row = Everything(id)
    change(&row)
    try cabinet.account.blockingWrite { try $0.upsert(row) }
  }

  @Test func `is counted by a column, all of them and those that meet a condition, in one statement`() throws
  {
    let counts = try read { snapshot throws in
      let before = snapshot.access.session.connection.prepareCount
      let counts = try snapshot.count(Everything.all, by: { $0.folder }, of: { !$0.flag }, { $0.whole > 10 })
      #expect(snapshot.access.session.connection.prepareCount == before + 1)
      return counts
    }
    #expect(counts.keys.map { $0?.rawValue } == [nil, "deep", "gone", "in", "old"])
    #expect(counts[Identifier("in")] == .init(all: 2, of: [1, 1]))
    #expect(counts[nil] == .init(all: 1, of: [1, 1]))
    #expect(counts[Identifier("empty")] == .init(all: 0, of: [0, 0]), "another account's")
  }

  @Test func `is counted by texts that Swift takes as equal and a store doesn't`() throws {
    try upsert(1) { $0.text = "á" }
    try upsert(2) { $0.text = "a\u{301}" }
    let counts = try read { try $0.count(Everything.where { $0.id <= 2 }, by: { $0.text }) }
    #expect(counts.keys.map(bytes) == [bytes("a\u{301}"), bytes("á")])
    #expect(counts["á"].all == 1)
  }

  @Test func `is counted by a column along a reference`() throws {
    let counts = try read {
      try $0.count(Everything.all, by: { $0.joined(Folder.self, by: \.folder).kind })
    }
    #expect(counts[.primary].all == 2)
    #expect(counts[.unknown("smart")].all == 1)
    #expect(counts[nil].all == 2)
  }

  @Test func `is told apart by a column`() throws {
    #expect(
      try read { try $0.distinct(Everything.where { $0.whole < 50 }) { $0.folder } }.map { $0?.rawValue } == [
        nil, "in", "old",
      ])
    #expect(
      try read { try $0.distinct(Folder.all) { $0.kind } }.map(\.rawValue) == [
        "archived", "primary", "smart",
      ])
    #expect(try read { try $0.distinct(Everything.where { $0.whole > 20 }) { $0.flag } } == [false, true])
  }

  @Test func `has a smallest and a largest, and none where there is nothing or nothing but nil`() throws {
    try read { snapshot throws in
      #expect(try snapshot.min(Everything.all) { $0.whole } == 10)
      #expect(try snapshot.max(Everything.where { $0.flag }) { $0.text } == "row 6")
      #expect(try snapshot.max(Everything.all) { $0.due } == nil)
      #expect(try snapshot.min(Everything.where { $0.whole > 60 }) { $0.whole } == nil)
      #expect(try snapshot.max(Everything.all) { $0.joined(Folder.self, by: \.folder).name } == "Old")
      #expect(try snapshot.max(Everything.all) { $0.time } == Timestamp(nanoseconds: 0))
    }
    try upsert(1) { $0.due = .max }
    #expect(try read { try $0.min(Everything.all) { $0.due } } == .max)
  }

  @Test func `adds up`() throws {
    try read { snapshot throws in
      #expect(try snapshot.sum(Everything.all) { $0.whole } == 210)
      #expect(try snapshot.sum(Everything.where { $0.whole > 60 }) { $0.whole } == nil)
      #expect(try snapshot.sum(Everything.all) { $0.score } == nil)
      #expect(try snapshot.sum(Everything.all) { $0.id } == 21)
    }
    try upsert(1) { $0.score = 1.5 }
    try upsert(2) { $0.score = -0.25 }
    #expect(try read { try $0.sum(Everything.all) { $0.score } } == 1.25)
  }

  @Test func `adds up to an error where the type doesn't hold it, whatever it is on the way`() throws {
    try upsert(1) { $0.whole = .max }
    try upsert(2) { $0.whole = 1 }
    let two = Everything.where { $0.id <= 2 }
    let three = Everything.where { $0.id <= 3 }
    #expect(throws: StoreError.sumOutOfRange(table: "everything")) {
      try read { try $0.sum(two) { $0.whole } }
    }
    try upsert(3) { $0.whole = -1 }
    #expect(try read { try $0.sum(three) { $0.whole } } == .max)
    try upsert(1) { $0.whole = .min }
    #expect(throws: StoreError.sumOutOfRange(table: "everything")) {
      try read { try $0.sum(Everything.where { [1, 3].contains($0.id) }) { $0.whole } }
    }
    #expect(try read { try $0.sum(three) { $0.whole } } == .min)
  }

  @Test func `adds up to an error where it is no number`() throws {
    try upsert(1) { $0.real = .infinity }
    #expect(try read { try $0.sum(Everything.all) { $0.real } } == .infinity)
    try upsert(2) { $0.real = -.infinity }
    #expect(throws: StoreError.sumOutOfRange(table: "everything")) {
      try read { try $0.sum(Everything.all) { $0.real } }
    }
  }
}
