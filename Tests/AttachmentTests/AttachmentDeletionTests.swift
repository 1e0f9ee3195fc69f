import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite struct `Deleting what has attachments` {
  private static let now = Timestamp(nanoseconds: 1_000_000_000_000_000)
  private static let day: Int64 = 86_400_000_000_000

  private let desk: AttachmentDesk
  private var home: AccountStore { desk.home }

  init() throws { desk = try AttachmentDesk() }

  private static func later(_ time: Int64) -> Timestamp { Timestamp(nanoseconds: now.nanoseconds + time) }

  private func ids(of account: AccountStore) async throws -> [String] {
    try await AttachmentDAO.entries(account).map(\.attachment.id.rawValue)
  }

  @Test func `takes them along in the same transaction, tells the server, and leaves another account's`()
    async throws
  {
    for account in [home, desk.work] {
      try desk.serve("a", "one", to: account)
      try desk.serve("b", "two", to: account)
    }
    try AttachmentDesk.serve("c", "three", to: home, of: AttachmentDesk.item("other"), desk.source)
    var changes = try await desk.accounts.store.changes().makeAsyncIterator()
    let deletion = try await ItemDAO.deleteWithAttachments(home, [desk.item], at: Self.now)
    #expect(deletion.items.ids == [desk.item])
    #expect(deletion.attachments.map(\.id.rawValue) == ["a", "b"])
    #expect(try await Set(#require(changes.next()).changes.map(\.table)) == ["item", "attachment"])
    #expect(try await ids(of: home) == ["c"])
    #expect(try await ids(of: desk.work) == ["a", "b"])
    let outbox = try await home.read { try $0.outbox() }
    #expect(outbox.filter { $0.table == "attachment" }.map(\.key) == ["a", "b"])
    #expect(try await desk.work.read { try $0.outboxCount() } == 0)
  }

  @Test func `can be undone for a day, with the only copy of a file`() async throws {
    let own = try await desk.add("mine alone")
    let held = try desk.serve("held", "theirs")
    _ = try await desk.open(held)
    let deletion = try await ItemDAO.deleteWithAttachments(home, [desk.item], at: Self.now)
    try await AttachmentDAO.tidy(home, at: Self.later(Self.day - 1))
    try await ItemDAO.restore(home, deletion)
    #expect(try AttachmentDesk.text(try await desk.open(own.id)) == "mine alone")
    #expect(try AttachmentDesk.text(try await desk.open(held)) == "theirs")
    #expect(desk.source.downloads.count == 1)
    #expect(try await AttachmentDAO.find(home, own.id) == own)
    #expect(try await ItemDAO.find(home, desk.item) != nil)
    // Once more, without them.
    try await ItemDAO.restore(home, deletion)
    #expect(try await ids(of: home).count == 2)
  }

  @Test func `can be undone after the server heard of it, which then gets the file again`() async throws {
    let held = try desk.serve("held", "theirs")
    _ = try await desk.open(held)
    let deletion = try await ItemDAO.deleteWithAttachments(home, [desk.item], at: Self.now)
    try await home.write(origin: .server) {
      try $0.setRemoteState(RemoteState(revision: 2, json: nil), of: Attachment.self, held)
    }
    try await ItemDAO.restore(home, deletion)
    #expect(try await AttachmentDAO.evict(home, to: 0).unsent == 6)
    let restored = try #require(try await AttachmentDAO.find(home, held))
    let record: JSONObject = [
      "fileName": .string(restored.fileName), "byteSize": 6, "mimeType": "text/plain",
      "item": .string(desk.item.rawValue),
    ]
    try AttachmentDesk.pull("held", record, to: home, revision: 3)
    #expect(try await AttachmentDAO.sendFiles(home, through: desk.source).map(\.outcome) == [.sent])
    #expect(try AttachmentDesk.text(try await desk.open(held)) == "theirs")
  }

  @Test func `leaves no file a day later, but those that another attachment has`() async throws {
    let other = try AttachmentDesk.item("other")
    try await home.write(origin: .server) { try $0.insert(AttachmentDesk.record(other)) }
    _ = try await desk.add("shared")
    _ = try await desk.add("alone")
    let kept = try AttachmentDesk.serve("kept", "shared", to: home, of: other, desk.source)
    _ = try await desk.open(kept)
    try await ItemDAO.deleteWithAttachments(home, [desk.item], at: Self.now)
    #expect(try desk.names().count == 2)
    #expect(try await AttachmentDAO.orphans(home).withoutAttachment.count == 2)
    let found = try await AttachmentDAO.tidy(home, at: Self.later(Self.day))
    #expect(found?.withoutAttachment.count == 2)
    #expect(try desk.names().count == 1)
    #expect(try await AttachmentDAO.orphans(home).isEmpty)
    #expect(try AttachmentDesk.text(try await desk.open(kept)) == "shared")
  }

  @Test func `asks nobody for the file of one that is gone: it isn't sent, missed, or in the way of others`()
    async throws
  {
    let own = try await desk.add("mine alone")
    let held = try desk.serve("held", "theirs")
    try FileManager.default.removeItem(atPath: try await desk.open(held))
    try await ItemDAO.deleteWithAttachments(home, [desk.item], at: Self.now)
    #expect(try await AttachmentDAO.sendFiles(home, through: desk.source).isEmpty)
    #expect(try await AttachmentDAO.verify(home).faults.isEmpty)
    #expect(try await AttachmentDAO.orphans(home).withoutFile.isEmpty)
    #expect(try await AttachmentDAO.evict(home, to: 0).unsent == 10)
    try await AttachmentDAO.removeOrphans(home)
    #expect(try desk.names().isEmpty)
    #expect(try await AttachmentDAO.find(home, own.id) == nil)
  }

  @Test func `by the server leaves a file for a day from when that is known here, however old it is`()
    async throws
  {
    for name in ["a", "b"] { _ = try await desk.open(try desk.serve(name, "content \(name)")) }
    try AttachmentDesk.pull("a", nil, to: home, revision: 2)
    #expect(try await AttachmentDAO.usage(home).unsent == 0)
    try await AttachmentDAO.tidy(home, at: Self.now)
    try await AttachmentDAO.tidy(home, at: Self.later(Self.day - 1))
    #expect(try desk.names().count == 2)
    try await AttachmentDAO.tidy(home, at: Self.later(Self.day))
    #expect(try desk.names().count == 1)
    try AttachmentDesk.pull("b", nil, to: home, revision: 2)
    #expect(try await AttachmentDAO.evict(home, to: 0).files == 1)
    #expect(try desk.names().isEmpty)
  }

  @Test func `in a folder takes theirs along, and gives all of it back`() async throws {
    let folder = try #require(FolderID("f"))
    try await FolderDAO.create(home, folder, name: "f")
    try await ItemDAO.move(home, [desk.item], to: folder)
    let own = try await desk.add("mine")
    let (deletion, attachments) = try await delete(folder, .delete)
    #expect(attachments == [own])
    #expect(try await ids(of: home).isEmpty)
    try await home.write { transaction in
      try FolderDAO.restore(transaction, deletion)
      try AttachmentDAO.restore(transaction, attachments)
    }
    #expect(try await FolderDAO.find(home, folder) != nil)
    #expect(try await ItemDAO.find(home, desk.item)?.folder == folder)
    #expect(try AttachmentDesk.text(try await desk.open(own.id)) == "mine")
    #expect(try await delete(folder, .move(to: nil)).1 == [])
    #expect(try await ids(of: home) == [own.id.rawValue])
  }

  private func delete(_ folder: FolderID, _ contents: FolderContents) async throws -> (
    FolderDeletion, [Attachment]
  ) {
    try await home.write { transaction in
      let deletion = try FolderDAO.delete(transaction, folder, contents)
      let items = deletion.items.deleted.map(\.id)
      return (deletion, try AttachmentDAO.remove(transaction, of: items, at: Self.now))
    }
  }

  @Test func `waits for no attachments that are off, or that still cross`() async throws {
    let without = try GoldenAccounts([.folder, .item])
    try await without.home.write { [item = desk.item] in try $0.insert(AttachmentDesk.record(item)) }
    let deletion = try await ItemDAO.deleteWithAttachments(without.home, [desk.item], at: Self.now)
    #expect(deletion.items.count == 1 && deletion.attachments.isEmpty)
    try desk.serve("a", "one")
    try await desk.accounts.store.device.write(origin: .crossing) {
      try $0.shutGate(reason: "attachments cross", tables: ["attachment", "attachment_file"])
    }
    #expect(try await ItemDAO.deleteWithAttachments(home, [desk.item], at: Self.now).attachments.isEmpty)
    #expect(try await ids(of: home) == ["a"])
  }

  @Test func `is tidied up after by nobody while a file is being fetched, and makes no folder`() async throws
  {
    #expect(try await AttachmentDAO.tidy(home, at: .max) == AttachmentDAO.Orphans())
    #expect(!FileManager.default.fileExists(atPath: AttachmentDAO.folder(of: home)))
    _ = try await desk.open(try desk.serve("a", "content"))
    try AttachmentDesk.pull("a", nil, to: home, revision: 2)
    let lock = try ProcessLock(path: AttachmentDAO.folder(of: home) + "/.fetching", files: FileOperations())
    #expect(try await AttachmentDAO.tidy(home, at: .max) == nil)
    withExtendedLifetime(lock) {}
    #expect(try desk.names().count == 1)
  }
}
