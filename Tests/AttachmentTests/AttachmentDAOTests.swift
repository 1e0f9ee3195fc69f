import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct AttachmentDAOTests {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore
  private let item: ItemID

  init() throws {
    accounts = try GoldenAccounts([.folder, .item, .attachment])
    (home, work) = (accounts.home, accounts.work)
    item = try #require(ItemID("i"))
  }

  private func attachment(_ id: String, _ fileName: String, of item: ItemID?) throws -> Attachment {
    Attachment(
      id: try #require(AttachmentID(id)), item: item, fileName: fileName, byteSize: 1, mimeType: "text/plain",
      checksum: nil)
  }

  @Test func `list gives what is attached to one item by file name, an account's alone`() async throws {
    let attachments = [
      try attachment("1", "b", of: item), try attachment("2", "a", of: item),
      try attachment("3", "c", of: nil),
    ]
    try await home.write { try $0.insert(attachments) }
    #expect(try await AttachmentDAO.list(home, of: item).map(\.fileName) == ["a", "b"])
    #expect(try await AttachmentDAO.list(home, of: try #require(ItemID("j"))).isEmpty)
    #expect(try await AttachmentDAO.list(work, of: item).isEmpty)
  }

  @Test func `find gives the attachment, and nil where the account has none`() async throws {
    let attachment = try attachment("1", "a", of: item)
    try await home.write { try $0.insert(attachment) }
    #expect(try await AttachmentDAO.find(home, attachment.id) == attachment)
    #expect(try await AttachmentDAO.find(work, attachment.id) == nil)
  }
}
