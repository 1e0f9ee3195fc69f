import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite struct `A window of a list of items` {
  private let accounts: GoldenAccounts
  private var home: AccountStore { accounts.home }

  init() throws { accounts = try GoldenAccounts([.folder, .item]) }

  private static let seed =
    ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...UInt64.max)

  /// Items in a folder, in one that isn't there and in none, many of them of the same time.
  private func fill(_ count: Int, _ random: inout SplitMix64) throws {
    let folder = Folder(
      id: try #require(FolderID("inbox")), name: "Inbox", type: .primary, sortOrder: 0, parent: nil)
    let places = [folder.id, FolderID("lost"), nil]
    var items: [Item] = []
    for number in 0..<count {
      items.append(
        Item(
          id: try #require(ItemID("i\(number)")), remoteID: nil,
          folder: places[Int.random(in: 0...2, using: &random)],
          title: number.isMultiple(of: 3) ? "한글 \(number)" : "plain \(number)", preview: nil,
          isRead: Bool.random(using: &random), isStarred: nil,
          updatedAt: Timestamp(nanoseconds: Int64.random(in: 0...Int64(count / 4 + 1), using: &random)),
          score: nil,
          tags: []))
    }
    try home.blockingWrite { transaction in
      try transaction.insert(folder)
      _ = try transaction.insert(items)
    }
  }

  @Test func `is a part of the whole list, wherever it is, and knows where that is`() throws {
    var random = SplitMix64(seed: Self.seed)
    try fill(120, &random)
    let inbox = try #require(FolderID("inbox"))
    try home.blockingRead { snapshot in
      for filter in [
        ItemFilter(), ItemFilter(in: .folder(inbox)), ItemFilter(in: .unfiled), ItemFilter(isRead: false),
      ] {
        let all = try ItemDAO.list(snapshot, filter, limit: 1000)
        #expect(all.count > 9, "FERRY_SEED=\(Self.seed)")
        for size in [1, 2, 7, 40, 500] {
          let newest = try ItemDAO.window(snapshot, filter, size: size)
          #expect(newest == ItemWindow(items: Array(all.prefix(size)), offset: 0, total: all.count))
          let oldest = try ItemDAO.window(snapshot, filter, at: .oldest, size: size)
          let rest = max(0, all.count - size)
          #expect(oldest == ItemWindow(items: Array(all.suffix(size)), offset: rest, total: all.count))
          for (place, item) in all.enumerated() {
            let window = try ItemDAO.window(snapshot, filter, at: .around(item), size: size)
            let first = max(0, place - size / 2)
            #expect(window.offset == first && window.total == all.count, "FERRY_SEED=\(Self.seed)")
            #expect(window.items == Array(all[first...].prefix(size)))
          }
        }
      }
    }
  }

  @Test func `holds what a search finds`() throws {
    var random = SplitMix64(seed: Self.seed)
    try fill(60, &random)
    try home.blockingRead { snapshot in
      let found = try ItemDAO.search(snapshot, "한글", limit: 100).map(\.record)
      let window = try ItemDAO.window(snapshot, search: "한글", at: .around(found[10]), size: 10)
      #expect(found.count == 20 && window.offset == 5 && window.total == 20)
      #expect(window.items == Array(found[5..<15]))
      #expect(try ItemDAO.window(snapshot, search: "nowhere", size: 10) == ItemWindow.none)
    }
  }

  @Test func `is where an item was that is gone, or elsewhere now`() throws {
    var random = SplitMix64(seed: Self.seed)
    try fill(60, &random)
    let all = try home.blockingRead { try ItemDAO.list($0, limit: 100) }
    let gone = all[30]
    try home.blockingWrite { _ = try $0.delete(Item.self, gone.id) }
    let window = try home.blockingRead { try ItemDAO.window($0, at: .around(gone), size: 10) }
    #expect(window.items == Array(all[25..<30] + all[31..<36]) && window.offset == 25 && window.total == 59)
    var moved = gone
    moved.updatedAt = .max
    try home.blockingWrite { [moved] in _ = try $0.insert(moved) }
    let again = try home.blockingRead { try ItemDAO.window($0, at: .around(gone), size: 10) }
    #expect(again.items == window.items && again.offset == 26)
  }

  @Test(arguments: [0, -1, .min]) func `of no size is empty, wherever it is`(size: Int) throws {
    var random = SplitMix64(seed: Self.seed)
    try fill(20, &random)
    try home.blockingRead { snapshot in
      let item = try #require(try ItemDAO.list(snapshot, limit: 10).last)
      for anchor in [ItemWindow.Anchor.newest, .oldest, .around(item)] {
        let window = try ItemDAO.window(snapshot, at: anchor, size: size)
        #expect(window.items.isEmpty && window.total == 20, "\(anchor)")
      }
      #expect(try ItemDAO.list(snapshot, limit: size).isEmpty)
    }
  }

  @Test func `is observed`() async throws {
    var random = SplitMix64(seed: Self.seed)
    try fill(30, &random)
    let all = try await ItemDAO.list(home, limit: 100)
    var windows = ItemDAO.observeWindow(home, at: .around(all[15]), size: 4).makeAsyncIterator()
    #expect(try await windows.next()?.offset == 13)
    try await ItemDAO.delete(home, [all[0].id])
    let next = try await windows.next()
    #expect(next?.offset == 12 && next?.items == Array(all[13..<17]) && next?.total == 29)
  }
}

extension ItemWindow {
  fileprivate static let none = ItemWindow(items: [], offset: 0, total: 0)
}
