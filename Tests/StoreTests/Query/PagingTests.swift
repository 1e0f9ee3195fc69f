import Foundation
import Testing

@testable import FerryStore

/// As a domain's items are: by folder, the newest first.
private struct Letter: Record, Equatable {
  typealias Key = Int64
  let id: Int64
  var folder: String
  var sent: Int
  var seen: Int?

  static let table = Table<Letter>(
    "letter", key: \.id,
    columns: Column("id", \.id), Column("folder", \.folder), Column("sent", \.sent), Column("seen", \.seen),
    indexes: [Index(\.folder, \.sent), Index(\.folder, \.seen)],
    make: { Letter(id: $0, folder: $1, sent: $2, seen: $3) })
}

@Suite struct `A page` {
  let sandbox = Sandbox()
  let account: AccountStore

  init() throws {
    account = try sandbox.open([Schema(owner: "letter", tables: [Letter.table.declaration])]).addAccount(
      alice)
    try account.blockingWrite { transaction in
      try transaction.insert(
        (1...40).map {
          Letter(
            id: $0, folder: $0 % 2 == 0 ? "in" : "out", sent: Int($0 / 6),
            seen: $0 % 3 == 0 ? nil : Int($0 % 5))
        })
    }
  }

  private let newest = Letter.where { $0.folder == "in" }.order { $0.sent.descending }

  private func ids(_ query: Query<Letter>) throws -> [Int64] {
    try account.blockingRead { try $0.fetch(query).map(\.id) }
  }

  private func plan(_ query: Query<Letter>) throws -> String {
    try account.blockingRead { snapshot throws in
      let select = try snapshot.render(Letter.self) { renderer throws(StoreError) in
        try renderer.select([.sql(Letter.table.sql.columns)], query)
      }
      var lines: [String] = []
      try snapshot.access.session.connection.run("EXPLAIN QUERY PLAN " + select.sql) {
        try $0.bind(all: select.parameters)
      } row: { row in
        lines.append(try row.text(3))
        return true
      }
      return lines.joined(separator: "\n")
    }
  }

  @Test func `of what nobody ordered looks for it where its index has it, and not through all by key`() throws
  {
    let unordered = try plan(Letter.where { $0.folder == "in" })
    #expect(unordered.contains("letter.folder"), "\(unordered)")
    #expect(try ids(Letter.where { $0.folder == "in" && $0.sent == 1 }) == [6, 8, 10])
    #expect(try !plan(Letter.all).contains("TEMP B-TREE"))
    let rest = try #require(try account.blockingRead { try $0.find(Letter.self, 20) })
    #expect(try ids(Letter.where { $0.folder == "in" }.after(rest).limit(2)) == [22, 24])
  }

  @Test func `begins in the index of its order, where the one before ended`() throws {
    let page = newest.limit(5).after(Letter(id: 20, folder: "in", sent: 3, seen: nil))
    #expect(
      try plan(page).hasPrefix(
        "SEARCH letter USING INDEX letter.folder.sent (account_key=? AND folder=? AND sent<?)"))
    #expect(try ids(page) == [18, 16, 14, 12, 10])
    let rising = Letter.where { $0.folder == "in" }.order { $0.sent.ascending }
      .after(Letter(id: 20, folder: "in", sent: 3, seen: nil))
    #expect(
      try plan(rising).hasPrefix(
        "SEARCH letter USING INDEX letter.folder.sent (account_key=? AND folder=? AND sent>?)"))
  }

  @Test func `of orders that run against each other begins in the index of the first`() throws {
    let page = Letter.where { $0.folder == "in" }.order { $0.sent.descending }.order { $0.id.ascending }
      .after(Letter(id: 20, folder: "in", sent: 3, seen: nil))
    #expect(
      try plan(page).hasPrefix(
        "SEARCH letter USING INDEX letter.folder.sent (account_key=? AND folder=? AND sent<?)"))
    #expect(try ids(page.limit(4)) == [22, 12, 14, 16])
  }

  @Test func `by the key alone begins at the key`() throws {
    let page = Letter.all.limit(2).after(Letter(id: 20, folder: "", sent: 0, seen: nil))
    #expect(try ids(page) == [21, 22])
    #expect(try plan(page).contains("(account_key=? AND id>?)"))
  }

  @Test func `of a column that may be nil goes on after the nils, and into them`() throws {
    for isDescending in [false, true] {
      let query = Letter.all.order { isDescending ? $0.seen.descending : $0.seen.ascending }
      let whole = try account.blockingRead { try $0.fetch(query) }
      for (index, letter) in whole.enumerated() {
        #expect(try ids(query.after(letter)) == whole.dropFirst(index + 1).map(\.id))
      }
    }
  }

  @Test func `of a column that may be nil begins in its index where nil comes first`() throws {
    let rising = Letter.where { $0.folder == "in" }.order { $0.seen.ascending }
    let page = rising.after(Letter(id: 20, folder: "in", sent: 3, seen: 2))
    #expect(
      try plan(page).hasPrefix(
        "SEARCH letter USING INDEX letter.folder.seen (account_key=? AND folder=? AND seen>?)"))
  }

  @Test func `stands where its last record stood, though that is gone and others have come`() throws {
    let first = try account.blockingRead { try $0.fetch(newest.limit(4)) }
    #expect(first.map(\.id) == [40, 38, 36, 34])
    let last = try #require(first.last)
    try account.blockingWrite { transaction in
      try transaction.delete(Letter.self, last.id)
      try transaction.insert(Letter(id: 100, folder: "in", sent: 99, seen: nil))
    }
    #expect(try ids(newest.limit(4).after(last)) == [32, 30, 28, 26])
  }

  @Test func `says nothing of the counts`() throws {
    let page = newest.limit(4).after(Letter(id: 20, folder: "in", sent: 3, seen: nil))
    try account.blockingRead { snapshot throws in
      #expect(try snapshot.count(page) == 20)
      #expect(try snapshot.exists(page.limit(0)))
      #expect(try snapshot.first(page)?.id == 18)
    }
  }

  @Test func `keeps to the account and the condition`() throws {
    let other = try account.store.addAccount(bob)
    try other.blockingWrite { try $0.insert(Letter(id: 1, folder: "in", sent: 0, seen: nil)) }
    let place = Letter(id: 100, folder: "in", sent: 0, seen: 5)
    for query in [
      Letter.all, Letter.all.order { $0.seen.ascending }, Letter.all.order { $0.sent.descending },
    ] {
      let found = try other.blockingRead { try $0.fetch(query.where { $0.folder == "in" }.after(place)) }
      #expect(found.allSatisfy { $0.id == 1 })
    }
  }

  @Test func `that another table orders needs that table's record`() throws {
    let cabinet = try Cabinet()
    let query = Everything.all.order { $0.joined(Folder.self, by: \.folder).name.ascending }
    #expect(throws: StoreError.unknownPlace(table: "everything", by: "folder")) {
      try cabinet.rows(query.after(Cabinet.rows[0]))
    }
    try cabinet.account.blockingRead { snapshot throws in
      let pairs = query.with(Folder.self, by: \.folder)
      let whole = try snapshot.fetch(pairs)
      #expect(whole.map(\.record.id) == [4, 5, 6, 1, 2, 3])
      #expect(try snapshot.fetch(pairs.after(whole[2])).map(\.record.id) == [1, 2, 3])
      #expect(try snapshot.fetch(pairs.after(whole[0])).map(\.record.id) == [5, 6, 1, 2, 3])
    }
  }
}
