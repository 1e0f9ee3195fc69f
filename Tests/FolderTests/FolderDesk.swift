import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import TestKit
import Testing

/// Two accounts with folders, and what their writes are heard to do.
struct FolderDesk {
  let accounts: GoldenAccounts
  var home: AccountStore { accounts.home }
  var work: AccountStore { accounts.work }

  init() throws { accounts = try GoldenAccounts([.folder]) }

  /// The seed of generated cases: `FERRY_SEED`, so that a run can be had again, or a fixed one.
  static let seed = ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap(UInt64.init) ?? 20_261_130

  /// Puts the same folders into both accounts, as a server does, so that nothing waits to be sent.
  func serve(_ folders: [Folder]) throws {
    for account in [home, work] { try account.blockingWrite(origin: .server) { _ = try $0.insert(folders) } }
  }

  func all(_ account: AccountStore) throws -> [Folder] {
    try account.blockingRead { try $0.fetch(Folder.all) }
  }

  /// How many commits somebody hears of an account while `body` runs.
  func commits(_ account: AccountStore, _ body: () async throws -> Void) async throws -> [ChangeSet] {
    let changes = try await account.changes()
    try await body()
    let mark = try folder("the last of all")
    try await account.write { _ = try $0.insert(mark) }
    var sets: [ChangeSet] = []
    for try await set in changes {
      if set.changes.contains(where: { $0.key == .text(mark.id.rawValue) }) { break }
      sets.append(set)
    }
    try await account.write(origin: .server) { _ = try $0.delete(Folder.self, mark.id) }
    return sets
  }

  /// Asserts that `body` throws `error`, that nobody hears of a commit, and that no folder of either account differs.
  func refuses<Failure: Error & Equatable>(_ error: Failure, _ body: () async throws -> Void) async throws {
    let before = (try all(home), try all(work))
    let sets = try await commits(home) {
      await #expect(throws: error) { try await body() }
    }
    #expect(sets.isEmpty)
    #expect(try all(home) == before.0)
    #expect(try all(work) == before.1)
  }
}

func folder(_ id: String, _ name: String? = nil, order: Int64 = 0, in parent: String? = nil) throws -> Folder
{
  Folder(
    id: try folderID(id), name: name ?? id, type: .primary, sortOrder: order, parent: try parent.map(folderID)
  )
}

func folderID(_ text: String) throws -> FolderID { try #require(FolderID(text)) }
