import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

/// Two accounts with folders and items, and what their writes are heard to do.
struct ItemDesk {
  let accounts: GoldenAccounts
  var home: AccountStore { accounts.home }
  var work: AccountStore { accounts.work }

  init() throws { accounts = try GoldenAccounts([.folder, .item]) }

  static let seed = ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap(UInt64.init) ?? 20_261_130

  /// Puts the same records into both accounts, as a server does, so that nothing waits to be sent.
  func serve(folders: [String] = [], _ items: [Item]) throws {
    let folders = try folders.map { id in
      Folder(id: try folderID(id), name: id, type: .primary, sortOrder: 0, parent: nil)
    }
    for account in [home, work] {
      try account.blockingWrite(origin: .server) { transaction in
        try transaction.insert(folders)
        _ = try transaction.insert(items)
      }
    }
  }

  func items(_ account: AccountStore) throws -> [Item] {
    try account.blockingRead { try $0.fetch(Item.all) }
  }

  func outbox(_ account: AccountStore) throws -> Set<String> {
    Set(try account.blockingRead { try $0.outbox().map(\.key) })
  }

  /// What somebody hears of an account while `body` runs.
  func commits(_ account: AccountStore, _ body: () async throws -> Void) async throws -> [ChangeSet] {
    let changes = try await account.changes()
    try await body()
    let mark = Draft(
      id: try draftID("the last of all"), item: nil, title: "", body: "", createdAt: .min, updatedAt: .min)
    try await account.write { _ = try $0.insert(mark) }
    var sets: [ChangeSet] = []
    for try await set in changes {
      if set.changes.contains(where: { $0.key == .text(mark.id.rawValue) }) { break }
      sets.append(set)
    }
    try await account.write { _ = try $0.delete(Draft.self, mark.id) }
    return sets
  }

  /// Asserts that `body` throws `error`, that nobody hears of a commit, and that nothing of either account differs.
  func refuses<Failure: Error & Equatable>(_ error: Failure, _ body: () async throws -> Void) async throws {
    let before = try content()
    let sets = try await commits(home) {
      await #expect(throws: error) { try await body() }
    }
    #expect(sets.isEmpty)
    #expect(try content() == before)
  }

  /// All that both accounts have.
  func content() throws -> [[StoredValue]] {
    try [home, work].flatMap { account in
      try account.blockingRead { snapshot in
        try [Folder.table.declaration, Item.table.declaration, Draft.table.declaration].flatMap {
          try snapshot.rows(of: $0, limit: .max)
        }
      }
    }
  }
}

func item(
  _ id: String, at time: Int64 = 0, in folder: String? = nil, isRead: Bool = false, isStarred: Bool? = nil,
  preview: String? = nil, tags: [String] = []
) throws -> Item {
  Item(
    id: try itemID(id), remoteID: nil, folder: try folder.map(folderID), title: id, preview: preview,
    isRead: isRead, isStarred: isStarred, updatedAt: Timestamp(nanoseconds: time), score: nil, tags: tags)
}

func itemID(_ text: String) throws -> ItemID { try #require(ItemID(text)) }
func folderID(_ text: String) throws -> FolderID { try #require(FolderID(text)) }
func draftID(_ text: String) throws -> DraftID { try #require(DraftID(text)) }
