import Foundation
import Testing

@testable import FerryStore

/// Folders of folders, and rows of `everything` in them: some in none, some in one that isn't there.
struct Cabinet {
  let sandbox = Sandbox()
  let store: Store
  let account: AccountStore

  static let folders = [
    Folder("in", name: "Inbox"), Folder("old", name: "Old", kind: .archived, parent: "in"),
    Folder("deep", name: "Deep", kind: .unknown("smart"), parent: "old"),
    Folder("empty", name: "", parent: "gone"),
  ]
  static let rows: [Everything] = [
    (1, "in", false), (2, "in", true), (3, "old", true), (4, nil, false), (5, "gone", false),
    (6, "deep", true),
  ].map { (id: Int64, folder: String?, flag: Bool) in
    var row = Everything(id)
    row.folder = folder.flatMap { Identifier($0) }
    row.flag = flag
    row.whole = Int(id) * 10
    row.text = "row \(id)"
    return row
  }

  init() throws {
    store = try sandbox.open([
      mail, device, Schema(owner: "everything", tables: [Everything.table.declaration]),
    ])
    account = try store.addAccount(alice)
    // Somebody else's, under the same keys.
    let other = try store.addAccount(bob)
    try other.blockingWrite { transaction in
      try transaction.insert([Folder("gone", name: "Inbox", parent: "in"), Folder("empty", parent: "in")])
      var row = Everything(9)
      row.folder = Identifier("empty")
      try transaction.insert(row)
    }
    try account.blockingWrite { transaction in
      try transaction.insert(Cabinet.folders)
      try transaction.insert(Cabinet.rows)
    }
  }

  func rows(_ query: Query<Everything>) throws -> [Int64] {
    try account.blockingRead { try $0.fetch(query).map(\.id) }
  }
  func folders(_ query: Query<Folder>) throws -> [String] {
    try account.blockingRead { try $0.fetch(query).map(\.id.rawValue) }
  }
}

@Suite struct `A query along references` {
  let cabinet: Cabinet

  init() throws { cabinet = try Cabinet() }

  @Test func `goes by what the row that a reference leads to holds`() throws {
    #expect(
      try cabinet.rows(Everything.where { $0.joined(Folder.self, by: \.folder).name == "Inbox" }) == [1, 2])
    #expect(
      try cabinet.rows(Everything.where { $0.joined(Folder.self, by: \.folder).kind != .primary })
        == [3, 4, 5, 6], "a row without a folder has no kind of folder, which differs from every kind")
  }

  @Test func `finds nil where a reference is nil or leads nowhere`() throws {
    #expect(try cabinet.rows(Everything.where { $0.joined(Folder.self, by: \.folder).id == nil }) == [4, 5])
    #expect(
      try cabinet.folders(Folder.where { $0.joined(Folder.self, by: \.parent).name != nil }) == [
        "deep", "old",
      ])
  }

  @Test func `follows references of references`() throws {
    #expect(
      try cabinet.rows(
        Everything.where {
          $0.joined(Folder.self, by: \.folder).joined(Folder.self, by: \.parent).name == "Inbox" && $0.flag
        }) == [3])
  }

  @Test func `follows one reference once, however often it is named`() throws {
    let query = Everything.where {
      $0.joined(Folder.self, by: \.folder).name == "Inbox"
        || $0.joined(Folder.self, by: \.folder).kind == .archived
    }
    var renderer = Renderer(Everything.table.declaration, account: 1)
    try renderer.select([.sql("1")], query)
    #expect(renderer.sql.components(separatedBy: "JOIN").count == 2)
    #expect(try cabinet.rows(query) == [1, 2, 3])
  }

  @Test func `is ordered by what the row that a reference leads to holds`() throws {
    #expect(
      try cabinet.rows(
        Everything.all.order { $0.joined(Folder.self, by: \.folder).name.ascending }.order {
          $0.whole.ascending
        })
        == [4, 5, 6, 1, 2, 3])
  }

  @Test func `refuses a property that is declared as no reference, or to another table`() throws {
    #expect(throws: StoreError.notAReference(table: "folder", column: "id", to: "folder")) {
      try cabinet.folders(Folder.where { $0.joined(Folder.self, by: \.id).name == "" })
    }
    #expect(throws: StoreError.notAReference(table: "folder", column: "id", to: "folder")) {
      try cabinet.folders(Folder.where { $0.has(Folder.self, by: \.id) })
    }
  }

  @Test func `refuses a table that the store wasn't opened with`() throws {
    let sandbox = Sandbox()
    let alone = try sandbox.open([Schema(owner: "alone", tables: [Everything.table.declaration])])
    let account = try alone.addAccount(alice)
    for query in [
      Everything.where { $0.joined(Folder.self, by: \.folder).name == "" },
      Everything.all.order { $0.joined(Folder.self, by: \.folder).name.ascending },
    ] {
      #expect(throws: StoreError.unknownTable("folder")) {
        try account.blockingRead { try $0.fetch(query) }
      }
    }
  }
}

@Suite struct `A query for rows that others refer to` {
  let cabinet: Cabinet

  init() throws { cabinet = try Cabinet() }

  @Test func `finds those that any refers to, and those that none does`() throws {
    #expect(
      try cabinet.folders(Folder.where { $0.has(Everything.self, by: \.folder) }) == ["deep", "in", "old"])
    #expect(try cabinet.folders(Folder.where { !$0.has(Everything.self, by: \.folder) }) == ["empty"])
  }

  @Test func `goes by a condition on what refers`() throws {
    #expect(
      try cabinet.folders(Folder.where { $0.has(Everything.self, by: \.folder) { !$0.flag } }) == ["in"])
    #expect(
      try cabinet.folders(
        Folder.where { folder in
          folder.kind == .archived && folder.has(Everything.self, by: \.folder) { $0.flag && $0.whole > 20 }
        }) == ["old"])
  }

  @Test func `compares the two rows`() throws {
    #expect(
      try cabinet.folders(
        Folder.where { folder in folder.has(Folder.self, by: \.parent) { $0.name != folder.name } })
        == ["in", "old"])
    #expect(
      try cabinet.folders(
        Folder.where { folder in folder.has(Folder.self, by: \.parent) { $0.kind == folder.kind } }) == [])
  }

  @Test func `goes on to what refers to that, and along its references`() throws {
    #expect(
      try cabinet.folders(
        Folder.where {
          $0.has(Folder.self, by: \.parent) { $0.has(Everything.self, by: \.folder) { $0.whole == 60 } }
        })
        == ["old"])
    #expect(
      try cabinet.folders(
        Folder.where { folder in
          folder.has(Everything.self, by: \.folder) {
            $0.joined(Folder.self, by: \.folder).joined(Folder.self, by: \.parent).id != nil
              && folder.joined(Folder.self, by: \.parent).name == "Inbox"
          }
        }) == ["old"])
  }

  @Test func `asks, within a condition, what else refers to the row outside`() throws {
    // Folders that a low row refers to, and a high one.
    let query = Folder.where { folder in
      folder.has(Everything.self, by: \.folder) { low in
        low.whole == 10
          && folder.has(Everything.self, by: \.folder) { high in
            high.whole > low.whole && high.flag != low.flag
          }
      }
    }
    #expect(try cabinet.folders(query) == ["in"])
    #expect(
      try cabinet.folders(query.where { !$0.has(Everything.self, by: \.folder) { $0.whole == 20 } }) == [])
  }

  @Test func `counts and tells as it fetches`() throws {
    let query = Folder.where { $0.has(Everything.self, by: \.folder) }
    try cabinet.account.blockingRead { snapshot throws in
      #expect(try snapshot.count(query) == 3)
      #expect(try snapshot.exists(query))
      #expect(try !snapshot.exists(query.where { $0.name == "" }))
      #expect(
        try snapshot.count(Everything.where { $0.joined(Folder.self, by: \.folder).name == "Inbox" }) == 2)
    }
  }

  @Test func `refuses a column of what refers outside the condition on it`() throws {
    var escaped: FerryStore.QueryExpression<Folder, Bool>?
    let query = Folder.where {
      $0.has(Everything.self, by: \.folder) {
        escaped = $0.flag
        return $0.flag
      }
    }
    let stray = try #require(escaped)
    #expect(throws: StoreError.outOfScope(table: "everything")) {
      try cabinet.folders(Folder.where { _ in stray })
    }
    #expect(throws: StoreError.outOfScope(table: "everything")) {
      try cabinet.folders(query.where { $0.has(Folder.self, by: \.parent) { _ in stray } })
    }
    // Nor in the condition on other rows of the same table.
    #expect(throws: StoreError.outOfScope(table: "everything")) {
      try cabinet.folders(query.where { $0.has(Everything.self, by: \.folder) { _ in stray } })
    }
    #expect(throws: StoreError.outOfScope(table: "everything")) { try stray.evaluate(Folder("a")) }
  }
}

@Suite struct `An observed query over several tables` {
  let cabinet: Cabinet

  init() throws { cabinet = try Cabinet() }

  @Test func `has an element when only the table that a reference leads to has changed`() async throws {
    var seen = cabinet.account
      .observe(Everything.where { $0.joined(Folder.self, by: \.folder).name == "Old" }).makeAsyncIterator()
    #expect(try await seen.next()?.map(\.id) == [3])
    try await cabinet.account.write { try $0.upsert(Folder("deep", name: "Old")) }
    #expect(try await seen.next()?.map(\.id) == [3, 6])
  }

  @Test func `has an element when only the table that refers has changed`() async throws {
    var seen = cabinet.account
      .observe(Folder.where { $0.has(Everything.self, by: \.folder) { $0.whole == 77 } }).makeAsyncIterator()
    #expect(try await seen.next()?.map(\.id.rawValue) == [])
    try await cabinet.account.write { transaction in
      var row = Everything(7)
      (row.whole, row.folder) = (77, Identifier("empty"))
      try transaction.insert(row)
    }
    #expect(try await seen.next()?.map(\.id.rawValue) == ["empty"])
  }
}
