import FerryKernel
import FerryStore
import TestKit
import Testing

/// Rows in quarantine that are tried again, or let go.
@Suite struct `A row in quarantine` {
  /// Notes as a build has them that takes a key of -1 for one.
  private static let lenient: [Domain] = Library.domains().map { domain in
    guard domain.name == "book" else { return domain }
    let note = Crossing("note", Note.self, fields: LegacyField<LegacyKey>("id"), LegacyField<String>("text"))
    {
      key, text in
      guard let id = NoteID("mended-\(key.plainText)") else { throw RowRefusal("no id") }
      return Note(id: id, text: text)
    }
    return Domain(
      domain.name, domain.summary, dependsOn: domain.dependsOn, tables: domain.tables,
      crossings: [domain.crossings[0], note], feeds: domain.feeds)
  }

  private func crossed(
    books: [[LegacyValue]] = [], notes: [[LegacyValue]] = [], _ change: (inout LibraryRig) -> Void = { _ in }
  ) async throws -> LibraryRig {
    var rows = LibraryRows()
    (rows.books, rows.notes) = (books, notes)
    var rig = try LibraryRig(rows.source())
    change(&rig)
    try await rig.cross()
    return rig
  }

  private func quarantine(_ rig: LibraryRig) throws -> Quarantine {
    let plan = try rig.plan()
    return Quarantine(plan: plan, store: try rig.open(plan), source: rig.source)
  }

  private func outcomes(_ rig: LibraryRig, _ entity: String) throws -> String {
    let tally = try #require(
      try rig.read { try $0.find(Tally.self, "book/alice@home/\(entity)") })
    #expect(tally.accounted == tally.read)
    #expect(try rig.quarantine().count { $0.entity == entity } == tally.quarantined)
    return tally.outcomes
  }

  @Test func `that a newer build can carry is written, and its outcome changes with it`() async throws {
    var rig = try await crossed(notes: [[.integer(1), .text("fine")], [.integer(-1), .text("bad key")]])
    #expect(try outcomes(rig, "note") == "2 read, 1 written, 1 quarantined")
    rig.domains = Self.lenient
    #expect(try quarantine(rig).retry("book/alice@home/note/1") == .written)
    #expect(try outcomes(rig, "note") == "2 read, 2 written")
    #expect(try rig.all(Note.self).map(\.text) == ["fine", "bad key"])
    #expect(try rig.quarantine().isEmpty)
    let before = try rig.dump()
    #expect(throws: KernelError.notQuarantined("book/alice@home/note/1")) {
      try quarantine(rig).retry("book/alice@home/note/1")
    }
    #expect(try await !rig.cross().didWork)
    #expect(try rig.dump() == before)
  }

  @Test func `that still can't cross stays, with the reason`() async throws {
    let rig = try await crossed(notes: [[.integer(-1), .text("bad key")]])
    let before = try rig.dump()
    #expect(
      throws: KernelError.stillRefused(
        row: "book/alice@home/note/0", why: "id: the key \"-1\" is a placeholder, not an identity")
    ) { try quarantine(rig).retry("book/alice@home/note/0") }
    #expect(try rig.dump() == before)
  }

  @Test func `that the server did not return is written and waits to be pushed`() async throws {
    let rig = try await crossed(books: [LibraryRows.book(1, "lost there")])
    #expect(try outcomes(rig, "book") == "1 read, 1 quarantined")
    #expect(try quarantine(rig).retry("book/alice@home/book/0") == .written)
    #expect(try outcomes(rig, "book") == "1 read, 1 written")
    #expect(try rig.outbox().map { "\($0.operation.rawValue) \($0.key) \($0.base)" } == ["put i1 unknown"])
    // By now the server has it after all: the next sync finds both the same.
    rig.remote.put("books", LibraryRows.alice, "i1", ["title": "lost there", "changedAt": 0])
    #expect(try rig.all(Book.self).map(\.title) == ["lost there"])
  }

  @Test func `whose key another row has is refused until that one is gone, and merges with one like it`()
    async throws
  {
    let rig = try await crossed(
      books: [LibraryRows.book(7, "old", at: 1), LibraryRows.book(7, "new", at: 2)]
    ) { $0.roadmap = Library.roadmap.replacing(Library.bookStep, with: Library.copiedBookStep) }
    let id = "book/alice@home/book/0"
    #expect(throws: KernelError.keyTaken(row: id, key: "i7")) { try quarantine(rig).retry(id) }
    let key = try #require(BookID("i7"))
    func write(_ title: String, at seconds: Int64) throws {
      try rig.open().account(LibraryRows.alice).blockingWrite { transaction in
        _ = try transaction.upsert(
          Book(id: key, title: title, changedAt: Timestamp(nanoseconds: seconds * 1_000_000_000)))
      }
    }
    try write("old", at: 1)
    #expect(try quarantine(rig).retry(id) == .merged)
    #expect(try outcomes(rig, "book") == "2 read, 1 written, 1 merged")
    #expect(try rig.all(Book.self).map(\.title) == ["old"])
  }

  @Test func `that was a deletion of a row that is there no more becomes one in the outbox`() async throws {
    var rows = LibraryRows().classes
    rows[1] = .init(
      "BookRow", ["id", "title", "changed", "unsent"],
      [[.integer(1), .null, .time(seconds: 0, nanoseconds: 0), .flag(true)]])
    var rig = try LibraryRig(MemoryLegacySource([(LibraryRows.alice, rows)]))
    rig.roadmap = Library.roadmap.replacing(
      "preserve: {where: {is-unsent: true}}", with: "pending-deletes: {unsent: true}")
    try await rig.cross()
    #expect(try rig.quarantine().map(\.reason) == ["title: expected text, found null"])
    rig.domains = rig.domains.map { domain in
      guard domain.name == "book" else { return domain }
      let book = Crossing(
        "book", Book.self, fields: LegacyField<BookID>("id"), LegacyField<String?>("title"),
        LegacyField<Timestamp>("changed-at"), LegacyField<Bool?>("is-unsent")
      ) { id, title, changedAt, _ in Book(id: id, title: title ?? "", changedAt: changedAt) }
      return Domain(
        domain.name, domain.summary, dependsOn: domain.dependsOn, tables: domain.tables,
        crossings: [book, domain.crossings[1]], feeds: domain.feeds)
    }
    #expect(try quarantine(rig).retry("book/alice@home/book/0") == .deleted)
    #expect(try rig.outbox().map { "\($0.operation.rawValue) \($0.key)" } == ["delete i1"])
    #expect(try outcomes(rig, "book") == "1 read, 1 written")
    #expect(try rig.all(Book.self).isEmpty)
  }

  @Test func `is let go by its id alone, and counts as discarded`() async throws {
    let rig = try await crossed(notes: [[.integer(-1), .text("bad")], [.integer(-1), .text("worse")]])
    let gone = try quarantine(rig).drop("book/alice@home/note/1")
    #expect(gone.content.contains("worse"))
    #expect(try outcomes(rig, "note") == "2 read, 1 quarantined, 1 discarded")
    #expect(try rig.quarantine().map(\.id) == ["book/alice@home/note/0"])
    for other in ["book/alice@home/note", "note/0", "BOOK/alice@home/note/0", ""] {
      #expect(throws: KernelError.notQuarantined(other)) { try quarantine(rig).drop(other) }
    }
  }

  @Test func `of a domain that is under way can't be settled yet`() async throws {
    var rows = LibraryRows()
    rows.notes = [[.integer(-1), .text("bad")]]
    let rig = try LibraryRig(rows.source())
    try await rig.cross(until: "book: restored")
    let before = try rig.dump()
    let id = "book/alice@home/note/0"
    #expect(throws: KernelError.notDone(domain: "book")) { try quarantine(rig).retry(id) }
    #expect(throws: KernelError.notDone(domain: "book")) { try quarantine(rig).drop(id) }
    #expect(try rig.dump() == before)
  }

  @Test func `isn't tried with a mapping that was edited after it was done`() async throws {
    var rig = try await crossed(notes: [[.integer(-1), .text("bad")]])
    rig.roadmap.replace("text: text}}\n  - domain: diary", with: "text: id}}\n  - domain: diary")
    #expect(throws: KernelError.editedStep(domain: "book")) {
      try quarantine(rig).retry("book/alice@home/note/0")
    }
  }

  @Test func `that is nobody's never becomes somebody's`() async throws {
    let classes: [MemoryLegacySource.Class] = [
      .init("ShelfRow", ["id", "name"], []),
      .init("BookRow", ["id", "title", "changed", "unsent"], []),
      .init("NoteRow", ["id", "text", "owner"], [[.integer(1), .text("carol's"), .text("carol")]]),
      .init("LineRow", ["id", "text"], []),
    ]
    var rig = try LibraryRig(
      OwnedRows(
        MemoryLegacySource([(LibraryRows.alice, classes)]),
        files: [[OwnedRows.Owner(LibraryRows.alice, named: "alice")]], properties: ["NoteRow": "owner"]))
    rig.roadmap = Library.roadmap.replacing("{class: NoteRow,", with: "{class: NoteRow, account: owner,")
    try await rig.cross()
    let id = "book/alice@home/note/0"
    let why = "owner names 'carol', which is no account of this file"
    #expect(try rig.quarantine().map(\.reason) == [why])
    #expect(throws: KernelError.stillRefused(row: id, why: why)) { try quarantine(rig).retry(id) }
    #expect(try rig.all(Note.self).isEmpty)
  }
}
