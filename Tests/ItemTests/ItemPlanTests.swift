import CSQLite
import FerryKernel
import FolderDomain
import TestKit
import Testing

@testable import FerryStore
@testable import ItemDomain

/// How SQLite answers what the DAOs ask, which doesn't depend on how many rows there are: nobody analyses a store.
@Suite struct `With a hundred thousand items in a folder` {
  let desk: ItemDesk
  var home: AccountStore { desk.home }
  let inbox: ItemFilter

  init() throws {
    desk = try ItemDesk()
    try desk.serve(
      folders: ["in"], [try item("a", in: "in", tags: ["x"]), try item("b"), try item("c", in: "gone")])
    inbox = ItemFilter(in: .folder(try folderID("in")))
  }

  /// The steps of each statement about folders, items or drafts that a connection has prepared.
  private func steps(_ connection: Connection) throws -> [(sql: String, steps: [String])] {
    var all: [String] = []
    var statement = sqlite3_next_stmt(connection.handle, nil)
    while let found = statement {
      if let sql = sqlite3_sql(found) { all.append(String(cString: sql)) }
      statement = sqlite3_next_stmt(connection.handle, found)
    }
    let tables = ["\"folder\"", "\"item\"", "\"draft\""]
    let ours = all.filter { sql in
      !sql.hasPrefix("EXPLAIN") && tables.contains { sql.contains($0) }
    }
    return try ours.map { sql in
      var steps: [String] = []
      try connection.run(
        "EXPLAIN QUERY PLAN " + sql,
        row: { row in
          steps.append(try row.text(3))
          return true
        })
      return (sql, steps)
    }
  }

  private func expectIndexes(_ connection: Connection, atLeast count: Int) throws {
    let plans = try steps(connection)
    #expect(plans.count >= count)
    for (sql, steps) in plans {
      for step in steps where step.hasPrefix("SCAN") {
        // An index of words is entered by words.
        #expect(step.contains("VIRTUAL TABLE INDEX"), "\(step): \(sql)")
      }
      // The key alone, without a key, is all that the account has.
      #expect(!steps.contains("SEARCH item USING INDEX sqlite_autoindex_item_1 (account_key=?)"), "\(sql)")
    }
  }

  @Test func `no list, search or count goes through all rows of a table`() throws {
    let places: [ItemFilter.Place] = [.everywhere, .unfiled, inbox.place]
    let last = try item("z", at: 5, in: "in")
    try home.blockingRead { snapshot in
      for place in places {
        for isRead in [nil, false] as [Bool?] {
          for isStarred in [nil, true, false] as [Bool?] {
            for tags in [[], ["x"], ["\u{e9}"]] {
              let filter = ItemFilter(in: place, isRead: isRead, isStarred: isStarred, tags: tags)
              _ = try ItemDAO.list(snapshot, filter)
              _ = try ItemDAO.list(snapshot, filter, after: last)
              _ = try ItemDAO.count(snapshot, filter)
              _ = try ItemDAO.ids(snapshot, filter)
              _ = try ItemDAO.search(snapshot, "a", filter, after: last)
            }
          }
        }
      }
      _ = try FolderDAO.counts(snapshot)
      _ = try FolderDAO.tree(snapshot)
      _ = try DraftDAO.list(snapshot)
      try expectIndexes(snapshot.access.session.connection, atLeast: 100)
    }
  }

  @Test func `no write does`() throws {
    try home.blockingWrite { transaction in
      try ItemDAO.markAll(transaction, inbox, isRead: true)
      try ItemDAO.markAll(transaction, ItemFilter(in: .unfiled), isRead: true)
      try ItemDAO.star(transaction, [itemID("a")], isStarred: true)
      try ItemDAO.tag(transaction, [itemID("a")], "y")
      try ItemDAO.undo(transaction, ItemDAO.delete(transaction, [itemID("a")]))
      try FolderDAO.create(transaction, folderID("new"), name: "new", in: folderID("in"))
      try FolderDAO.delete(transaction, folderID("new"), .move(to: nil))
      try FolderDAO.delete(transaction, folderID("in"), .delete)
      try DraftDAO.create(transaction, draftID("d"), title: "d", at: .min)
      try DraftDAO.promote(transaction, draftID("d"), to: itemID("d"), in: nil, at: .min)
      try expectIndexes(transaction.access.session.connection, atLeast: 8)
    }
  }

  /// The plan of a list.
  private func plan(_ filter: ItemFilter, after last: Item? = nil) throws -> [String] {
    try home.blockingRead { snapshot in
      let query = try #require(try filter.queries(snapshot).first)
      let newest = query.order { $0.updatedAt.descending }.limit(50)
      let select = try snapshot.render(Item.self) { renderer throws(StoreError) in
        try renderer.select([.sql(Item.table.sql.columns)], last.map { newest.after($0) } ?? newest)
      }
      var steps: [String] = []
      try snapshot.access.session.connection.run(
        "EXPLAIN QUERY PLAN " + select.sql,
        row: { row in
          steps.append(try row.text(3))
          return true
        })
      return steps
    }
  }

  @Test func `a page is where an index has it in its order, whatever it leaves out`() throws {
    let last = try item("z", at: 5, in: "in")
    var unread = inbox
    unread.isRead = false
    var starred = inbox
    starred.isStarred = true
    for (filter, index, columns) in [
      (inbox, "item.folder.updated_at", "account_key=? AND folder=?"),
      (unread, "item.folder.is_read.updated_at", "account_key=? AND folder=? AND is_read=?"),
      (starred, "item.folder.is_starred.updated_at", "account_key=? AND folder=? AND is_starred=?"),
      (ItemFilter(), "item.updated_at", "account_key=?"),
      (ItemFilter(isRead: false), "item.is_read.updated_at", "account_key=? AND is_read=?"),
      (ItemFilter(isStarred: true), "item.is_starred.updated_at", "account_key=? AND is_starred=?"),
      (ItemFilter(in: .unfiled), "item.folder.updated_at", "account_key=? AND folder=?"),
    ] {
      // By key, among those of one instant.
      let sort = ["USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"]
      #expect(try plan(filter) == ["SEARCH item USING INDEX \(index) (\(columns))"] + sort)
      #expect(
        try plan(filter, after: last) == [
          "SEARCH item USING INDEX \(index) (\(columns) AND updated_at<?)"
        ] + sort)
    }
  }

  @Test func `the counts of all folders come from an index alone, and the unfiled are found by steps in one`()
    throws
  {
    try home.blockingRead { snapshot in
      _ = try FolderDAO.counts(snapshot)
      _ = try ItemDAO.list(snapshot, ItemFilter(in: .unfiled))
      let plans = try steps(snapshot.access.session.connection)
      let counts = try #require(plans.first { $0.sql.contains("GROUP BY") })
      #expect(
        counts.steps == ["SEARCH item USING COVERING INDEX item.folder.is_read.updated_at (account_key=?)"])
      let folders = try #require(plans.first { $0.sql.contains("(\"item\".\"folder\", ") })
      #expect(
        folders.steps == [
          "SEARCH item USING INDEX item.folder.updated_at (account_key=? AND (folder,updated_at)>(?,?))",
          "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY",
        ])
    }
  }

  @Test func `marking all as read finds the unread by an index`() throws {
    #expect(
      try plan(ItemFilter(in: inbox.place, isRead: false)).first?.hasPrefix(
        "SEARCH item USING INDEX item.folder.is_read") == true)
    try home.blockingRead { snapshot in
      _ = try ItemDAO.ids(snapshot, ItemFilter(in: inbox.place, isRead: false))
      let ids = try steps(snapshot.access.session.connection).filter { $0.sql.contains("\"is_read\" IS ?") }
      #expect(!ids.isEmpty)
      for plan in ids {
        #expect(plan.steps.first?.contains("item.folder.is_read") == true, "\(plan)")
      }
    }
  }
}
