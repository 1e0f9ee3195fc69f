import Composition
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

/// The app's shape at its size: every registered domain and 42 generated tables, 20 accounts, 100,000 items in one
/// folder. Steps of SQLite's machine are counted, never time, so it says the same on every machine.
@Suite struct `At the size of the app` {
  /// A store in which one account is filled to a size, beside others.
  private struct World {
    let folder: GoldenFolder
    let meter: StatementMeter
    let store: Store
    let account: AccountStore
    let inbox: FolderID
    let other: FolderID
    let tables: [TableDeclaration]

    init() throws {
      folder = try GoldenFolder()
      meter = try StatementMeter(folder: folder.path)
      let domains = RegisteredDomains.all + World.generated
      tables = domains.flatMap(\.tables)
      store = try Store.open(
        at: folder.url.appendingPathComponent("ferry.sqlite"), schemas: domains.map(\.schema))
      account = try store.addAccount(AccountID(server: "home", user: "user0"))
      inbox = try #require(FolderID("inbox"))
      other = try #require(FolderID("other"))
    }

    /// As many as the app has classes, by name only.
    static let generated = GeneratedLibrary(seed: 1, log: Library.diary(queue: nil)).domains.filter {
      !$0.isLast
    }

    /// Whether a statement reads or writes rows that are some account's.
    func speaksOfAccounts(_ sql: String) -> Bool {
      let names = tables.filter(\.hasAccount).map(\.name) + ["store_outbox", "store_sidecar"]
      return names.contains {
        sql.contains("\"\($0)\"") || sql.contains("\"\($0):") || sql.contains(" \($0) ")
      }
    }

    /// Items from a number on, in the inbox but for some. What is looked for is as frequent at every size, but for
    /// what only the oldest have.
    func fill(_ account: AccountStore, _ numbers: Range<Int>) throws {
      try account.blockingWrite(origin: .server) { transaction in
        if numbers.lowerBound == 0 {
          for (order, id) in [inbox, other].enumerated() {
            try transaction.insert(
              Folder(id: id, name: id.rawValue, type: .primary, sortOrder: Int64(order), parent: nil))
          }
        }
        for number in numbers {
          guard let id = ItemID("i\(number)") else { continue }
          try transaction.insert(
            Item(
              id: id, remoteID: Int64(number), folder: number % 50 == 49 ? other : inbox,
              title: number % 100 == 7 ? "wanted" : number < 10 ? "oldest" : "title", preview: nil,
              isRead: number % 40 != 5, isStarred: number % 50 == 3,
              updatedAt: Timestamp(nanoseconds: Int64(number)), score: nil,
              tags: number % 80 == 11 ? ["urgent"] : []))
        }
      }
    }

    /// Some rows in every generated table.
    func fillGenerated(_ account: AccountStore) throws {
      for table in World.generated.flatMap(\.tables) {
        try account.blockingWrite(origin: .server) { transaction in
          for number in 0..<20 {
            try transaction.insertRow(
              table.columns.map { column in
                column.shape.storage == .integer ? .integer(Int64(number)) : .text("x\(number)")
              }, into: table)
          }
        }
      }
    }
  }

  /// What an app does with a list, and how many rows it is given or changes.
  private struct Work: Sendable {
    let name: String
    /// Whether it gives or changes more rows the more there are, as a count does.
    var growsWithRows = false
    /// One of how many items matches, where all that match are gathered before the first is given.
    var matchesOneOf: Int?
    /// Whether it may look at each of the account's items, a few steps each: what matches is so rare that the order
    /// is no help, and SQLite can't know that.
    var looksAtAll = false
    let run: @Sendable (World) async throws -> Int
  }

  private static let works = [
    Work(name: "the first page of a folder") { world in
      try await ItemDAO.list(world.account, ItemFilter(in: .folder(world.inbox)), limit: 50).count
    },
    Work(name: "a page from the middle") { world in
      let id = try #require(ItemID("i500"))
      let last = try #require(try await ItemDAO.find(world.account, id))
      return try await ItemDAO.list(
        world.account, ItemFilter(in: .folder(world.inbox)), after: last, limit: 50
      ).count
    },
    Work(name: "the unread of a folder") { world in
      try await ItemDAO.list(world.account, ItemFilter(in: .folder(world.inbox), isRead: false), limit: 20)
        .count
    },
    Work(name: "the starred of all folders") { world in
      try await ItemDAO.list(world.account, ItemFilter(isStarred: true), limit: 15).count
    },
    Work(name: "what has a tag", matchesOneOf: 80) { world in
      try await ItemDAO.list(world.account, ItemFilter(tags: ["urgent"]), limit: 10).count
    },
    Work(name: "the newest of all") { world in
      try await ItemDAO.list(world.account, limit: 50).count
    },
    Work(name: "a search", matchesOneOf: 100) { world in
      try await ItemDAO.search(world.account, "wanted", limit: 8).count
    },
    Work(name: "a search for what only the oldest have", looksAtAll: true) { world in
      try await ItemDAO.search(world.account, "oldest", limit: 8).count
    },
    Work(name: "a search in a folder", matchesOneOf: 100) { world in
      try await ItemDAO.search(world.account, "wanted", ItemFilter(in: .folder(world.inbox)), limit: 8).count
    },
    Work(name: "the count of unread", growsWithRows: true) { world in
      try await ItemDAO.count(world.account, ItemFilter(in: .folder(world.inbox), isRead: false))
    },
    Work(name: "the count of a folder", growsWithRows: true) { world in
      try await ItemDAO.count(world.account, ItemFilter(in: .folder(world.inbox)))
    },
    Work(name: "the counts of all folders", growsWithRows: true) { world in
      try await FolderDAO.counts(world.account).total.all
    },
    Work(name: "marking some as unread") { world in
      let ids = (100..<120).compactMap { ItemID("i\($0)") }
      let change = try await ItemDAO.mark(world.account, ids, isRead: false)
      try await ItemDAO.undo(world.account, change)
      return change.ids.count
    },
    Work(name: "marking all as read", growsWithRows: true) { world in
      let change = try await ItemDAO.markAll(
        world.account, ItemFilter(in: .folder(world.inbox)), isRead: true)
      try await ItemDAO.undo(world.account, change)
      return change.ids.count
    },
  ]

  private struct Measured {
    let rows: Int
    let costs: [StatementMeter.Cost]
    var steps: Int { costs.reduce(0) { $0 + $1.steps } }
    var stepsPerRow: Double { Double(steps) / Double(max(rows, 1)) }
    /// The statement that most of it goes to.
    var dearest: String { costs.max { $0.steps < $1.steps }?.sql ?? "" }
  }

  private func measure(_ world: World) async throws -> [Measured] {
    var measured: [Measured] = []
    for work in Self.works {
      // Once before, so that a statement's first preparation isn't part of it.
      _ = try await work.run(world)
      let (rows, costs) = try await world.meter.costs { try await work.run(world) }
      measured.append(Measured(rows: rows, costs: costs))
    }
    return measured
  }

  @Test
  func `what a person does costs as much a row as in a small store, and nothing scans an account's table`()
    async throws
  {
    let world = try World()
    #expect(world.tables.count > 42)
    try world.fill(world.account, 0..<1000)
    let small = try await measure(world)
    try world.fill(world.account, 1000..<100_000)
    for number in 1..<20 {
      let other = try world.store.addAccount(AccountID(server: "home", user: "user\(number)"))
      try world.fill(other, 0..<500)
      try world.fillGenerated(other)
    }
    try world.fillGenerated(world.account)
    #expect(try await ItemDAO.count(world.account, ItemFilter(in: .folder(world.inbox))) == 98_000)
    let large = try await measure(world)
    for (work, (small, large)) in zip(Self.works, zip(small, large)) {
      #expect(
        large.rows > 0 && (work.growsWithRows || large.rows == small.rows), "\(work.name): \(large.rows)")
      // A little more where a tree is a level deeper or an index in more pieces.
      let (before, after) =
        work.looksAtAll
        ? (Double(small.steps) / 1000, Double(large.steps) / 100_000) : (small.stepsPerRow, large.stepsPerRow)
      // To gather a match takes a handful of steps.
      let gathering = Double(10 * 100_000 / (work.matchesOneOf ?? .max) / max(large.rows, 1))
      #expect(
        after <= before * 1.2 + 2 + gathering,
        "\(work.name): \(small.steps) steps for \(small.rows) rows became \(large.steps): \(large.dearest)")
      for cost in large.costs where world.speaksOfAccounts(cost.sql) {
        #expect(cost.scanned == 0, "\(work.name) scans: \(cost.sql)")
        #expect(cost.indexed == 0, "\(work.name) makes an index: \(cost.sql)")
      }
    }
    await world.store.close()
  }
}
