import AttachmentDomain
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite struct `Opening an attachment` {
  private let desk: AttachmentDesk

  init() throws { desk = try AttachmentDesk() }

  @Test func `fetches the file once, and then has it`() async throws {
    let id = try desk.serve("x", "content")
    #expect(try await desk.state(id) == .remote)
    let path = try await desk.open(id)
    #expect(try AttachmentDesk.text(path) == "content")
    #expect(try await desk.state(id) == .local)
    #expect(try await desk.open(id, at: 9) == path)
    #expect(desk.source.downloads == [desk.home.id])
    #expect(try await AttachmentDAO.entry(desk.home, id)?.file?.usedAt == Timestamp(nanoseconds: 9))
    #expect(try await desk.home.read { try $0.outboxCount() } == 0)
  }

  @Test func `asks the account's own server, and gives its own file, where keys and content are equal`()
    async throws
  {
    let (here, there) = (
      try desk.serve("x", "same", named: "here"), try desk.serve("x", "same", named: "there", to: desk.work)
    )
    let mine = try await desk.open(here)
    #expect(try await desk.state(there, of: desk.work) == .remote)
    #expect(try desk.names(of: desk.work).isEmpty)
    let theirs = try await desk.open(there, of: desk.work)
    #expect(mine != theirs)
    #expect(desk.source.downloads == [desk.home.id, desk.work.id])
    try await AttachmentDAO.evict(desk.home, to: 0)
    #expect(try AttachmentDesk.text(theirs) == "same")
    #expect(try await desk.state(there, of: desk.work) == .local)
    #expect(try await desk.state(here) == .remote)
  }

  @Test func `goes on where a download broke off, and tells why it failed meanwhile`() async throws {
    let id = try desk.serve("x", String(repeating: "0123456789", count: 100))
    desk.source.break(after: 400)
    await #expect(throws: ScriptedSource.Fault.self) { try await desk.open(id) }
    #expect(try await desk.state(id) == .failed)
    #expect(try await AttachmentDAO.entry(desk.home, id)?.file?.reason == "The line is dead.")
    #expect(try await AttachmentDAO.orphans(desk.home).isEmpty)
    #expect(try await AttachmentDAO.removeOrphans(desk.home).isEmpty)
    desk.source.break(after: 700, with: CancellationError())
    await #expect(throws: CancellationError.self) { try await desk.open(id) }
    #expect(try await desk.state(id) == .remote)
    #expect(try await AttachmentDAO.removeOrphans(desk.home).isEmpty)
    #expect(try AttachmentDesk.text(try await desk.open(id)).utf8.count == 1000)
    #expect(desk.source.served == 1000)
    #expect(try await AttachmentDAO.entry(desk.home, id)?.file?.reason == nil)
    #expect(try desk.names().count == 1)
  }

  @Test func `is "downloading" while it is`() async throws {
    let id = try desk.serve("x", "content")
    let account = desk.home
    let seen = Locked<AttachmentState?>(nil)
    let source = WatchingSource(desk.source) {
      let state = try await AttachmentDAO.entry(account, id)?.state
      seen.withLock { $0 = state }
    }
    _ = try await AttachmentDAO.open(account, id, from: source, at: Timestamp(nanoseconds: 1))
    #expect(seen.withLock { $0 } == .downloading)
  }

  @Test func `by many at once fetches once`() async throws {
    let id = try desk.serve("x", "content")
    let paths = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<16 { group.addTask { try await desk.open(id) } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(paths.count == 1)
    #expect(desk.source.downloads.count == 1)
  }

  @Test func `takes the file that another attachment of the account has`() async throws {
    let (first, second) = (try desk.serve("x", "same"), try desk.serve("y", "same"))
    let own = try await desk.add("own")
    let third = try desk.serve("z", "own")
    let path = try await desk.open(first)
    #expect(try await desk.open(second) == path)
    #expect(try await desk.open(third) == desk.open(own.id))
    #expect(desk.source.downloads.count == 1)
  }

  @Test func `fetches the new file where the server has replaced it, and lets the old one go`() async throws {
    let id = try desk.serve("x", "old")
    let old = try await desk.open(id)
    try desk.serve("x", "new", revision: 2)
    let new = try await desk.open(id)
    #expect(try AttachmentDesk.text(new) == "new")
    #expect(!FileManager.default.fileExists(atPath: old))
    #expect(try await AttachmentDAO.orphans(desk.home).isEmpty)
  }

  @Test func `fetches again what was deleted or cut short behind its back`() async throws {
    let id = try desk.serve("x", "content")
    let path = try await desk.open(id)
    try FileManager.default.removeItem(atPath: path)
    #expect(try AttachmentDesk.text(try await desk.open(id)) == "content")
    try Data("con".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try AttachmentDesk.text(try await desk.open(id)) == "content")
    #expect(desk.source.downloads.count == 3)
  }

  @Test func `refuses what can't be had, each with its reason`() async throws {
    let none = try AttachmentDesk.pull(
      "none", ["fileName": "n", "byteSize": 1, "mimeType": "t"], to: desk.home)
    await #expect(throws: AttachmentError.noFile(name: "n")) { try await desk.open(none) }
    #expect(try await desk.state(none) == .remote)
    let other = try desk.serve("other", "x", named: "o", checksum: Data(repeating: 7, count: 32))
    await #expect(throws: AttachmentError.differs(name: "o")) { try await desk.open(other) }
    let torn = try AttachmentDesk.pull(
      "torn",
      [
        "fileName": "t", "byteSize": 1, "mimeType": "t",
        "attachment": ["hash": "../../../etc/passwd", "size": 1, "location": "/"],
      ], to: desk.home)
    let error = try #require(await #expect(throws: AttachmentError.self) { try await desk.open(torn) })
    #expect(error.code == "attachment.unreadable")
    let gone = try #require(AttachmentID("gone"))
    await #expect(throws: AttachmentError.noAttachment(gone)) { try await desk.open(gone) }
    let own = try await desk.add("only copy", named: "own")
    try FileManager.default.removeItem(atPath: try await desk.open(own.id))
    let lost = try #require(await #expect(throws: AttachmentError.self) { try await desk.open(own.id) })
    #expect(lost.code == "attachment.lost")
    #expect(try await AttachmentDAO.orphans(desk.home).withoutFile == [own.id])
  }

  @Test func `of one that is deleted while it comes leaves no row, and its file goes with the orphans`()
    async throws
  {
    let id = try desk.serve("x", "content")
    let account = desk.home
    let source = WatchingSource(desk.source) {
      _ = try AttachmentDesk.pull("x", nil, to: account, revision: 2)
    }
    await #expect(throws: AttachmentError.noAttachment(id)) {
      try await AttachmentDAO.open(account, id, from: source, at: Timestamp(nanoseconds: 1))
    }
    _ = try await AttachmentDAO.removeOrphans(desk.home)
    #expect(try desk.names().isEmpty)
    #expect(try await desk.home.read { try $0.count(AttachmentFile.all) } == 0)
  }
}

@Suite struct `Saving an attachment` {
  private let desk: AttachmentDesk

  init() throws { desk = try AttachmentDesk() }

  private func save(_ id: AttachmentID, _ path: String) async throws -> String {
    try await AttachmentDAO.save(
      desk.home, id, to: path, from: desk.source, at: Timestamp(nanoseconds: 1))
  }

  @Test func `copies it under the name that is said, or into a folder under a safe one`() async throws {
    let id = try desk.serve("x", "content", named: "../../x")
    #expect(try await save(id, desk.folder.path("copy")) == desk.folder.path("copy"))
    let saved = try await save(id, desk.folder.path)
    #expect(saved == desk.folder.path("_.._x"))
    #expect(try AttachmentDesk.text(saved) == "content")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path).count == 2)
  }

  @Test func `overwrites nothing, not even what comes between`() async throws {
    let id = try desk.serve("x", "content", named: "there")
    let path = try desk.file("there", "mine")
    await #expect(throws: AttachmentError.exists(path: path)) { try await save(id, path) }
    await #expect(throws: AttachmentError.exists(path: path)) { try await save(id, desk.folder.path) }
    #expect(try AttachmentDesk.text(path) == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path) == ["there"])
    // What has the name of a copy that is being made is nobody's to write through.
    let other = try desk.file("there.ferry-part", "mine, too")
    _ = try await save(id, desk.folder.path("new"))
    try FileManager.default.createSymbolicLink(
      atPath: desk.folder.path("link"), withDestinationPath: desk.folder.path("nowhere"))
    let link = desk.folder.path("link")
    await #expect(throws: AttachmentError.exists(path: link)) { try await save(id, link) }
    #expect(try AttachmentDesk.text(other) == "mine, too")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.folder.path).sorted() == [
        "link", "new", "there", "there.ferry-part",
      ])
  }

  @Test func `takes a name as long as a name can be`() async throws {
    let id = try desk.serve("x", "content")
    let path = desk.folder.path(String(repeating: "한", count: 85))
    #expect(try await save(id, path) == path)
    #expect(try AttachmentDesk.text(path) == "content")
  }
}

/// A source that does something before it fetches.
private struct WatchingSource: BlobSource {
  let source: ScriptedSource
  let before: @Sendable () async throws -> Void

  init(_ source: ScriptedSource, _ before: @escaping @Sendable () async throws -> Void) {
    (self.source, self.before) = (source, before)
  }

  func download(_ file: ServerFile, of account: AccountID, to path: String) async throws {
    try await before()
    try await source.download(file, of: account, to: path)
  }

  func upload(
    _ path: String, named name: String, mimeType: String, to record: String, in feed: String,
    of account: AccountID
  ) async throws -> ServerFile {
    try await source.upload(path, named: name, mimeType: mimeType, to: record, in: feed, of: account)
  }

  func meaning(of error: any Error) -> UploadFailure { source.meaning(of: error) }
}
