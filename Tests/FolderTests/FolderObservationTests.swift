import FerryKernel
import FerryStore
import FolderDomain
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An observer of folders` {
  let desk: FolderDesk
  var home: AccountStore { desk.home }

  init() throws { desk = try FolderDesk() }

  @Test func `gets tree, list and first now, and after each commit that changes them`() async throws {
    var trees = FolderDAO.observeTree(home).makeAsyncIterator()
    var lists = FolderDAO.observe(home).makeAsyncIterator()
    var firsts = FolderDAO.observeFirst(home).makeAsyncIterator()
    #expect(try await trees.next()?.branches.isEmpty == true)
    #expect(try await lists.next()?.isEmpty == true)
    #expect(try await firsts.next() == .some(nil))
    try await FolderDAO.create(home, folderID("a"), name: "a")
    #expect(try await trees.next()?.branches.map(\.folder.name) == ["a"])
    #expect(try await lists.next()?.map(\.name) == ["a"])
    #expect(try await firsts.next()??.name == "a")
    // Nothing that the list of the top or the first folder would show.
    try await FolderDAO.create(home, folderID("b"), name: "b", in: folderID("a"))
    #expect(try await trees.next()?.branches.map(\.depth) == [0, 1])
    try await FolderDAO.rename(home, folderID("a"), to: "á")
    #expect(try await lists.next()?.map(\.name) == ["á"])
    #expect(try await firsts.next()??.name == "á")
  }

  @Test func `sees another account's folders of the same keys never`() async throws {
    try await FolderDAO.create(home, folderID("a"), name: "mine")
    var lists = FolderDAO.observe(home).makeAsyncIterator()
    #expect(try await lists.next()?.map(\.name) == ["mine"])
    try await FolderDAO.create(desk.work, folderID("a"), name: "theirs")
    try await FolderDAO.create(desk.work, folderID("b"), name: "theirs")
    try await FolderDAO.rename(home, folderID("a"), to: "mine still")
    #expect(try await lists.next()?.map(\.name) == ["mine still"])
  }

  @Test func `sees a difference that Swift's strings don't`() async throws {
    try await FolderDAO.create(home, folderID("a"), name: "\u{e9}")
    var trees = FolderDAO.observeTree(home).makeAsyncIterator()
    _ = try await trees.next()
    try await FolderDAO.rename(home, folderID("a"), to: "e\u{301}")
    let name = try await trees.next()?.branches.first?.folder.name
    #expect(name?.utf8.elementsEqual("e\u{301}".utf8) == true)
  }
}
