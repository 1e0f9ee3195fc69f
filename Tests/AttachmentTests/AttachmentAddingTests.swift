import AttachmentDomain
import FerryKernel
import FerryStore
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite struct `Attaching a file` {
  private let desk: AttachmentDesk

  init() throws { desk = try AttachmentDesk() }

  @Test func `copies it under its content's name, tells the server of it, and needs the file no more`()
    async throws
  {
    let path = try desk.file("report.PDF", "hello")
    var random = SplitMix64(seed: 1)
    let added = try await AttachmentDAO.add(
      desk.home, file: path, to: desk.item, at: Timestamp(nanoseconds: 7), using: &random)
    #expect(added.fileName == "report.PDF")
    #expect(added.mimeType == "application/pdf")
    #expect(added.byteSize == 5)
    let hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    #expect(added.checksum.flatMap(BlobHash.init)?.rawValue == hash)
    try FileManager.default.removeItem(atPath: path)
    let kept = try await desk.open(added.id)
    #expect(try AttachmentDesk.text(kept) == "hello")
    #expect(kept.hasSuffix("/\(hash)"))
    #expect(try desk.names() == [hash])
    let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try await desk.home.read { try $0.outbox() }.map(\.key) == [added.id.rawValue])
    let entry = try #require(try await AttachmentDAO.entry(desk.home, added.id))
    #expect(entry.attachment == added)
    #expect(entry.file?.wasOnServer == false)
    #expect(entry.state == .local)
  }

  @Test func `keeps equal content once, for as long as one attachment has it`() async throws {
    let first = try await desk.add("same")
    let second = try await desk.add("same", named: "other name")
    let other = try await desk.add("other")
    #expect(try desk.names().count == 2)
    #expect(try await AttachmentDAO.remove(desk.home, [first.id]) == 1)
    #expect(try desk.names().count == 2)
    #expect(try AttachmentDesk.text(try await desk.open(second.id)) == "same")
    #expect(try await AttachmentDAO.remove(desk.home, [second.id, other.id, first.id]) == 2)
    #expect(try desk.names().isEmpty)
    #expect(try await desk.home.read { try $0.outboxCount() } == 0)
  }

  @Test
  func `in one account gives another nothing: no row, no count, no file, though the content is the same`()
    async throws
  {
    let mine = try await desk.add("same")
    #expect(try await AttachmentDAO.entries(desk.work).isEmpty)
    #expect(try await AttachmentDAO.usage(desk.work) == AttachmentDAO.Eviction())
    #expect(try desk.names(of: desk.work).isEmpty)
    await #expect(throws: AttachmentError.noAttachment(mine.id)) {
      try await desk.open(mine.id, of: desk.work)
    }
    let theirs = try await desk.add("same", to: desk.work)
    let (here, there) = (try await desk.open(mine.id), try await desk.open(theirs.id, of: desk.work))
    #expect(here != there)
    #expect(here.hasPrefix(AttachmentDAO.folder(of: desk.home) + "/"))
    #expect(there.hasPrefix(AttachmentDAO.folder(of: desk.work) + "/"))
    #expect(try await AttachmentDAO.remove(desk.work, [theirs.id]) == 1)
    #expect(try AttachmentDesk.text(here) == "same")
    #expect(try await AttachmentDAO.verify(desk.home).faults.isEmpty)
  }

  @Test func `is refused for what is no file, no item or has no name, and leaves nothing`() async throws {
    var random = SplitMix64(seed: 1)
    let path = try desk.file("a", "a")
    let gone = try AttachmentDesk.item("gone")
    let fifo = desk.folder.path("pipe")
    #expect(mkfifo(fifo, 0o600) == 0)
    for wrong in [desk.folder.path("none"), desk.folder.path, fifo, "/dev/null"] {
      await #expect(throws: AttachmentError.notAFile(path: wrong)) {
        try await AttachmentDAO.add(
          desk.home, file: wrong, to: desk.item, at: Timestamp(nanoseconds: 1), using: &random)
      }
    }
    await #expect(throws: AttachmentError.noItem(gone)) {
      try await AttachmentDAO.add(
        desk.home, file: path, to: gone, at: Timestamp(nanoseconds: 1), using: &random)
    }
    await #expect(throws: AttachmentError.noName) {
      try await AttachmentDAO.add(
        desk.home, file: path, to: desk.item, named: "", at: Timestamp(nanoseconds: 1), using: &random)
    }
    // What becomes a header of a request can't hold another one.
    for wrong in [
      "", "text", "text/", "/plain", "a/b/c", "text/plain\r\nX-Evil: 1", "text/plain; charset=x", "텍스트/평문",
    ] {
      await #expect(throws: AttachmentError.badType(wrong)) {
        try await AttachmentDAO.add(
          desk.home, file: path, to: desk.item, mimeType: wrong, at: Timestamp(nanoseconds: 1), using: &random
        )
      }
    }
    #expect(try desk.names().isEmpty)
    #expect(try await AttachmentDAO.entries(desk.home).isEmpty)
    let own = try await AttachmentDAO.add(
      desk.home, file: path, to: desk.item, mimeType: "application/vnd.x+json", at: Timestamp(nanoseconds: 1),
      using: &random)
    #expect(own.mimeType == "application/vnd.x+json")
  }

  @Test func `by many at once loses none and mixes none up`() async throws {
    let texts = (0..<24).map { "text \($0 % 8)" }
    let added = try await withThrowingTaskGroup(of: (String, AttachmentID).self) { group in
      for text in texts { group.addTask { (text, try await desk.add(text, named: text).id) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(added.count == 24)
    #expect(try desk.names().count == 8)
    for (text, id) in added { #expect(try AttachmentDesk.text(try await desk.open(id)) == text) }
    #expect(try await AttachmentDAO.orphans(desk.home).isEmpty)
  }

  @Test func `one write is one element for whoever observes the item's attachments`() async throws {
    var iterator = AttachmentDAO.observeEntries(desk.home, of: desk.item).makeAsyncIterator()
    #expect(try await iterator.next() == [])
    let added = try await desk.add("a")
    let seen = try #require(try await iterator.next())
    #expect(seen.map(\.attachment) == [added])
    #expect(seen.map(\.state) == [.local])
    try await AttachmentDAO.remove(desk.home, [added.id])
    #expect(try await iterator.next() == [])
    var list = AttachmentDAO.observe(desk.home, of: desk.item).makeAsyncIterator()
    #expect(try await list.next() == [])
  }
}

@Suite struct `A file name from a server` {
  private func name(_ name: String) throws -> String {
    Attachment(
      id: try #require(AttachmentID("x")), item: nil, fileName: name, byteSize: 0, mimeType: "", checksum: nil
    ).safeFileName
  }

  @Test(arguments: [
    ("../../etc/passwd", "_.._etc_passwd"), ("/etc/passwd", "_etc_passwd"), ("..", "attachment"),
    (".", "attachment"), ("", "attachment"), ("   ", "attachment"), ("a\u{0}b", "a_b"),
    (".profile", "profile"),
    ("C:\\Windows\\x.exe", "C__Windows_x.exe"), ("evil\u{202E}fdp.exe", "evil_fdp.exe"),
    ("a\n\u{1b}[2Jb", "a__[2Jb"), ("회의록.bin", "회의록.bin"), ("e\u{301}.txt", "e\u{301}.txt"),
    ("👩‍👩‍👧‍👦.png", "👩‍👩‍👧‍👦.png"), ("trailing. ", "trailing"),
  ])
  func `is made one that stays in its folder, and otherwise kept`(given: String, safe: String) throws {
    #expect(try name(given).utf8.elementsEqual(safe.utf8))
  }

  @Test func `is cut between characters where it is too long, and keeps its ending`() throws {
    let cut = try name(String(repeating: "한", count: 400) + ".jpeg")
    #expect(cut.hasSuffix("한.jpeg"))
    #expect(cut.utf8.count <= 200 && cut.utf8.count > 190)
    #expect(try name(String(repeating: "a", count: 4000)).utf8.count == 200)
    #expect(try name("a." + String(repeating: "b", count: 4000)).utf8.count <= 200)
  }

  @Test func `never leaves the folder, whatever it is`() throws {
    let seed = TestSeed.value(0xbadf11e)
    var random = SplitMix64(seed: seed)
    let pieces = ["..", "/", "\\", "\u{0}", ".", "a", "한", " ", "\n", ":", "~", "\u{202e}", "👩‍👩‍👧‍👦", "-"]
    for _ in 0..<5000 {
      let given = (0..<Int.random(in: 0...90, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let safe = try name(given)
      let joined = URL(fileURLWithPath: "/folder").appendingPathComponent(safe).standardizedFileURL
      #expect(joined.deletingLastPathComponent().path == "/folder", "seed \(seed): \(given.debugDescription)")
      #expect(!safe.isEmpty && safe.utf8.count <= 200 && !safe.hasPrefix("."))
      #expect(!safe.unicodeScalars.contains { $0.value < 0x20 })
    }
  }
}
