import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Drafts` {
  let desk: ItemDesk
  var home: AccountStore { desk.home }
  var work: AccountStore { desk.work }
  let id: DraftID

  init() throws {
    desk = try ItemDesk()
    id = try draftID("d")
    try desk.serve(folders: ["in"], [try item("a", in: "in")])
  }

  private func time(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }

  private func draft(_ title: String, id: DraftID? = nil, at time: Int64 = 1) -> Draft {
    Draft(
      id: id ?? self.id, item: nil, title: title, body: "", createdAt: Timestamp(nanoseconds: 1),
      updatedAt: Timestamp(nanoseconds: time))
  }

  @Test func `list gives the draft worked on last first, an account's alone`() async throws {
    for time in [2, 3, 1] as [Int64] {
      try await DraftDAO.save(home, draft("\(time)", id: DraftID("\(time)"), at: time))
    }
    #expect(try await DraftDAO.list(home).map(\.title) == ["3", "2", "1"])
    let first = try await DraftDAO.list(home, limit: 1)
    #expect(first.map(\.title) == ["3"])
    #expect(try await DraftDAO.list(home, after: first.last, limit: 1).map(\.title) == ["2"])
    #expect(try await DraftDAO.list(work).isEmpty)
    #expect(try await DraftDAO.find(work, draftID("1")) == nil)
  }

  @Test func `create begins one, perhaps about an item, and not over another one`() async throws {
    let sets = try await desk.commits(home) {
      try await DraftDAO.create(home, id, about: itemID("a"), title: "Re", body: "Hm", at: time(5))
    }
    #expect(sets.map(\.changes.count) == [1])
    let expected = Draft(
      id: id, item: try itemID("a"), title: "Re", body: "Hm", createdAt: time(5), updatedAt: time(5))
    #expect(try await DraftDAO.find(home, id) == expected)
    try await desk.refuses(StoreError.duplicateKey(table: "draft", key: "d")) {
      try await DraftDAO.create(home, id, at: time(6))
    }
    try await DraftDAO.create(work, id, title: "theirs", at: time(6))
    #expect(try await DraftDAO.find(home, id) == expected)
  }

  @Test func `write goes over what was there, and the same text again is no event`() async throws {
    try await DraftDAO.create(home, id, about: itemID("a"), title: "1", at: time(5))
    try await DraftDAO.create(work, id, title: "theirs", at: time(5))
    let sets = try await desk.commits(home) {
      try await DraftDAO.write(home, id, title: "2", body: "more", at: time(6))
      try await DraftDAO.write(home, id, title: "2", body: "more", at: time(7))
    }
    #expect(sets.map(\.changes.count) == [1])
    #expect(
      try await DraftDAO.list(home) == [
        Draft(
          id: id, item: itemID("a"), title: "2", body: "more", createdAt: time(5), updatedAt: time(6))
      ])
    // A text that Swift takes for the same is another one to whoever wrote it.
    for title in ["\u{e9}", "e\u{301}"] {
      try await DraftDAO.write(home, id, title: title, body: "", at: time(8))
      #expect(try await DraftDAO.find(home, id)?.title.utf8.elementsEqual(title.utf8) == true)
    }
    #expect(try await DraftDAO.list(work).map(\.title) == ["theirs"])
  }

  @Test func `an autosave that is late doesn't bring back what was discarded or promoted`() async throws {
    try await DraftDAO.create(home, id, title: "1", at: time(5))
    try await DraftDAO.create(work, id, title: "theirs", at: time(5))
    try await DraftDAO.discard(home, id)
    try await desk.refuses(ItemError.noDraft(id)) {
      try await DraftDAO.write(home, id, title: "2", body: "", at: time(6))
    }
  }

  @Test func `discard gives the draft back for whoever didn't mean to`() async throws {
    try await DraftDAO.save(home, draft("home"))
    try await DraftDAO.save(work, draft("work"))
    var discarded: Draft?
    let sets = try await desk.commits(home) { discarded = try await DraftDAO.discard(home, id) }
    #expect(sets.map(\.changes.count) == [1])
    #expect(discarded == draft("home"))
    let again = try await desk.commits(home) {
      let none = try await DraftDAO.discard(home, id)
      #expect(none == nil)
    }
    #expect(again.isEmpty)
    #expect(try await DraftDAO.list(work).map(\.title) == ["work"])
    try await DraftDAO.save(home, #require(discarded))
    #expect(try await DraftDAO.list(home) == [draft("home")])
    #expect(try desk.outbox(home).isEmpty)
  }

  @Test func `promote makes an item of one in one commit, and sends it`() async throws {
    try await DraftDAO.create(home, id, title: " Plan ", body: "One.\nTwo.", at: time(5))
    try await DraftDAO.create(work, id, title: "theirs", at: time(5))
    let sets = try await desk.commits(home) {
      try await DraftDAO.promote(home, id, to: itemID("new"), in: folderID("in"), at: time(9))
    }
    #expect(sets.map(\.changes.count) == [2])
    let expected = Item(
      id: try itemID("new"), remoteID: nil, folder: try folderID("in"), title: "Plan",
      preview: "One.\nTwo.", isRead: true, isStarred: nil, updatedAt: time(9), score: nil, tags: [])
    #expect(try await ItemDAO.find(home, expected.id) == expected)
    #expect(try await ItemDAO.search(home, "two").map(\.record.id) == [expected.id])
    #expect(try await DraftDAO.list(home).isEmpty)
    #expect(try desk.outbox(home) == ["new"])
    #expect(try await DraftDAO.list(work).map(\.title) == ["theirs"])
    #expect(try await ItemDAO.find(work, expected.id) == nil)
  }

  @Test func `promote takes the title from the text where there is none`() async throws {
    try await DraftDAO.create(home, id, title: " ", body: "\n  First line \nSecond", at: time(5))
    let item = try await DraftDAO.promote(home, id, to: itemID("new"), in: nil, at: time(9))
    #expect(item.title == "First line")
    #expect(item.preview == "\n  First line \nSecond")
    #expect(item.folder == nil)
  }

  @Test func `promote refuses what is no item, and leaves the draft`() async throws {
    try await DraftDAO.create(home, id, title: " ", body: "\n", at: time(5))
    try await desk.refuses(ItemError.emptyDraft(id)) {
      try await DraftDAO.promote(home, id, to: itemID("new"), in: nil, at: time(9))
    }
    try await DraftDAO.write(home, id, title: "t", body: "", at: time(6))
    try await desk.refuses(ItemError.noFolder(folderID("gone"))) {
      try await DraftDAO.promote(home, id, to: itemID("new"), in: folderID("gone"), at: time(9))
    }
    try await desk.refuses(StoreError.duplicateKey(table: "item", key: "a")) {
      try await DraftDAO.promote(home, id, to: itemID("a"), in: nil, at: time(9))
    }
    try await desk.refuses(ItemError.noDraft(draftID("none"))) {
      try await DraftDAO.promote(home, draftID("none"), to: itemID("new"), in: nil, at: time(9))
    }
  }

  @Test func `an observer gets them now, and after each commit, an account's alone`() async throws {
    var drafts = DraftDAO.observe(home).makeAsyncIterator()
    #expect(try await drafts.next()?.isEmpty == true)
    try await DraftDAO.create(work, id, title: "theirs", at: time(1))
    try await DraftDAO.create(home, id, title: "mine", at: time(1))
    #expect(try await drafts.next()?.map(\.title) == ["mine"])
    try await DraftDAO.write(home, id, title: "e\u{301}", body: "", at: time(1))
    #expect(try await drafts.next()?.first?.title.utf8.elementsEqual("e\u{301}".utf8) == true)
    try await DraftDAO.promote(home, id, to: itemID("new"), in: nil, at: time(2))
    #expect(try await drafts.next()?.isEmpty == true)
  }
}
