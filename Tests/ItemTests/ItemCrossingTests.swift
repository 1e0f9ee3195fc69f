import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct ItemCrossingTests {
  /// The items that were never sent, from the fixtures' own description.
  static let unsent: [String: [Int64]] = [
    "alice": [23, 51, 54, 151, 191, 203, 236, 267, 269, 299, 306],
    "bob": [45, 68, 113, 146, 196, 204, 239, 275, 276, 283, 297],
  ]
  /// The items that the demo's server never got, and those that it deleted since.
  static let lost = ["alice": "i19", "bob": "i23"]
  static let deleted = ["alice": "i36", "bob": "i30"]

  @Test(arguments: Golden.users)
  func `After the refill the items are the server's, and those that it never had`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder, .item])
    let unsent = try LegacyItems.items(of: user).filter { $0.remoteID == nil }
    let remote = try GoldenRemote(user, "items").map(LegacyItems.item)
    let expected = (unsent + remote).sorted { LegacyItems.precedes($0.id.rawValue, $1.id.rawValue) }
    #expect(expected.count == 301)
    #expect(differences(try crossed.all(Item.self, of: user), expected) == [])
  }

  @Test(arguments: Golden.users)
  func `Every item that was never sent is in the store and in the outbox, and nothing else is`(user: String)
    async throws
  {
    let crossed = try await GoldenCrossing([.folder, .item])
    let keys = Set(Self.unsent[user, default: []].map { "i\($0)" })
    let (items, outbox) = try await crossed.account(user).read { snapshot in
      (try snapshot.fetch(Item.where { $0.remoteID == nil }), try snapshot.outbox())
    }
    #expect(Set(items.map(\.id.rawValue)) == keys)
    #expect(Set(outbox.map(\.key)) == keys)
    #expect(outbox.allSatisfy { $0.table == "item" && $0.operation == .put && $0.base == .unknown })
  }

  @Test(arguments: Golden.users)
  func `Of 300 items 11 are carried, 288 come back, and the one that doesn't is set aside whole`(user: String)
    async throws
  {
    let crossed = try await GoldenCrossing([.folder, .item])
    let tally = try crossed.tally("item", of: user)
    #expect((tally.read, tally.written, tally.left, tally.quarantined) == (300, 11, 288, 1))
    #expect((tally.merged, tally.discarded, tally.resynced) == (0, 0, 290))
    let aside = try await crossed.store.device.read { snapshot in
      try snapshot.fetch(QuarantinedRow.where { $0.account == "\(user)@home" })
    }
    let row = try #require(aside.first)
    #expect(aside.count == 1)
    #expect(row.reason == "the server did not return it")
    let content = try JSONValue.parse(text: row.content)
    #expect(content["id"]?.integerValue.map { "i\($0)" } == Self.lost[user])
    #expect(content.objectValue?.count == 11)
  }

  @Test(arguments: Golden.users)
  func `What the server deleted since is gone, and counts as returned`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder, .item])
    let id = try #require(Self.deleted[user].flatMap { ItemID($0) })
    #expect(try await ItemDAO.find(crossed.account(user), id) == nil)
    let state = try await crossed.account(user).read { try $0.remoteState(of: Item.self, id) }
    #expect(state != nil)
    #expect(state?.json == nil)
  }

  @Test(arguments: Golden.users)
  func `Carried by copy, items are those of the legacy file, byte for byte`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder, .item], copying: true)
    let legacy = try LegacyItems.items(of: user)
    #expect(differences(try crossed.all(Item.self, of: user), legacy) == [])
    #expect(try crossed.tally("item", of: user).written == 300)
    #expect(try crossed.account(user).blockingRead { try $0.outboxCount() } == 0)
  }

  @Test(arguments: Golden.users)
  func `An item whose link to its folder is null is in the folder of its row number`(user: String)
    async throws
  {
    let crossed = try await GoldenCrossing([.folder, .item], copying: true)
    let rows = try Golden(user).rows(of: "NoteSummary").filter { try $0.value("container").isNull }
    #expect(rows.count == (user == "alice" ? 10 : 11))
    for row in rows {
      let item = try #require(try await ItemDAO.find(crossed.account(user), row.key("id")))
      #expect(item.folder?.rawValue == "i\(try row.integer("containerRowID"))")
    }
  }

  @Test func `Items of one account are in none of the other's lists`() async throws {
    let crossed = try await GoldenCrossing([.folder, .item])
    let (alice, bob) = (try crossed.account("alice"), try crossed.account("bob"))
    let folder = try #require(FolderID("8f3d1c52-6b0e-4a7d-9c41-2e5f7a90b613"))
    #expect(try await ItemDAO.list(alice, ItemFilter(in: .folder(folder))).map(\.title) == ["Packing list"])
    #expect(try await ItemDAO.list(bob, ItemFilter(in: .folder(folder))).isEmpty)
    #expect(try await FolderDAO.counts(bob)[folder] == FolderCounts.Count())
  }
}
