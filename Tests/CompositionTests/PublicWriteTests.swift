import AttachmentDomain
import Composition
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import SearchHistoryDomain
import SettingDomain
import TestKit
import Testing

/// Every public write of the account-scoped domains: one transaction and so one event, none where it fails, and
/// nothing of another account's, which has the very same rows.
@Suite struct `A public write` {
  private static let now = Timestamp(nanoseconds: 9)
  private static let folder = id("f", FolderID.init)
  private static let other = id("g", FolderID.init)
  private static let item = id("i", ItemID.init)
  private static let draft = id("d", DraftID.init)
  private static let attachment = id("a", AttachmentID.init)
  private static let key = id("k", SettingKey.init)
  private static let gone = "gone"

  private static func id<ID>(_ text: String, _ make: (String) -> ID?) -> ID {
    guard let id = make(text) else { preconditionFailure(text) }
    return id
  }

  /// A folder in another, an item with a tag, a draft, an attachment, a setting and a search.
  private static let filled: @Sendable (AccountStore) async throws -> Void = { account in
    let record = Item(
      id: item, remoteID: 1, folder: folder, title: "t", preview: "p", isRead: false, isStarred: nil,
      updatedAt: now, score: nil, tags: ["old"])
    try await account.write(origin: .server) { transaction in
      try transaction.insert(
        Folder(id: folder, name: "one", type: .primary, sortOrder: 0, parent: nil))
      try transaction.insert(
        Folder(id: other, name: "two", type: .primary, sortOrder: 1, parent: nil))
      try transaction.insert(record)
      try transaction.insert(
        Draft(id: draft, item: nil, title: "t", body: "b", createdAt: now, updatedAt: now))
      try transaction.insert(
        AttachmentDomain.Attachment(
          id: attachment, item: item, fileName: "n", byteSize: 1, mimeType: "t", checksum: nil))
      try SettingDAO.set(transaction, key, to: "old")
      try SearchHistoryDAO.record(transaction, "old", at: now)
    }
  }

  private static func write(
    _ name: String, _ run: @escaping @Sendable (AccountStore) async throws -> Void,
    failing: (@Sendable (AccountStore) async throws -> Void)? = nil
  ) -> PublicWrite {
    PublicWrite(name, prepare: filled, run: run, failing: failing)
  }

  private static let folderWrites = [
    write("create a folder") {
      try await FolderDAO.create($0, id("new", FolderID.init), name: "n", in: folder)
    } failing: {
      try await FolderDAO.create($0, folder, name: " ")
    },
    write("rename a folder") {
      try await FolderDAO.rename($0, folder, to: "n")
    } failing: {
      try await FolderDAO.rename($0, id(gone, FolderID.init), to: "n")
    },
    write("move a folder") {
      try await FolderDAO.move($0, other, to: folder)
    } failing: {
      try await FolderDAO.move($0, folder, to: folder)
    },
    write("reorder folders") {
      try await FolderDAO.reorder($0, [other, folder])
    } failing: {
      try await FolderDAO.reorder($0, [id(gone, FolderID.init)])
    },
    write("delete a folder with what it holds") {
      try await FolderDAO.delete($0, folder, .delete)
    } failing: {
      try await FolderDAO.delete($0, id(gone, FolderID.init), .delete)
    },
    write("delete a folder and move what it holds") {
      try await FolderDAO.delete($0, folder, .move(to: other))
    } failing: {
      try await FolderDAO.delete($0, folder, .move(to: folder))
    },
  ]

  private static let itemWrites = [
    write("mark items") { try await ItemDAO.mark($0, [item], isRead: true) },
    write("mark all items") { try await ItemDAO.markAll($0, ItemFilter(in: .folder(folder)), isRead: true) },
    write("star items") { try await ItemDAO.star($0, [item], isStarred: true) },
    write("tag items") {
      try await ItemDAO.tag($0, [item], "new")
    } failing: {
      try await ItemDAO.tag($0, [item], " ")
    },
    write("untag items") { try await ItemDAO.untag($0, [item], "old") },
    write("move items") {
      try await ItemDAO.move($0, [item], to: other)
    } failing: {
      try await ItemDAO.move($0, [item], to: id(gone, FolderID.init))
    },
    write("delete items") { try await ItemDAO.delete($0, [item]) },
    write("create a draft") {
      try await DraftDAO.create($0, id("new", DraftID.init), at: now)
    } failing: {
      try await DraftDAO.create($0, draft, at: now)
    },
    write("write a draft") {
      try await DraftDAO.write($0, draft, title: "n", body: "", at: now)
    } failing: {
      try await DraftDAO.write($0, id(gone, DraftID.init), title: "", body: "", at: now)
    },
    write("discard a draft") { try await DraftDAO.discard($0, draft) },
    write("promote a draft") {
      try await DraftDAO.promote($0, draft, to: id("new", ItemID.init), in: folder, at: now)
    } failing: {
      try await DraftDAO.promote($0, draft, to: item, in: id(gone, FolderID.init), at: now)
    },
  ]

  private static let otherWrites = [
    write("record a search") {
      try await SearchHistoryDAO.record($0, "new", at: now)
    } failing: {
      try await SearchHistoryDAO.record($0, " ", at: now)
    },
    write("remove a search") {
      try await SearchHistoryDAO.remove($0, "OLD")
    } failing: {
      try await SearchHistoryDAO.remove($0, " ")
    },
    write("clear searches") { try await SearchHistoryDAO.clear($0) },
    write("set a setting") { try await SettingDAO.set($0, key, to: "new") },
    write("reset a setting") { try await SettingDAO.reset($0, key) },
  ]

  private static let attachmentWrites = [
    write("attach a file") {
      try await attach($0, to: item)
    } failing: {
      try await attach($0, to: id(gone, ItemID.init))
    },
    write("delete items with their attachments") {
      try await ItemDAO.deleteWithAttachments($0, [item], at: now)
    },
    write("remove attachments") { try await AttachmentDAO.remove($0, [attachment]) },
    PublicWrite("evict files") { account in
      try await filled(account)
      try await account.write(origin: .server) { transaction in
        try transaction.insert(
          AttachmentFile(
            id: attachment, state: .local,
            hash: id(String(repeating: "0", count: 64), BlobHash.init(rawValue:)),
            byteSize: 1, wasOnServer: true, usedAt: now, reason: nil))
        let json = #"{"attachment":{"hash":"\#(String(repeating: "0", count: 64))","size":1}}"#
        try transaction.setRemoteState(
          RemoteState(revision: 1, json: json), of: AttachmentDomain.Attachment.self, attachment)
      }
    } run: {
      try await AttachmentDAO.evict($0, to: 0)
    },
  ]

  private static func attach(_ account: AccountStore, to item: ItemID) async throws {
    let folder = try GoldenFolder()
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("x"))
    var random = SystemRandomNumberGenerator()
    try await AttachmentDAO.add(account, file: folder.path("x"), to: item, at: now, using: &random)
  }

  @Test(arguments: folderWrites + itemWrites + otherWrites + attachmentWrites)
  func `is one event, none where it fails, and nobody else's`(write: PublicWrite) async throws {
    // Whichever domain's it is, every account-scoped table is looked at.
    let all = Domain(
      "all", "Every domain", tables: RegisteredDomains.all.flatMap(\.tables),
      changes: [], crossings: [])
    #expect(try await CheckDomain(all).violations(of: [write]) == [])
  }
}

extension PublicWrite: CustomTestStringConvertible {
  public var testDescription: String { name }
}
