import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite struct `A store of a build that knew no files` {
  @Test func `opens with its attachments, all of them remote`() async throws {
    let folder = try GoldenFolder()
    let url = folder.url.appendingPathComponent("ferry.sqlite")
    let others = [Domain.folder.schema, Domain.item.schema]
    let id = try #require(AttachmentID("x"))
    let attachment = Attachment(
      id: id, item: nil, fileName: "a", byteSize: 1, mimeType: "t", checksum: nil)
    let account = try AccountID(server: "home", user: "alice")
    let old = try Store.open(
      at: url, schemas: others + [Schema(owner: "attachment", tables: [Attachment.table.declaration])])
    try await old.addAccount(account).write { try $0.insert(attachment) }
    await old.close()
    let new = try Store.open(at: url, schemas: others + [Domain.attachment.schema])
    let entries = try await AttachmentDAO.entries(new.account(account))
    #expect(entries == [AttachmentEntry(attachment: attachment, file: nil)])
    #expect(entries.map(\.state) == [.remote])
    await new.close()
  }
}
