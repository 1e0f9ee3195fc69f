import FerryKernel
import FerryStore
import TestKit
import Testing

/// One legacy file that several accounts have written to: a property of each row says whose it is.
@Suite struct `A shared file` {
  private static let books: [[LegacyValue]] = [
    [.integer(1), .text("of alice"), .integer(1001)], [.integer(1), .text("of bob"), .integer(1002)],
    [.integer(2), .text("of carol"), .integer(1003)], [.integer(3), .text("of nobody"), .null],
    [.integer(4), .text("of bob"), .integer(1002)],
  ]

  private static let classes: [MemoryLegacySource.Class] = [
    .init("ShelfRow", ["id", "name", "owner"], [[.integer(1), .text("s"), .text("1002")]]),
    .init("BookRow", ["id", "title", "owner"], books), .init("NoteRow", ["id", "text", "owner"], []),
    .init("LineRow", ["id", "text"], [[.integer(1), .text("l")]]),
  ]

  private func source(_ classes: [MemoryLegacySource.Class] = Self.classes) -> OwnedRows {
    OwnedRows(
      MemoryLegacySource([(LibraryRows.alice, classes)]),
      files: [
        [OwnedRows.Owner(LibraryRows.alice, named: "1001"), OwnedRows.Owner(LibraryRows.bob, named: "1002")]
      ], properties: ["ShelfRow": "owner", "BookRow": "owner", "NoteRow": "owner"])
  }

  private func rig(_ source: any LegacySource, _ strategy: String = "copy") throws -> LibraryRig {
    var rig = try LibraryRig(source)
    let step = strategy == "copy" ? Library.copiedBookStep : Library.bookStep
    rig.roadmap = Library.roadmap.replacing(Library.bookStep, with: step)
      .replacing("{class: ShelfRow,", with: "{class: ShelfRow, account: owner,")
      .replacing("class: BookRow", with: "class: BookRow\n        account: owner")
      .replacing("{class: NoteRow,", with: "{class: NoteRow, account: owner,")
      .replacing(
        ", changed-at: changed, is-unsent: unsent", with: ", changed-at: {property: id, time: seconds}"
      )
      .replacing("{where: {is-unsent: true}}", with: "{where: {title: of bob}}")
    return rig
  }

  @Test(arguments: ["copy", "resync"])
  func `gives each account its own rows, and keeps aside what is nobody's`(strategy: String) async throws {
    let rig = try rig(source(), strategy)
    let report = try await rig.cross()
    let (alice, bob) = (try report.tally("book"), try report.tally("book", of: LibraryRows.bob))
    #expect(bob.outcomes == "2 read, 2 written")
    #expect(
      alice.outcomes == (strategy == "copy" ? "3 read, 1 written, 2 quarantined" : "3 read, 3 quarantined"))
    #expect(try rig.all(Book.self).map(\.title) == (strategy == "copy" ? ["of alice"] : []))
    #expect(try rig.all(Book.self, of: LibraryRows.bob).map(\.title) == ["of bob", "of bob"])
    let strangers = try rig.quarantine().filter { $0.reason.contains("owner") }
    #expect(strangers.map(\.id) == ["book/alice@home/book/2", "book/alice@home/book/3"])
    #expect(
      strangers.map(\.reason) == [
        "owner names '1003', which is no account of this file", "owner names no account",
      ])
    #expect(strangers[0].content == #"{"id":2,"title":"of carol","owner":1003}"#)
    // Lines are the device's, and nobody has them twice.
    #expect(try report.tally("line").read == 1)
    #expect(try report.tally("line", of: LibraryRows.bob).read == 0)
  }

  @Test func `is accounted for by account, and a gap of one shows`() async throws {
    var rig = try rig(source())
    rig.source = MiscountedAccount(base: source(), account: LibraryRows.bob)
    await #expect(
      throws: KernelError.unaccounted(
        domain: "book", account: "bob@home", entity: "book", phase: .verified, read: 3, accounted: 2)
    ) { try await rig.cross() }
  }

  @Test func `whose row went to another account since its domain crossed is a changed one`() async throws {
    var rig = try rig(source())
    rig.roadmap.replace("  - domain: diary", with: "  - domain: diary\n    enabled: true")
    try await rig.cross(until: "book: done")
    var classes = Self.classes
    classes[1] = .init(
      "BookRow", ["id", "title", "owner"], Self.books.map { Array($0[..<2]) + [.integer(1001)] })
    var changed = MemoryLegacySource([(LibraryRows.alice, classes)])
    changed.version = 1
    rig.source = OwnedRows(
      changed,
      files: [
        [OwnedRows.Owner(LibraryRows.alice, named: "1001"), OwnedRows.Owner(LibraryRows.bob, named: "1002")]
      ], properties: ["ShelfRow": "owner", "BookRow": "owner", "NoteRow": "owner"])
    rig.log = RecordingLog()
    let error = await #expect(throws: KernelError.self) { try await rig.cross() }
    #expect(error?.code == "kernel.classChanged")
  }

  @Test func `needs every entity of accounts to say whose its rows are`() throws {
    let plan = try rig(source()).plan()
    try plan.checkOwners(shared: "shared.realm")
    #expect(plan.ownerProperties == ["ShelfRow": "owner", "BookRow": "owner", "NoteRow": "owner"])
    var silent = try rig(source())
    silent.roadmap.replace("{class: ShelfRow, account: owner,", with: "{class: ShelfRow,")
    let error = #expect(throws: SourceFaults.self) { try silent.plan().checkOwners(shared: "shared.realm") }
    #expect(
      error?.faults.map(\.description) == [
        "roadmap.yaml:7:14: 'shelf' doesn't say whose its rows are, and shared.realm holds several accounts. "
          + "Add 'account:' with the property that names the user."
      ])
    try silent.plan().checkOwners(shared: nil)
  }

  @Test func `that two entities read in different ways is a fault`() throws {
    var rig = try rig(source())
    rig.roadmap.replace("{class: NoteRow, account: owner,", with: "{class: BookRow, account: id,")
    let error = #expect(throws: SourceFaults.self) { try rig.plan().checkOwners(shared: nil) }
    #expect(error?.faults.map(\.code) == ["roadmap.otherOwner"])
  }
}

/// Says that one account has a book more than it has.
private struct MiscountedAccount: LegacySource {
  let base: OwnedRows
  let account: AccountID

  var accounts: [AccountID] { base.accounts }
  func path(of account: AccountID) throws -> String { try base.path(of: account) }
  func manifest(of account: AccountID) throws -> LegacyManifest { try base.manifest(of: account) }
  func classes(of account: AccountID) throws -> [LegacyClass] { try base.classes(of: account) }
  func rowCount(of className: String, account: AccountID) throws -> Int64 {
    try base.rowCount(of: className, account: account)
      + (account == self.account && className == "BookRow" ? 1 : 0)
  }
  func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    try base.forEachRow(of: className, account: account, properties: properties, after: position, body)
  }
  func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try base.row(of: className, account: account, at: position)
  }
}
