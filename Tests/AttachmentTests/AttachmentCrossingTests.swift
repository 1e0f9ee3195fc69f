import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite struct AttachmentCrossingTests {
  private static let domains: [Domain] = [.folder, .item, .attachment]

  private func legacy(_ user: String) throws -> [Attachment] {
    let attachments = try Golden(user).rows(of: "NoteAttachment").map { row in
      Attachment(
        id: try row.key("id"), item: try row.target("item"), fileName: try row.text("fileName"),
        byteSize: try row.integer("byteSize"), mimeType: try row.text("mimeType"),
        checksum: try row.ifAny("checksum", row.bytes))
    }
    return attachments.sorted { $0.id.rawValue.utf8.lexicographicallyPrecedes($1.id.rawValue.utf8) }
  }

  @Test(arguments: Golden.users)
  func `After the refill the attachments are those that the server has`(user: String) async throws {
    let crossed = try await GoldenCrossing(Self.domains)
    let expected = try GoldenRemote(user, "attachments").map { id, record in
      Attachment(
        id: id, item: try record.ifPresent("item").flatMap { ItemID(try $0.text()) },
        fileName: try record.text("fileName"), byteSize: try record.integer("byteSize"),
        mimeType: try record.text("mimeType"),
        checksum: try record.ifPresent("checksum").flatMap { Data(base64Encoded: try $0.text()) })
    }
    #expect(expected.count == 60)
    #expect(differences(try crossed.all(Attachment.self, of: user), expected) == [])
  }

  @Test(arguments: Golden.users)
  func `Carried by copy, attachments are those of the legacy file, byte for byte`(user: String) async throws {
    let crossed = try await GoldenCrossing(Self.domains, copying: true)
    #expect(differences(try crossed.all(Attachment.self, of: user), try legacy(user)) == [])
  }

  @Test(arguments: [("alice", 3, 15), ("bob", 2, 6)])
  func `Those of no item and those without a checksum are kept as they are`(
    user: String, ofNoItem: Int, withoutChecksum: Int
  ) async throws {
    let crossed = try await GoldenCrossing(Self.domains)
    let attachments = try crossed.all(Attachment.self, of: user)
    #expect(attachments.count { $0.item == nil } == ofNoItem)
    #expect(attachments.count { $0.checksum == nil } == withoutChecksum)
    #expect(attachments.compactMap(\.checksum).allSatisfy { $0.count == 32 })
  }

  @Test(arguments: Golden.users)
  func `Every legacy attachment is left to the server, and none waits to be sent`(user: String) async throws {
    let crossed = try await GoldenCrossing(Self.domains)
    let tally = try crossed.tally("attachment", of: user)
    #expect((tally.read, tally.left, tally.written, tally.quarantined) == (60, 60, 0, 0))
    let outbox = try await crossed.account(user).read { try $0.outbox() }
    #expect(outbox.allSatisfy { $0.table != "attachment" })
  }

  @Test func `What is attached is listed with its item, of one account`() async throws {
    let crossed = try await GoldenCrossing(Self.domains)
    let renamed = try #require(
      try crossed.all(Attachment.self, of: "alice").first { $0.fileName == "회의록.bin" })
    let item = try #require(renamed.item)
    #expect(try await AttachmentDAO.list(crossed.account("alice"), of: item).contains { $0.id == renamed.id })
    #expect(try await AttachmentDAO.find(crossed.account("bob"), renamed.id) == nil)
  }
}
