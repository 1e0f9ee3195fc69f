import FerryKernel
import FerryStore
import TestKit
import Testing

/// Several accounts in one crossing.
@Suite struct AccountTests {
  private func rows(_ who: String) -> LibraryRows {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("shelf of \(who)")]]
    rows.books = [
      LibraryRows.book(1, "book of \(who)"), LibraryRows.book(2, "unsent of \(who)", isUnsent: true),
    ]
    rows.notes = [[.integer(1), .text("note of \(who)")], [.integer(-1), .text("bad note of \(who)")]]
    rows.lines = [[.integer(1), .text("line of \(who)")]]
    return rows
  }

  @Test("Rows with equal keys of two users, or of one user name on two servers, never mix")
  func neverMix() async throws {
    let accounts = [
      LibraryRows.bob, LibraryRows.alice, try AccountID(server: "home2", user: "alice"),
    ]
    var rig = try LibraryRig(MemoryLegacySource(accounts.map { ($0, rows("\($0)").classes) }))
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep)
      .replacing(Library.shelfStep, with: Library.shelfStep.replacing("resync", with: "copy"))
    let report = try await rig.cross()
    for account in accounts {
      #expect(try rig.all(Shelf.self, of: account).map(\.name) == ["shelf of \(account)"])
      #expect(
        try rig.all(Book.self, of: account).map(\.title) == ["book of \(account)", "unsent of \(account)"])
      #expect(try rig.all(Note.self, of: account).map(\.text) == ["note of \(account)"])
      #expect(try report.tally("note", of: account).outcomes == "2 read, 1 written, 1 quarantined")
      let aside = try rig.quarantine().filter { $0.account == account.description }
      #expect(aside.map(\.id) == ["book/\(account)/note/1"])
      #expect(aside.allSatisfy { $0.content.contains("bad note of \(account)") })
    }
    let lines = try rig.read { try $0.fetch(DiaryLine.all) }
    #expect(Set(lines.map(\.text)) == Set(accounts.map { "line of \($0)" }))
  }

  @Test("An account that has crossed in part isn't left behind with the rest")
  func goneHalfway() async throws {
    let both = MemoryLegacySource([
      (LibraryRows.alice, rows("alice").classes), (LibraryRows.bob, rows("bob").classes),
    ])
    var rig = try LibraryRig(both)
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep)
      .replacing(Library.shelfStep, with: Library.shelfStep.replacing("resync", with: "copy"))
    let whole = rig.roadmap
    rig.roadmap = whole.replacing("- domain: book\n", with: "- domain: book\n    enabled: false\n")
    #expect(try await !rig.cross().isOver)
    rig.roadmap = whole
    rig.source = MemoryLegacySource([(LibraryRows.alice, rows("alice").classes)])
    await #expect(throws: KernelError.missingAccount(LibraryRows.bob, domain: "book")) {
      try await rig.cross()
    }
    #expect(try rig.all(Book.self).isEmpty)
    rig.source = both
    #expect(try await rig.cross().isOver)
    #expect(try rig.all(Book.self, of: LibraryRows.bob).count == 2)
  }

  @Test("A server isn't asked for rows of an account that is signed out, and nobody is shut out for it")
  func signedOut() async throws {
    var rig = try LibraryRig(
      MemoryLegacySource([
        (LibraryRows.alice, rows("alice").classes), (LibraryRows.bob, rows("bob").classes),
      ]))
    // Shelves are copied here, and books come from the server.
    rig.roadmap = Library.roadmap.replacing(
      Library.shelfStep, with: Library.shelfStep.replacing("resync", with: "copy"))
    let whole = rig.roadmap
    rig.roadmap = whole.replacing("- domain: book\n", with: "- domain: book\n    enabled: false\n")
    try await rig.cross()
    let store = try rig.open()
    try store.device.blockingWrite(origin: .crossing) { try $0.signOut(LibraryRows.bob) }
    await store.close()
    rig.roadmap = whole
    let journal = try rig.read { try $0.fetch(JournalEntry.all) }
    let refusal = KernelError.signedOut(LibraryRows.bob, domain: "book")
    #expect(throws: refusal) {
      try rig.plan().check(before: journal, rig.source, accounts: rig.read { try $0.accounts() })
    }
    await #expect(throws: refusal) { try await rig.cross() }
    #expect(try rig.read { try $0.fetch(JournalEntry.all) } == journal)
    #expect(try rig.read { try $0.gateReason() } == nil)
    let again = try rig.open()
    try again.device.blockingWrite(origin: .crossing) { try $0.signIn(LibraryRows.bob) }
    await again.close()
    #expect(try await rig.cross().isOver)
  }

  @Test("What waits to be pushed, and what the server sends, stays with its account")
  func outboxAndRefill() async throws {
    let rig = try LibraryRig(
      MemoryLegacySource([
        (LibraryRows.alice, rows("alice").classes), (LibraryRows.bob, LibraryRows().classes),
      ]))
    rig.remote.put("shelves", LibraryRows.alice, "i1", ["name": "a"])
    rig.remote.put("shelves", LibraryRows.bob, "i1", ["name": "b"])
    try await rig.cross()
    #expect(try rig.outbox().map(\.key) == ["i2"])
    #expect(try rig.outbox(of: LibraryRows.bob).isEmpty)
    #expect(try rig.all(Shelf.self).map(\.name) == ["a"])
    #expect(try rig.all(Shelf.self, of: LibraryRows.bob).map(\.name) == ["b"])
  }

  @Test("Accounts cross in the order of their files, and the first becomes the active one")
  func order() async throws {
    let rig = try LibraryRig(
      MemoryLegacySource([(LibraryRows.bob, rows("bob").classes), (LibraryRows.alice, rows("alice").classes)])
    )
    let report = try await rig.cross()
    #expect(
      rig.remote.requests == [
        "shelves bob@home -", "shelves alice@home -", "books bob@home -", "books alice@home -",
      ])
    #expect(report.tallies.filter { $0.entity == "book" }.map(\.account) == ["bob@home", "alice@home"])
    #expect(try rig.read { try $0.accounts() }.map(\.isActive) == [true, false])
  }

  @Test("An account that comes after a domain was done is refused by name, and nothing is written")
  func lateAccount() async throws {
    var rig = try LibraryRig(rows("alice").source())
    try await rig.cross()
    let before = try rig.dump()
    rig.source = MemoryLegacySource([
      (LibraryRows.alice, rows("alice").classes), (LibraryRows.bob, rows("bob").classes),
    ])
    await #expect(throws: KernelError.lateAccount(LibraryRows.bob, domain: "book")) { try await rig.cross() }
    #expect(try rig.dump() == before)
  }

  @Test("An account that comes while the first domain is under way crosses with the others")
  func accountUnderWay() async throws {
    var rig = try LibraryRig(rows("alice").source())
    try await rig.cross(until: "shelf: restored")
    rig.source = MemoryLegacySource([
      (LibraryRows.alice, rows("alice").classes), (LibraryRows.bob, rows("bob").classes),
    ])
    let report = try await rig.cross()
    #expect(report.isOver)
    #expect(try report.tally("shelf", of: LibraryRows.bob).read == 1)
    #expect(try rig.all(Note.self, of: LibraryRows.bob).map(\.text) == ["note of bob"])
  }

  @Test("A crossing without any legacy file is refused instead of being over at once")
  func noFiles() async throws {
    let rig = try LibraryRig(MemoryLegacySource([]))
    await #expect(throws: KernelError.noLegacyFiles) { try await rig.cross() }
    #expect(try rig.read { try $0.fetch(JournalEntry.all) }.isEmpty)
  }

  @Test("Two users whose names differ in their canonical form only are two accounts")
  func canonicalForms() async throws {
    let accounts = [
      try AccountID(server: "home", user: "caf\u{e9}"), try AccountID(server: "home", user: "cafe\u{301}"),
    ]
    let rig = try LibraryRig(MemoryLegacySource(accounts.map { ($0, rows("\($0)").classes) }))
    let report = try await rig.cross()
    #expect(report.tallies.filter { $0.entity == "note" }.count == 2)
    for account in accounts {
      let texts = try rig.all(Note.self, of: account).map { Array($0.text.utf8) }
      #expect(texts == [Array("note of \(account)".utf8)])
    }
  }
}
