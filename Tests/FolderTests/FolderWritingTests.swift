import FerryKernel
import FerryStore
import FolderDomain
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Writing folders` {
  let desk: FolderDesk
  var home: AccountStore { desk.home }

  /// `a` with `a1` and `a2` in it, and `b`.
  init() throws {
    desk = try FolderDesk()
    try desk.serve([
      try folder("a", order: 1), try folder("b", order: 2), try folder("a1", order: 1, in: "a"),
      try folder("a2", order: 2, in: "a"),
    ])
  }

  private func names(in parent: String? = nil) async throws -> [String] {
    try await FolderDAO.list(home, in: parent.map(folderID)).map(\.name)
  }

  private func outbox(_ account: AccountStore) throws -> Set<String> {
    Set(try account.blockingRead { try $0.outbox().map(\.key) })
  }

  @Test func `create makes the last one of its parent, in one commit`() async throws {
    let sets = try await desk.commits(home) {
      try await FolderDAO.create(home, folderID("new"), name: "  Neu ", type: .archived, in: folderID("a"))
    }
    #expect(sets.map(\.changes.count) == [1])
    let new = try #require(try await FolderDAO.find(home, folderID("new")))
    #expect((new.name, new.type, new.sortOrder) == ("Neu", .archived, 3))
    #expect(try await names(in: "a") == ["a1", "a2", "Neu"])
    #expect(try outbox(home).contains("new"))
    #expect(try await FolderDAO.find(desk.work, folderID("new")) == nil)
  }

  @Test func `create where the largest order is taken numbers the others anew`() async throws {
    let last = try folder("last", order: .max, in: "b")
    let middle = try folder("middle", order: 5, in: "b")
    try desk.serve([last, middle])
    try await FolderDAO.create(home, folderID("new"), name: "new", in: folderID("b"))
    #expect(try await names(in: "b") == ["middle", "last", "new"])
  }

  @Test func `create refuses a name of nothing, a parent that is gone, and a key that is taken`() async throws
  {
    try await desk.refuses(FolderError.emptyName) {
      try await FolderDAO.create(home, folderID("n"), name: " \n\u{3000}")
    }
    try await desk.refuses(FolderError.noFolder(folderID("gone"))) {
      try await FolderDAO.create(home, folderID("n"), name: "n", in: folderID("gone"))
    }
    try await desk.refuses(StoreError.duplicateKey(table: "folder", key: "a")) {
      try await FolderDAO.create(home, folderID("a"), name: "n")
    }
  }

  @Test func `rename changes the name alone, in one commit, and sends it`() async throws {
    let inner = Folder(
      id: try folderID("c"), name: "old", type: .unknown("smart"), sortOrder: 7, parent: try folderID("a"))
    try desk.serve([inner])
    var old: [Folder] = []
    let sets = try await desk.commits(home) {
      old = try await FolderDAO.rename(home, inner.id, to: "a\u{301}")
    }
    #expect(sets.map(\.changes.count) == [1])
    #expect(differences(old, [inner]) == [])
    var expected = inner
    expected.name = "a\u{301}"
    #expect(differences([try await FolderDAO.find(home, inner.id)].compactMap(\.self), [expected]) == [])
    #expect(try outbox(home).contains("c"))
    #expect(differences([try await FolderDAO.find(desk.work, inner.id)].compactMap(\.self), [inner]) == [])
    #expect(try outbox(desk.work).isEmpty)
  }

  @Test func `rename to the same name is no event and sends nothing`() async throws {
    let sets = try await desk.commits(home) {
      let changed = try await FolderDAO.rename(home, folderID("a"), to: "a")
      #expect(changed.isEmpty)
    }
    #expect(sets.isEmpty)
    #expect(try !outbox(home).contains("a"))
  }

  @Test func `rename refuses a folder that the account hasn't, also where another has it`() async throws {
    try await desk.work.write { _ = try $0.insert(try folder("theirs")) }
    try await desk.refuses(FolderError.noFolder(folderID("theirs"))) {
      try await FolderDAO.rename(home, folderID("theirs"), to: "mine")
    }
    try await desk.refuses(FolderError.emptyName) { try await FolderDAO.rename(home, folderID("a"), to: "") }
  }

  @Test func `move takes a folder with what lies in it, as the last one or where it is said`() async throws {
    let sets = try await desk.commits(home) {
      try await FolderDAO.move(home, folderID("a"), to: folderID("b"))
    }
    #expect(sets.map(\.changes.count) == [1])
    #expect(try await FolderDAO.tree(home).path(to: folderID("a2")).map(\.name) == ["b", "a", "a2"])
    try await FolderDAO.move(home, folderID("a2"), to: folderID("b"), at: 0)
    #expect(try await names(in: "b") == ["a2", "a"])
    try await FolderDAO.move(home, folderID("a1"), to: nil, at: 0)
    #expect(try await names() == ["a1", "b"])
    try await FolderDAO.move(home, folderID("a1"), to: nil, at: 99)
    #expect(try await names() == ["b", "a1"])
    try await FolderDAO.move(home, folderID("a1"), to: nil, at: -1)
    #expect(try await names() == ["a1", "b"])
    #expect(try desk.all(desk.work).map(\.parent) == [nil, folderID("a"), folderID("a"), nil])
  }

  @Test func `move to where it is already is no event`() async throws {
    let sets = try await desk.commits(home) {
      let top = try await FolderDAO.move(home, folderID("b"), to: nil)
      let inner = try await FolderDAO.move(home, folderID("a2"), to: folderID("a"))
      #expect(top + inner == [])
    }
    #expect(sets.isEmpty)
  }

  @Test func `move refuses a circle by name, and folders that aren't there`() async throws {
    try await desk.refuses(FolderError.intoItself(folderID("a"), into: folderID("a"))) {
      try await FolderDAO.move(home, folderID("a"), to: folderID("a"))
    }
    try await desk.refuses(FolderError.intoItself(folderID("a"), into: folderID("a1"))) {
      try await FolderDAO.move(home, folderID("a"), to: folderID("a1"))
    }
    try await desk.refuses(FolderError.noFolder(folderID("x"))) {
      try await FolderDAO.move(home, folderID("x"), to: nil)
    }
    try await desk.refuses(FolderError.noFolder(folderID("x"))) {
      try await FolderDAO.move(home, folderID("a"), to: folderID("x"))
    }
  }

  @Test func `move brings an orphan, and what two devices moved into each other, to the top for good`()
    async throws
  {
    try desk.serve([
      try folder("lost", order: 8, in: "gone"), try folder("c", order: 3, in: "d"),
      try folder("d", order: 4, in: "c"), try folder("e", order: 1, in: "c"),
    ])
    // Where a person sees it already.
    try await FolderDAO.move(home, folderID("lost"), to: nil)
    #expect(try await FolderDAO.find(home, folderID("lost"))?.parent == nil)
    // Seen as c with e and d in it, where d may well go into e.
    #expect(try await FolderDAO.tree(home).path(to: folderID("d")).map(\.name) == ["c", "d"])
    try await FolderDAO.move(home, folderID("d"), to: folderID("e"))
    #expect(try await FolderDAO.tree(home).path(to: folderID("d")).map(\.name) == ["c", "e", "d"])
    #expect(try await FolderDAO.find(home, folderID("c"))?.parent == nil)
  }

  @Test func `reorder puts those that are named first, in one commit, and writes no more than it must`()
    async throws
  {
    try desk.serve([try folder("c", order: 3), try folder("d", order: 4)])
    let sets = try await desk.commits(home) {
      try await FolderDAO.reorder(home, [folderID("c"), folderID("b")])
    }
    #expect(sets.count == 1)
    #expect(try await names() == ["c", "b", "a", "d"])
    let again = try await desk.commits(home) {
      let changed = try await FolderDAO.reorder(home, [folderID("c"), folderID("b")])
      #expect(changed.isEmpty)
    }
    #expect(again.isEmpty)
    #expect(try await FolderDAO.list(desk.work).map(\.name) == ["a", "b", "c", "d"])
  }

  @Test func `reorder refuses a folder of elsewhere, and one that is named twice`() async throws {
    try await desk.refuses(FolderError.notThere(folderID("a1"), in: nil)) {
      try await FolderDAO.reorder(home, [folderID("b"), folderID("a1")])
    }
    try await desk.refuses(FolderError.notThere(folderID("b"), in: nil)) {
      try await FolderDAO.reorder(home, [folderID("b"), folderID("b")])
    }
  }

  @Test func `restore takes every kind of change back`() async throws {
    let before = try desk.all(home)
    for change: @Sendable (borrowing Transaction<AccountScope>) throws -> [Folder] in [
      { try FolderDAO.rename($0, folderID("a"), to: "other") },
      { try FolderDAO.move($0, folderID("a2"), to: folderID("b"), at: 0) },
      { try FolderDAO.move($0, folderID("b"), to: folderID("a"), at: 0) },
      { try FolderDAO.reorder($0, [folderID("b"), folderID("a")]) },
    ] {
      let old = try await home.write { try change($0) }
      #expect(try desk.all(home) != before)
      #expect(try await !FolderDAO.restore(home, old).isEmpty)
      #expect(differences(try desk.all(home), before) == [])
    }
  }

  @Test func `writes compose into one commit, and all of it goes when a later one is refused`() async throws {
    let sets = try await desk.commits(home) {
      try await home.write { transaction in
        try FolderDAO.create(transaction, folderID("n"), name: "n")
        try FolderDAO.move(transaction, folderID("a1"), to: folderID("n"))
        try FolderDAO.rename(transaction, folderID("n"), to: "m")
      }
    }
    #expect(sets.map(\.changes.count) == [2])
    try await desk.refuses(FolderError.emptyName) {
      try await home.write { transaction in
        try FolderDAO.move(transaction, folderID("a1"), to: nil)
        try FolderDAO.rename(transaction, folderID("n"), to: "")
      }
    }
  }
}
