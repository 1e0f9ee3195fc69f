import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Deleting a folder` {
  let desk: ItemDesk
  var home: AccountStore { desk.home }

  /// `a` with `a1` in it, and `a2` in that; `b`; and items in all of them.
  init() throws {
    desk = try ItemDesk()
    let parents = ["a": nil, "a1": "a", "a2": "a1", "b": nil]
    let folders = try parents.map { id, parent in
      Folder(
        id: try folderID(id), name: id, type: .primary, sortOrder: 0, parent: try parent.map(folderID))
    }
    for account in [desk.home, desk.work] {
      try account.blockingWrite(origin: .server) { _ = try $0.insert(folders) }
    }
    try desk.serve([
      try item("1", in: "a"), try item("2", in: "a1", isRead: true), try item("3", in: "a2"),
      try item("4", in: "b"), try item("5"),
    ])
  }

  private func picture(_ account: AccountStore) async throws -> [String] {
    let (tree, items) = (try await FolderDAO.tree(account), try desk.items(account))
    return tree.branches.map { branch in
      let inside = items.filter { $0.folder == branch.folder.id }.map(\.title).joined()
      return String(repeating: " ", count: branch.depth) + branch.folder.name + ":" + inside
    } + ["-:" + items.filter { $0.folder == nil }.map(\.title).joined()]
  }

  @Test func `takes what lies in it, however deep, in one commit, and restore brings all of it back`()
    async throws
  {
    let before = try await picture(home)
    #expect(before == ["a:1", " a1:2", "  a2:3", "b:4", "-:5"])
    var deletion: FolderDeletion?
    let sets = try await desk.commits(home) {
      deletion = try await FolderDAO.delete(home, folderID("a"), .delete)
    }
    #expect(sets.map(\.changes.count) == [6])
    #expect(try await picture(home) == ["b:4", "-:5"])
    #expect(try desk.outbox(home) == ["a", "a1", "a2", "1", "2", "3"])
    #expect(try await picture(desk.work) == before)
    #expect(deletion?.folders.map(\.name) == ["a", "a1", "a2"])
    #expect(deletion?.items.deleted.map(\.title) == ["1", "2", "3"])
    let restored = try await desk.commits(home) { try await FolderDAO.restore(home, #require(deletion)) }
    #expect(restored.count == 1)
    #expect(try await picture(home) == before)
    #expect(try desk.content().count == 18)
  }

  @Test func `first moves what lies in it where that is said`() async throws {
    let before = try await picture(home)
    var deletion: FolderDeletion?
    let sets = try await desk.commits(home) {
      deletion = try await FolderDAO.delete(home, folderID("a"), .move(to: folderID("b")))
    }
    #expect(sets.map(\.changes.count) == [3])
    #expect(try await picture(home) == ["b:14", " a1:2", "  a2:3", "-:5"])
    try await FolderDAO.restore(home, #require(deletion))
    #expect(try await picture(home) == before)
    try await FolderDAO.delete(home, folderID("a1"), .move(to: nil))
    #expect(try await picture(home) == ["a:1", "b:4", "a2:3", "-:25"])
    try await FolderDAO.delete(home, folderID("b"), .move(to: folderID("a")))
    #expect(try await picture(home) == ["a:14", "a2:3", "-:25"])
    #expect(try await picture(desk.work) == before)
  }

  @Test func `refuses to move what it holds into what goes, or to nowhere`() async throws {
    for target in ["a", "a1", "a2"] {
      try await desk.refuses(ItemError.movedIntoDeleted(folderID(target), folder: folderID("a"))) {
        try await FolderDAO.delete(home, folderID("a"), .move(to: folderID(target)))
      }
    }
    try await desk.refuses(ItemError.noFolder(folderID("x"))) {
      try await FolderDAO.delete(home, folderID("a"), .move(to: folderID("x")))
    }
    try await desk.refuses(FolderError.noFolder(folderID("x"))) {
      try await FolderDAO.delete(home, folderID("x"), .delete)
    }
  }

  @Test func `composes: a refusal afterwards leaves all of it`() async throws {
    try await desk.refuses(ItemError.emptyTag) {
      try await home.write { transaction in
        try FolderDAO.delete(transaction, folderID("a"), .delete)
        try ItemDAO.tag(transaction, [itemID("4")], "")
      }
    }
  }
}
