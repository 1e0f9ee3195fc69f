import FerryKernel
import FerryStore
import FolderDomain
import TestKit
import Testing

@Suite struct FolderDAOTests {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore
  private let id: FolderID

  init() throws {
    accounts = try GoldenAccounts([.folder])
    (home, work) = (accounts.home, accounts.work)
    id = try #require(FolderID("f"))
  }

  private func folder(_ id: String, _ name: String, order: Int64 = 0, in parent: FolderID? = nil) throws
    -> Folder
  {
    Folder(id: try #require(FolderID(id)), name: name, type: .primary, sortOrder: order, parent: parent)
  }

  @Test func `list gives the folders of one folder in their order, equal ones by key`() async throws {
    let folders = [
      try folder("b", "second", order: 1), try folder("a", "third", order: 1),
      try folder("c", "first", order: -1),
      try folder("d", "inner", in: FolderID("a")),
    ]
    try await home.write { try $0.insert(folders) }
    #expect(try await FolderDAO.list(home).map(\.id.rawValue) == ["c", "a", "b"])
    #expect(try await FolderDAO.list(home, in: FolderID("a")).map(\.name) == ["inner"])
    #expect(try await FolderDAO.list(home, in: FolderID("d")).isEmpty)
  }

  @Test func `list of one account has nothing of another with the same keys`() async throws {
    let (here, there) = (try folder("f", "home"), try folder("f", "work"))
    try await home.write { try $0.insert(here) }
    #expect(try await FolderDAO.list(work).isEmpty)
    try await work.write { try $0.insert(there) }
    #expect(try await FolderDAO.list(home).map(\.name) == ["home"])
    #expect(try await FolderDAO.list(work).map(\.name) == ["work"])
  }

  @Test func `find gives the folder, and nil where the account has none`() async throws {
    let folder = try folder("f", "home")
    var generator = SplitMix64(seed: 1)
    let absent = FolderID.make(using: &generator)
    try await home.write { try $0.insert(folder) }
    #expect(try await FolderDAO.find(home, id) == folder)
    #expect(try await FolderDAO.find(home, absent) == nil)
    #expect(try await FolderDAO.find(work, id) == nil)
  }

  @Test func `the first folder is none where there is none, whoever else has some`() async throws {
    #expect(try await FolderDAO.first(home) == nil)
    let folders = [try folder("b", "second", order: 2), try folder("a", "first", order: 1)]
    try await work.write { try $0.insert(folders) }
    #expect(try await FolderDAO.first(home) == nil)
    #expect(try await FolderDAO.first(work)?.name == "first")
  }

  @Test func `list of the top has what lies in a folder that is gone, and tree the same`() async throws {
    let folders = [
      try folder("a", "lost", in: FolderID("gone")), try folder("b", "inner", in: FolderID("a")),
    ]
    try await home.write { try $0.insert(folders) }
    #expect(try await FolderDAO.list(home).map(\.name) == ["lost"])
    #expect(try await FolderDAO.list(home, in: FolderID("gone")).isEmpty)
    #expect(try await FolderDAO.tree(home).branches.map(\.depth) == [0, 1])
    #expect(try await FolderDAO.tree(work).branches.isEmpty)
  }
}
