import Foundation
import Testing

@testable import FerryStore

@Suite struct `A query finds` {
  let shelf: Shelf

  init() throws {
    shelf = try Shelf()
    try shelf.account.blockingWrite { transaction in
      for (id, text, note, kind): (Int64, String, String?, FolderKind?) in [
        (1, "apple", nil, .primary), (2, "banana", "", .archived), (3, "Apfel", "x", nil),
        (4, "", "x\0y", .unknown("spam")), (5, "á", "á", .primary), (6, "a\u{301}", "a\u{301}", nil),
      ] {
        var row = Everything(id)
        (row.text, row.note, row.kind, row.whole) = (text, note, kind, Int(id) * 10)
        row.flag = id > 3
        row.folder = id == 1 ? nil : Identifier("f\(id % 2)")
        try transaction.insert(row)
      }
    }
  }

  private func ids(_ query: Query<Everything>) throws -> [Int64] {
    try shelf.account.blockingRead { try $0.fetch(query).map(\.id) }
  }
  private func ids(_ condition: (Columns<Everything>) -> FerryStore.QueryExpression<Everything, Bool>) throws
    -> [Int64]
  {
    try ids(Everything.where(condition))
  }

  @Test func `everything, in the order of the keys`() throws {
    #expect(try ids(Everything.all) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `equal values, texts by their bytes`() throws {
    #expect(try ids { $0.text == "apple" } == [1])
    #expect(try ids { $0.text == "á" } == [5])
    #expect(try ids { $0.text == "" } == [4])
    #expect(try ids { $0.whole == 20 } == [2])
    #expect(try ids { $0.folder == Identifier("f0") } == [2, 4, 6])
    #expect(try ids { $0.whole == $0.whole && $0.note != $0.note } == [])
  }

  @Test func `unequal values, nil among them`() throws {
    #expect(try ids { $0.note != "x" } == [1, 2, 4, 5, 6])
    #expect(try ids { $0.kind != .primary } == [2, 3, 4, 6])
    #expect(try ids { $0.text != "apple" } == [2, 3, 4, 5, 6])
  }

  @Test func `nil, and what isn't`() throws {
    #expect(try ids { $0.note == nil } == [1])
    #expect(try ids { $0.note != nil } == [2, 3, 4, 5, 6])
    let captured: String? = nil
    #expect(try ids { $0.note == captured } == [1])
  }

  @Test func `choices by their names, and those this build has no name for`() throws {
    #expect(try ids { $0.kind == .primary } == [1, 5])
    #expect(try ids { $0.kind == .unknown("spam") } == [4])
    #expect(try ids { $0.kind == .unknown("primary") } == [1, 5])
    #expect(try ids { $0.level == .low } == [1, 2, 3, 4, 5, 6])
    #expect(try ids { [.primary, nil].contains($0.kind) } == [1, 3, 5, 6])
  }

  @Test func `smaller and larger ones`() throws {
    #expect(try ids { $0.whole < 30 } == [1, 2])
    #expect(try ids { $0.whole <= 30 } == [1, 2, 3])
    #expect(try ids { $0.whole > 30 } == [4, 5, 6])
    #expect(try ids { $0.whole >= 30 } == [3, 4, 5, 6])
    #expect(try ids { $0.text < "a" } == [3, 4])
  }

  @Test func `what logic makes of them`() throws {
    #expect(try ids { $0.flag } == [4, 5, 6])
    #expect(try ids { !$0.flag } == [1, 2, 3])
    #expect(try ids { $0.flag && $0.kind == .primary } == [5])
    #expect(try ids { $0.flag || $0.kind == .primary } == [1, 4, 5, 6])
    #expect(try ids { !($0.flag || $0.whole == 10) } == [2, 3])
    #expect(try ids { $0.flag == false } == [1, 2, 3])
  }

  @Test func `members of a collection`() throws {
    #expect(try ids { [10, 30, 99].contains($0.whole) } == [1, 3])
    #expect(try ids { [String]().contains($0.text) } == [])
    #expect(try ids { !(["apple", "á"].contains($0.text)) } == [2, 3, 4, 6])
    #expect(try ids { [nil, "x"].contains($0.note) } == [1, 3])
    #expect(try ids { !(["x"].contains($0.note)) } == [1, 2, 4, 5, 6])
    #expect(try ids { Set([20, 40]).contains($0.whole) } == [2, 4])
  }

  @Test func `texts that contain or begin with another`() throws {
    #expect(try ids { $0.text.contains("an") } == [2])
    #expect(try ids { $0.text.contains("") } == [1, 2, 3, 4, 5, 6])
    #expect(try ids { $0.text.contains("\u{301}") } == [6])
    #expect(try ids { $0.text.starts(with: "a") } == [1, 6])
    #expect(try ids { $0.text.starts(with: "") } == [1, 2, 3, 4, 5, 6])
    #expect(try ids { !$0.text.starts(with: "a") } == [2, 3, 4, 5], "an empty text begins with nothing")
    #expect(try ids { $0.text.contains("%") || $0.text.contains("_") } == [])
  }

  @Test func `conditions compared with conditions`() throws {
    #expect(try ids { $0.flag == $0.text.starts(with: "a") } == [2, 3, 6])
    #expect(try ids { [true, false].contains(!$0.flag) } == [1, 2, 3, 4, 5, 6])
    #expect(try ids { ($0.text.contains("a")) == !$0.flag } == [1, 2, 4, 5])
  }

  @Test func `in the order asked for, the key last, at most so many`() throws {
    #expect(try ids(Everything.all.order { $0.whole.descending }) == [6, 5, 4, 3, 2, 1])
    #expect(try ids(Everything.all.order { $0.kind.ascending }) == [3, 6, 2, 1, 5, 4], "nil first")
    #expect(try ids(Everything.all.order { $0.kind.descending }) == [4, 5, 1, 2, 6, 3], "the key, too")
    #expect(
      try ids(Everything.all.order { $0.flag.descending }.order { $0.text.ascending }) == [4, 6, 5, 3, 1, 2])
    #expect(try ids(Everything.all.limit(2)) == [1, 2])
    #expect(try ids(Everything.all.limit(0)) == [])
    #expect(try ids(Everything.all.limit(-1)) == [])
  }

  @Test func `what is left after it is narrowed`() throws {
    #expect(try ids(Everything.where { $0.flag }.where { $0.whole < 60 }.limit(5)) == [4, 5])
    #expect(
      try ids(Everything.where { $0.flag || $0.whole == 10 }.where { $0.whole == 10 || $0.whole == 20 }) == [
        1
      ])
  }

  @Test func `one, how many, whether any`() throws {
    try shelf.account.blockingRead { snapshot throws in
      #expect(try snapshot.first(Everything.all.order { $0.whole.descending })?.id == 6)
      #expect(try snapshot.first(Everything.where { $0.whole == 0 })?.id == nil)
      #expect(try snapshot.count(Everything.where { $0.flag }.limit(1)) == 3)
      #expect(try snapshot.exists(Everything.where { $0.flag }))
      #expect(try !snapshot.exists(Everything.where { $0.whole == 1 }))
      #expect(try snapshot.find(Everything.self, 3)?.text == "Apfel")
      #expect(try snapshot.find(Everything.self, 33)?.id == nil)
    }
  }

  @Test func `only what has a column: another property is an error that names it`() throws {
    let query = Everything.where { $0.length == 5 }
    // A computed property has no name at run time; Swift writes its address and type.
    func isNamed(_ error: any Error) -> Bool {
      if case .notAColumn("everything", let path) = error as? StoreError {
        path.hasPrefix("\\Everything.")
      } else {
        false
      }
    }
    #expect(performing: { try ids(query) }, throws: isNamed)
    #expect(performing: { try shelf.account.blockingRead { try $0.count(query) } }, throws: isNamed)
    #expect(performing: { try ids(Everything.all.order { $0.length.ascending }) }, throws: isNamed)
    #expect(
      performing: {
        let condition: (Columns<Everything>) -> FerryStore.QueryExpression<Everything, Bool> = {
          $0.length == 5
        }
        return try condition(Columns()).evaluate(Everything(1))
      }, throws: isNamed)
  }

  @Test func `with more members than SQLite has parameters an error, not an empty list`() throws {
    let many = Array(0..<300_000)
    do {
      _ = try ids { many.contains($0.whole) }
      Issue.record("SQLite has no limit here")
    } catch StoreError.queryTooLarge(let why) {
      #expect(why.contains("variable"))
    }
    #expect(try ids { Array(0..<10_000).contains($0.whole) } == [1, 2, 3, 4, 5, 6])
  }

  @Test func `what a chain of any length says, also on a thread with a small stack`() async throws {
    let any = Everything.where { its in (1...2000).reduce(its.whole == 0) { $0 || its.whole == $1 * 20 } }
    #expect(try await shelf.account.read { try $0.fetch(any).map(\.id) } == [2, 4, 6])
    let all = (1...2000).reduce(Everything.all) { query, number in query.where { $0.whole != number * 20 } }
    #expect(try await shelf.account.read { try $0.fetch(all).map(\.id) } == [1, 3, 5])
  }

  @Test func `with more conditions within one another than SQLite takes an error that says so`() throws {
    let deep = Everything.where { its in
      (1...100).reduce(its.whole == 0) { ($0 || its.whole == $1) && its.whole != 0 }
    }
    do {
      _ = try ids(deep)
      Issue.record("SQLite has no limit here")
    } catch StoreError.queryTooLarge(let why) {
      #expect(why.contains("stack"))
    }
  }

  @Test func `nothing where at most none is asked for, nor a first one`() throws {
    let none = Everything.all.limit(0)
    #expect(try ids(none) == [])
    try shelf.account.blockingRead { snapshot throws in
      #expect(try snapshot.first(none) == nil)
      #expect(try snapshot.first(none.with(Folder.self, by: \.folder)) == nil)
      #expect(try snapshot.rows(of: Everything.table.declaration, limit: -1) == [])
    }
  }

  @Test func `what a column that may be nil says once nil stands for something`() throws {
    #expect(try ids { ($0.note ?? "x") == "x" } == [1, 3])
    #expect(try ids { ($0.note ?? $0.text) == "apple" } == [1])
    #expect(try ids { ($0.note ?? "").contains("\0") } == [4])
    #expect(try ids { ($0.note ?? "a") < "b" } == [1, 2, 6])
    #expect(try ids { ["x", "á"].contains($0.note ?? "á") } == [1, 3, 5])
    #expect(try ids(Everything.where { $0.flag }.order { ($0.note ?? "zz").descending }) == [5, 4, 6])
  }

  @Test func `columns compared with columns, of which one may be nil`() throws {
    #expect(try ids { $0.note == $0.text } == [5, 6])
    #expect(try ids { $0.text != $0.note } == [1, 2, 3, 4])
    #expect(try ids { $0.note != $0.text && $0.whole > 20 } == [3, 4])
    #expect(try ids { $0.text < ($0.note ?? "zz") } == [1, 3, 4])
    #expect(try ids { $0.text >= ($0.note ?? "") } == [1, 2, 5, 6])
  }

  @Test func `members of a range`() throws {
    #expect(try ids { (20...40).contains($0.whole) } == [2, 3, 4])
    #expect(try ids { (20..<40).contains($0.whole) } == [2, 3])
    #expect(try ids { !(("b"..<"z").contains($0.text)) } == [1, 3, 4, 5, 6])
    #expect(try ids { (Int.min...Int.max).contains($0.whole) } == [1, 2, 3, 4, 5, 6], "not one by one")
  }
}

extension Everything { var length: Int { text.count } }
