import FerryKernel
import FerryStore
import TestKit
import Testing

/// A legacy file that an app goes on writing to, for the domains that haven't crossed.
@Suite struct `A legacy file that changed after a domain was done` {
  private static func rows() -> LibraryRows {
    var rows = LibraryRows()
    rows.shelves = [[.integer(1), .text("a")], [.integer(2), .text("b")]]
    rows.books = [LibraryRows.book(1, "t")]
    rows.notes = [[.integer(1), .text("n")]]
    rows.lines = [[.integer(1), .text("l")]]
    return rows
  }

  /// The shelves have crossed; the books are off.
  private func rig(_ strategy: String) async throws -> LibraryRig {
    var rig = try LibraryRig(Self.rows().source())
    let shelfStep = Library.shelfStep.replacing("resync", with: strategy)
    rig.roadmap = Library.roadmap.replacing(Library.shelfStep, with: shelfStep)
      .replacing("- domain: book", with: "- enabled: false\n    domain: book")
    for id in 1...2 { rig.remote.put("shelves", LibraryRows.alice, "i\(id)", ["name": .string("s")]) }
    #expect(try await rig.cross().stateNames == ["shelf done", "book off", "diary waiting"])
    rig.roadmap.replace("- enabled: false\n    domain: book", with: "- domain: book")
    return rig
  }

  private func changed(_ change: (inout LibraryRows) -> Void) -> MemoryLegacySource {
    var rows = Self.rows()
    change(&rows)
    var source = rows.source()
    source.version = 7
    return source
  }

  private static let strategies = ["copy", "resync", "discard"]

  @Test(arguments: strategies)
  func `only in classes of domains that haven't crossed goes on`(strategy: String) async throws {
    var rig = try await rig(strategy)
    rig.source = changed { rows in
      rows.books.append(LibraryRows.book(2, "written since", isUnsent: true))
      rows.notes[0][1] = .text("edited since")
      rows.lines = []
    }
    #expect(try await rig.cross().isOver)
    #expect(try rig.all(Note.self).map(\.text) == ["edited since"])
    #expect(try rig.outbox().map(\.key).contains("i2"))
  }

  @Test(arguments: strategies)
  func `in a class of a done domain is refused by class and domain, and nothing is written`(strategy: String)
    async throws
  {
    var rig = try await rig(strategy)
    let original = rig.source
    let edits: [(inout LibraryRows) -> Void] = [
      { $0.shelves.append([.integer(3), .text("new")]) }, { $0.shelves[1][1] = .text("B") },
      { $0.shelves.removeLast() }, { $0.shelves.swapAt(0, 1) }, { $0.shelves[0] = [.text("1"), .text("a")] },
    ]
    for edit in edits {
      rig.source = changed(edit)
      await #expect(
        throws: KernelError.classChanged(
          path: "memory/alice@home", className: "ShelfRow", domain: "shelf", account: LibraryRows.alice)
      ) { try await rig.cross() }
      #expect(try rig.all(Book.self).isEmpty)
    }
    rig.source = original
    #expect(try await rig.cross().isOver)
  }

  /// The form is fixed for ever: other builds compare with what this one wrote. Made with another SHA-256.
  @Test func `is known by a digest that every build makes alike`() async throws {
    var rows = LibraryRows()
    rows.notes = [[.integer(1), .text("한글")], [.integer(-2), .null]]
    rows.books = [LibraryRows.book(1, "a", at: 5, isUnsent: true, comment: "not mapped")]
    let rig = try LibraryRig(rows.source())
    try await rig.cross()
    let digests = try rig.read { try $0.fetch(ClassDigest.where { $0.domain == "book" }) }
    #expect(
      digests.map { "\($0.id) \($0.className) \($0.rows) \($0.digest)" } == [
        "book/alice@home/book BookRow 1 e757d6a775af995c83f455accb8ba863406f1a9cf0a059b3dfa73c712750e907",
        "book/alice@home/note NoteRow 2 1379152344bc55552836a48451d3dc7d4ac8174a6d46ea385bcc174eb1728ffa",
      ])
  }

  @Test func `is refused by the forecast as by the run`() async throws {
    var rig = try await rig("copy")
    let (journal, digests) = try rig.read { (try $0.fetch(JournalEntry.all), try $0.fetch(ClassDigest.all)) }
    rig.source = changed { $0.shelves[0][1] = .text("A") }
    let error = #expect(throws: KernelError.self) {
      try rig.plan().forecast(rig.source, journal, digests: digests)
    }
    #expect(error?.code == "kernel.classChanged")
    rig.source = changed { $0.books[0][1] = .text("T") }
    #expect(try rig.plan().forecast(rig.source, journal, digests: digests).count == 3)
  }

  @Test func `without one of its classes is refused like one in which its rows are gone`() async throws {
    var rig = try await rig("copy")
    var source = changed { _ in }
    source.classes[LibraryRows.alice]?[0] = .init("ShelfRow", ["id"], [[.integer(1)], [.integer(2)]])
    rig.source = source
    await #expect(throws: KernelError.self) { try await rig.cross() }
    #expect(try rig.entry("book")?.reason?.contains("ShelfRow") == true)
  }

  @Test func `is read again once a run, and not at all while its hash is the same`() async throws {
    var rig = try await rig("copy")
    let same = CountedReads(base: rig.source)
    rig.source = same
    try await rig.cross(until: "book: backedUp")
    #expect(same.reads("ShelfRow") == 0)
    let counted = CountedReads(base: changed { $0.lines = [] })
    (rig.source, rig.log) = (counted, RecordingLog())
    // The step that was under way starts anew, from the file as it is now.
    await #expect(throws: KernelError.self) { try await rig.cross() }
    #expect(try await rig.cross().isOver)
    // Once by the run for books and diary together; what those have is read by their own steps.
    #expect(counted.reads("ShelfRow") == 1)
  }

  @Test func `and that a new account has is fine as long as no row of its is left behind`() async throws {
    var rig = try await rig("copy")
    let known = try #require(rig.source as? MemoryLegacySource).classes[LibraryRows.alice] ?? []
    var late = LibraryRows()
    late.notes = [[.integer(1), .text("bob's")]]
    rig.source = MemoryLegacySource([(LibraryRows.alice, known), (LibraryRows.bob, late.classes)])
    #expect(try await rig.cross().isOver)
    #expect(try rig.all(Note.self, of: LibraryRows.bob).map(\.text) == ["bob's"])
    late.shelves = [[.integer(1), .text("bob's")]]
    var other = try await self.rig("copy")
    other.source = MemoryLegacySource([(LibraryRows.alice, known), (LibraryRows.bob, late.classes)])
    await #expect(throws: KernelError.lateAccount(LibraryRows.bob, domain: "shelf")) {
      try await other.cross()
    }
  }
}

/// Counts how often the rows of a class are read from the first on.
private struct CountedReads: LegacySource {
  let base: any LegacySource
  private let counts = Locked<[String: Int]>([:])

  init(base: any LegacySource) { self.base = base }

  func reads(_ className: String) -> Int { counts.withLock { $0[className] ?? 0 } }

  var accounts: [AccountID] { base.accounts }
  func path(of account: AccountID) throws -> String { try base.path(of: account) }
  func manifest(of account: AccountID) throws -> LegacyManifest { try base.manifest(of: account) }
  func classes(of account: AccountID) throws -> [LegacyClass] { try base.classes(of: account) }
  func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    counts.withLock { $0[className, default: 0] += 1 }
    try base.forEachRow(of: className, account: account, properties: properties, after: position, body)
  }
  func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try base.row(of: className, account: account, at: position)
  }
}
