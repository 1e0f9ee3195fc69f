import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct `A list of items` {
  let desk: ItemDesk
  var home: AccountStore { desk.home }

  init() throws { desk = try ItemDesk() }

  private func titles(_ filter: ItemFilter = ItemFilter(), after last: Item? = nil, limit: Int = 50)
    async throws -> [String]
  {
    let titles = try await ItemDAO.list(home, filter, after: last, limit: limit).map(\.title)
    // A count takes no limit, and no place to begin.
    if last == nil, limit == 50 { #expect(try await ItemDAO.count(home, filter) == titles.count) }
    return titles
  }

  @Test func `has the newest first, no more than asked for, equal ones by key`() async throws {
    let items = [
      try item("a", at: 1, in: "in"), try item("b", at: 3, in: "in"), try item("c", at: 2, in: "in"),
      try item("d", at: 2, in: "in"), try item("e", at: 9, in: "out"),
    ]
    try desk.serve(folders: ["in", "out"], items)
    let inbox = ItemFilter(in: .folder(try folderID("in")))
    #expect(try await titles(inbox) == ["b", "d", "c", "a"])
    #expect(try await titles(inbox, limit: 1) == ["b"])
    #expect(try await titles(inbox, limit: 0) == [])
    #expect(try await titles(inbox, limit: -1) == [])
    #expect(try await titles() == ["e", "b", "d", "c", "a"])
  }

  @Test func `goes on after an item that is gone by then, and newer ones shift nothing`() async throws {
    let items = try (0..<10).map { try item("\($0)", at: Int64($0 / 3), in: "in") }
    try desk.serve(folders: ["in"], items)
    let inbox = ItemFilter(in: .folder(try folderID("in")))
    let first = try await ItemDAO.list(home, inbox, limit: 4)
    #expect(first.map(\.title) == ["9", "8", "7", "6"])
    try await ItemDAO.delete(home, [try #require(first.last).id])
    try await home.write { _ = try $0.insert(try item("new", at: 99, in: "in")) }
    #expect(try await titles(inbox, after: first.last, limit: 4) == ["5", "4", "3", "2"])
  }

  @Test func `of the unfiled ones has those whose folder is gone, page by page`() async throws {
    print("FERRY_SEED=\(ItemDesk.seed)")
    var random = SplitMix64(seed: ItemDesk.seed)
    let places = [nil, "in", "gone", "also gone", "\u{0}", "한글"]
    let items = try (0..<200).map { index in
      // Some at the end of time, as what lies beyond it becomes.
      let time: Int64 = Bool.random(using: &random) ? .max : .random(in: 0...50, using: &random)
      return try item("\(index)", at: time, in: places.randomElement(using: &random) ?? nil)
    }
    try desk.serve(folders: ["in"], items)
    let expected = items.filter { $0.folder?.rawValue != "in" }.sorted { (left: Item, right: Item) in
      if left.updatedAt == right.updatedAt { return left.id.rawValue > right.id.rawValue }
      return left.updatedAt > right.updatedAt
    }
    let unfiled = ItemFilter(in: .unfiled)
    #expect(try await ItemDAO.list(home, unfiled, limit: 1000).map(\.title) == expected.map(\.title))
    #expect(try await ItemDAO.count(home, unfiled) == expected.count)
    var paged: [Item] = []
    while paged.count < 1000 {
      let page = try await ItemDAO.list(home, unfiled, after: paged.last, limit: 17)
      if page.isEmpty { break }
      paged += page
    }
    #expect(differences(paged, expected) == [])
    // Once the folder is there, they lie in it.
    let found = Folder(id: try folderID("gone"), name: "", type: .primary, sortOrder: 0, parent: nil)
    try await home.write { _ = try $0.insert(found) }
    let left = expected.filter { $0.folder != found.id }
    #expect(try await ItemDAO.list(home, unfiled, limit: 1000).map(\.title) == left.map(\.title))
  }

  @Test func `takes unread, starred and tagged ones, and whatever condition comes from elsewhere`()
    async throws
  {
    try desk.serve(
      folders: ["in"],
      [
        try item("a", at: 1, in: "in", isRead: true, isStarred: true, tags: ["x"]),
        try item("b", at: 2, in: "in", isStarred: false, tags: ["x", "y"]),
        try item("c", at: 3, in: "in", isRead: true), try item("d", at: 4, isStarred: true, tags: ["y"]),
      ])
    let inbox = ItemFilter.Place.folder(try folderID("in"))
    #expect(try await titles(ItemFilter(isRead: false)) == ["d", "b"])
    #expect(try await titles(ItemFilter(isRead: true)) == ["c", "a"])
    #expect(try await titles(ItemFilter(in: inbox, isRead: false)) == ["b"])
    #expect(try await titles(ItemFilter(isStarred: true)) == ["d", "a"])
    #expect(try await titles(ItemFilter(isStarred: false)) == ["c", "b"])
    #expect(try await titles(ItemFilter(in: .unfiled, isStarred: true)) == ["d"])
    #expect(try await titles(ItemFilter(tags: ["x"])) == ["b", "a"])
    #expect(try await titles(ItemFilter(tags: ["x", "y"])) == ["b"])
    #expect(try await titles(ItemFilter(in: inbox, isRead: true, isStarred: true, tags: ["x"])) == ["a"])
    #expect(try await titles(ItemFilter(tags: ["z"])) == [])
    #expect(try await titles(ItemFilter(in: inbox).and { $0.title.starts(with: "c") }) == ["c"])
    #expect(try await titles(ItemFilter(isRead: true).and { $0.title != "a" }.and { $0.title != "c" }) == [])
  }

  @Test func `finds a tag however its letters are composed`() async throws {
    let tags = ["\u{e9}t\u{e9}", "e\u{301}te\u{301}", "\u{1112}\u{1161}\u{11ab}", "한"]
    try desk.serve(try tags.enumerated().map { try item("\($0)", at: Int64($0), tags: [$1]) })
    #expect(try await titles(ItemFilter(tags: [tags[0]])) == ["1", "0"])
    #expect(try await titles(ItemFilter(tags: [tags[1]])) == ["1", "0"])
    #expect(try await titles(ItemFilter(tags: [tags[2]])) == ["3", "2"])
    #expect(try await titles(ItemFilter(tags: [tags[3], tags[0]])) == [])
  }

  @Test func `has nothing of another account, whichever way it is asked`() async throws {
    let theirs = [
      try item("a", in: "in", isStarred: true, tags: ["x"]), try item("b", in: "gone"), try item("c"),
    ]
    try await desk.work.write { _ = try $0.insert(theirs) }
    let filters = [
      ItemFilter(), ItemFilter(in: .unfiled), ItemFilter(in: .folder(try folderID("in"))),
      ItemFilter(isRead: false), ItemFilter(isStarred: true), ItemFilter(tags: ["x"]),
    ]
    for filter in filters {
      #expect(try await titles(filter) == [])
      #expect(try await ItemDAO.search(home, "a", filter).isEmpty)
      #expect(try await home.read { try ItemDAO.ids($0, filter) }.isEmpty)
    }
    #expect(try await ItemDAO.find(home, itemID("a")) == nil)
    #expect(try await FolderDAO.counts(home).total == FolderCounts.Count())
    #expect(try await ItemDAO.find(desk.work, itemID("a")) == theirs[0])
    #expect(try await ItemDAO.count(desk.work) == 3)
  }

  @Test func `counts by folder: all, unread, and those that lie in none`() async throws {
    try desk.serve(
      folders: ["in", "out"],
      [
        try item("a", in: "in"), try item("b", in: "in", isRead: true), try item("c", in: "in"),
        try item("d"), try item("e", in: "gone", isRead: true), try item("f", in: "gone"),
      ])
    try await desk.work.write { _ = try $0.insert(try item("g", in: "in")) }
    let counts = try await FolderDAO.counts(home)
    #expect(try counts[folderID("in")] == FolderCounts.Count(all: 3, unread: 2))
    #expect(try counts[folderID("out")] == FolderCounts.Count(all: 0, unread: 0))
    #expect(try counts[folderID("gone")] == FolderCounts.Count(all: 0, unread: 0))
    #expect(counts.unfiled == FolderCounts.Count(all: 3, unread: 2))
    #expect(counts.total == FolderCounts.Count(all: 6, unread: 4))
  }
}
