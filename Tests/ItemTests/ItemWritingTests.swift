import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Writing items` {
  let desk: ItemDesk
  var home: AccountStore { desk.home }

  init() throws {
    desk = try ItemDesk()
    try desk.serve(
      folders: ["in", "out"],
      [
        try item("a", in: "in", tags: ["x"]), try item("b", in: "in", isRead: true, isStarred: true),
        try item("c", in: "out", isStarred: false), try item("d", in: "gone", tags: ["y", "x", "z"]),
      ])
  }

  /// A write, what it must change, and what it leaves alone.
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let ids: [String]
    let changed: [String]
    let write: @Sendable (borrowing Transaction<AccountScope>, [ItemID]) throws -> ItemChange
    let expected: @Sendable (inout Item) -> Void
  }

  static let cases = [
    Case(description: "mark as read", ids: ["a", "b", "c", "absent", "a"], changed: ["a", "c"]) {
      try ItemDAO.mark($0, $1, isRead: true)
    } expected: {
      $0.isRead = true
    },
    Case(description: "mark as unread", ids: ["a", "b"], changed: ["b"]) {
      try ItemDAO.mark($0, $1, isRead: false)
    } expected: {
      $0.isRead = false
    },
    Case(description: "star", ids: ["a", "b", "c"], changed: ["a", "c"]) {
      try ItemDAO.star($0, $1, isStarred: true)
    } expected: {
      $0.isStarred = true
    },
    // Of `a` the server never said whether it is; nobody needs to tell it that it isn't.
    Case(description: "unstar", ids: ["a", "b", "c"], changed: ["b"]) {
      try ItemDAO.star($0, $1, isStarred: false)
    } expected: {
      $0.isStarred = false
    },
    Case(description: "tag", ids: ["a", "b", "d"], changed: ["b"]) {
      try ItemDAO.tag($0, $1, " x ")
    } expected: {
      $0.tags.append("x")
    },
    Case(description: "untag", ids: ["a", "b", "d"], changed: ["a", "d"]) {
      try ItemDAO.untag($0, $1, "x")
    } expected: {
      $0.tags.removeAll { $0 == "x" }
    },
    Case(description: "move", ids: ["a", "c", "d"], changed: ["a", "d"]) {
      try ItemDAO.move($0, $1, to: folderID("out"))
    } expected: {
      $0.folder = FolderID("out")
    },
    Case(description: "unfile", ids: ["a", "d"], changed: ["a", "d"]) {
      try ItemDAO.move($0, $1, to: nil)
    } expected: {
      $0.folder = nil
    },
  ]

  @Test(arguments: cases)
  func `Each is one commit of what differs, which is sent, and which undo takes back and makes again`(
    case: Case
  ) async throws {
    let before = try desk.items(home)
    let ids = try `case`.ids.map(itemID)
    let changed = Set(try `case`.changed.map(itemID))
    var change: ItemChange?
    let sets = try await desk.commits(home) {
      change = try await home.write { try `case`.write($0, ids) }
    }
    #expect(sets.map { Set($0.changes.map(\.key)) } == [Set(`case`.changed.map { .text($0) })])
    #expect(Set(try #require(change).ids) == changed)
    #expect(change?.count == changed.count)
    #expect(change?.deleted.isEmpty == true)
    let expected = before.map { item in
      var item = item
      if changed.contains(item.id) { `case`.expected(&item) }
      return item
    }
    #expect(differences(try desk.items(home), expected) == [])
    #expect(try desk.outbox(home) == Set(`case`.changed))
    // The other account has the same keys.
    #expect(differences(try desk.items(desk.work), before) == [])
    #expect(try desk.outbox(desk.work).isEmpty)
    // Once more it is no event.
    let again = try await desk.commits(home) {
      let change = try await home.write { try `case`.write($0, ids) }
      #expect(change.isEmpty)
    }
    #expect(again.isEmpty)
    let undone = try await ItemDAO.undo(home, #require(change))
    #expect(differences(try desk.items(home), before) == [])
    try await ItemDAO.undo(home, undone)
    #expect(differences(try desk.items(home), expected) == [])
  }

  @Test func `delete takes them all in one commit, and undo brings them back`() async throws {
    let before = try desk.items(home)
    var change: ItemChange?
    let sets = try await desk.commits(home) {
      change = try await ItemDAO.delete(home, [itemID("a"), itemID("absent"), itemID("d"), itemID("a")])
    }
    #expect(sets.map(\.changes.count) == [2])
    #expect(change?.ids.map(\.rawValue) == ["a", "d"])
    #expect(change?.deleted == before.filter { ["a", "d"].contains($0.id.rawValue) })
    #expect(try desk.items(home).map(\.title) == ["b", "c"])
    #expect(try await ItemDAO.count(home, ItemFilter(tags: ["x"])) == 0)
    #expect(try desk.outbox(home) == ["a", "d"])
    #expect(differences(try desk.items(desk.work), before) == [])
    // One came back meanwhile, otherwise: it stays as it is.
    let newer = try item("a", at: 7, tags: ["newer"])
    try await home.write(origin: .server) { _ = try $0.insert(newer) }
    let undone = try await ItemDAO.undo(home, #require(change))
    #expect(undone.ids.map(\.rawValue) == ["d"])
    #expect(differences(try desk.items(home), [newer] + before.dropFirst()) == [])
    try await ItemDAO.undo(home, undone)
    #expect(try desk.items(home).map(\.title) == ["a", "b", "c"])
  }

  @Test func `undo gives back what was changed, and not what became of the items since`() async throws {
    let change = try await ItemDAO.mark(home, [itemID("a"), itemID("c")], isRead: true)
    try await ItemDAO.move(home, [itemID("a")], to: folderID("out"))
    try await ItemDAO.delete(home, [itemID("c")])
    try await ItemDAO.undo(home, change)
    let found = try #require(try await ItemDAO.find(home, itemID("a")))
    #expect(!found.isRead)
    #expect(found.folder?.rawValue == "out")
    #expect(try await ItemDAO.find(home, itemID("c")) == nil)
  }

  @Test func `markAll takes what a filter takes, in one commit`() async throws {
    let inbox = ItemFilter(in: .folder(try folderID("in")))
    var change: ItemChange?
    let sets = try await desk.commits(home) {
      change = try await ItemDAO.markAll(home, inbox, isRead: true)
    }
    #expect(sets.map(\.changes.count) == [1])
    #expect(change?.ids.map(\.rawValue) == ["a"])
    #expect(try await ItemDAO.count(home, ItemFilter(isRead: false)) == 2)
    #expect(try await ItemDAO.markAll(home, ItemFilter(isRead: true), isRead: true).isEmpty)
    #expect(try await ItemDAO.markAll(home, ItemFilter(isRead: false), isRead: true).count == 2)
    #expect(try await ItemDAO.count(desk.work, ItemFilter(isRead: false)) == 3)
  }

  @Test func `move refuses a folder that the account hasn't, also where another has it`() async throws {
    let theirs = Folder(id: try folderID("theirs"), name: "", type: .primary, sortOrder: 0, parent: nil)
    try await desk.work.write { _ = try $0.insert(theirs) }
    for id in ["theirs", "gone"] {
      try await desk.refuses(ItemError.noFolder(folderID(id))) {
        try await ItemDAO.move(home, [itemID("a")], to: folderID(id))
      }
    }
  }

  @Test func `tag refuses a tag of nothing, and takes one that is written otherwise for the same`()
    async throws
  {
    try await desk.refuses(ItemError.emptyTag) { try await ItemDAO.tag(home, [itemID("a")], " \n") }
    #expect(try await ItemDAO.tag(home, [itemID("a")], "e\u{301}").count == 1)
    #expect(try await ItemDAO.tag(home, [itemID("a")], "\u{e9}").isEmpty)
    #expect(try await ItemDAO.untag(home, [itemID("a")], "e\u{301}").count == 1)
    #expect(try await ItemDAO.find(home, itemID("a"))?.tags == ["x"])
  }

  @Test func `what composes is one commit, or none where a later part is refused`() async throws {
    let sets = try await desk.commits(home) {
      try await home.write { transaction in
        let ids = try ItemDAO.ids(transaction, ItemFilter(in: .folder(folderID("in"))))
        try ItemDAO.tag(transaction, ids, "done")
        try ItemDAO.move(transaction, ids, to: folderID("out"))
      }
    }
    #expect(sets.map(\.changes.count) == [2])
    try await desk.refuses(ItemError.noFolder(folderID("x"))) {
      try await home.write { transaction in
        try ItemDAO.delete(transaction, [itemID("a")])
        try ItemDAO.move(transaction, [itemID("b")], to: folderID("x"))
      }
    }
  }
}
