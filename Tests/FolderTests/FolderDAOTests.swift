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

  @Test func `rename changes the name alone and puts the folder into the outbox`() async throws {
    let inner = Folder(id: id, name: "old", type: .unknown("smart"), sortOrder: 7, parent: FolderID("p"))
    try await home.write(origin: .server) { try $0.insert(inner) }
    #expect(try await FolderDAO.rename(home, id, to: "a\u{301}"))
    var expected = inner
    expected.name = "a\u{301}"
    #expect(differences([try await FolderDAO.find(home, id)].compactMap(\.self), [expected]) == [])
    let outbox = try await home.read { try $0.outbox() }
    #expect(outbox.map(\.key) == ["f"])
    #expect(outbox.first?.operation == .put)
  }

  @Test func `rename to the same name changes nothing and sends nothing`() async throws {
    let folder = try folder("f", "same")
    try await home.write(origin: .server) { try $0.insert(folder) }
    #expect(try await FolderDAO.rename(home, id, to: "same"))
    #expect(try await home.read { try $0.outboxCount() } == 0)
  }

  @Test func `rename says that the account has no such folder, and leaves the other account's alone`()
    async throws
  {
    let folder = try folder("f", "work")
    try await work.write(origin: .server) { try $0.insert(folder) }
    #expect(try await !FolderDAO.rename(home, id, to: "new"))
    #expect(try await FolderDAO.find(work, id)?.name == "work")
    #expect(try await work.read { try $0.outboxCount() } == 0)
    #expect(try await home.read { try $0.outboxCount() } == 0)
  }
}
