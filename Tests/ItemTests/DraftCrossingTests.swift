import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct DraftCrossingTests {
  @Test(arguments: Golden.users)
  func `Drafts are those of the legacy file, byte for byte and to the nanosecond`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder, .item])
    let expected = try LegacyItems.drafts(of: user)
    #expect(expected.count == 8)
    #expect(differences(try crossed.all(Draft.self, of: user), expected) == [])
    // The longest bodies are stored in blobs of their own in the legacy file.
    #expect(expected.contains { $0.body.utf8.count > 100_000 })
  }

  @Test(arguments: Golden.users)
  func `Drafts are never sent, neither by the crossing nor when they are edited`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder, .item])
    let account = try crossed.account(user)
    for var draft in try await DraftDAO.list(account) {
      draft.title += "!"
      try await DraftDAO.save(account, draft)
    }
    #expect(try await account.read { try $0.outbox() }.allSatisfy { $0.table != "draft" })
  }

  @Test(arguments: Golden.users)
  func `Every draft is written although its domain is refilled from the server`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder, .item])
    let tally = try crossed.tally("draft", of: user)
    #expect((tally.read, tally.written, tally.left, tally.quarantined) == (8, 8, 0, 0))
  }
}
