import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct DraftDAOTests {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore
  private let id: DraftID

  init() throws {
    accounts = try GoldenAccounts([.folder, .item])
    (home, work) = (accounts.home, accounts.work)
    id = try #require(DraftID("d"))
  }

  private func draft(_ title: String, id: DraftID? = nil, at time: Int64 = 1) -> Draft {
    Draft(
      id: id ?? self.id, item: nil, title: title, body: "", createdAt: Timestamp(nanoseconds: 1),
      updatedAt: Timestamp(nanoseconds: time))
  }

  @Test func `list gives the draft worked on last first, an account's alone`() async throws {
    for time in [2, 3, 1] as [Int64] {
      try await DraftDAO.save(home, draft("\(time)", id: DraftID("\(time)"), at: time))
    }
    #expect(try await DraftDAO.list(home).map(\.title) == ["3", "2", "1"])
    #expect(try await DraftDAO.list(work).isEmpty)
  }

  @Test func `save writes a draft over itself`() async throws {
    try await DraftDAO.save(home, draft("first"))
    try await DraftDAO.save(home, draft("second", at: 2))
    #expect(try await DraftDAO.list(home) == [draft("second", at: 2)])
  }

  @Test func `save for one account leaves the other's draft of the same key alone`() async throws {
    try await DraftDAO.save(home, draft("home"))
    try await DraftDAO.save(work, draft("work"))
    #expect(try await DraftDAO.list(home).map(\.title) == ["home"])
  }

  @Test func `discard throws a draft away and says whether there was one`() async throws {
    try await DraftDAO.save(home, draft("home"))
    try await DraftDAO.save(work, draft("work"))
    #expect(try await DraftDAO.discard(home, id))
    #expect(try await !DraftDAO.discard(home, id))
    #expect(try await DraftDAO.list(work).map(\.title) == ["work"])
    #expect(try await home.read { try $0.outboxCount() } == 0)
  }
}
