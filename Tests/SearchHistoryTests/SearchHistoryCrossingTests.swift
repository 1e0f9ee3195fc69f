import FerryKernel
import FerryStore
import SearchHistoryDomain
import TestKit
import Testing

@Suite struct SearchHistoryCrossingTests {
  @Test(arguments: Golden.users)
  func `Searches are those of the legacy file, byte for byte and to the nanosecond`(user: String) async throws
  {
    let crossed = try await GoldenCrossing([.searchHistory])
    let expected = try Golden(user).rows(of: "SearchHistory")
      .map { try #require(SearchEntry(text: try $0.text("query"), searchedAt: try $0.time("searchedAt"))) }
      .sorted { $0.term.rawValue.utf8.lexicographicallyPrecedes($1.term.rawValue.utf8) }
    #expect(expected.count == 6)
    #expect(differences(try crossed.all(SearchEntry.self, of: user), expected) == [])
  }

  @Test(arguments: Golden.users)
  func `They stand as they were typed, newest first`(user: String) async throws {
    let crossed = try await GoldenCrossing([.searchHistory])
    let typed = try Golden(user).rows(of: "SearchHistory").sorted {
      try $0.time("searchedAt") > $1.time("searchedAt")
    }
    let recent = try await SearchHistoryDAO.recent(crossed.account(user))
    #expect(recent.map { Array($0.text.utf8) } == (try typed.map { Array(try $0.text("query").utf8) }))
    #expect(recent.map(\.searchedAt) == (try typed.map { try $0.time("searchedAt") }))
  }

  @Test(arguments: Golden.users)
  func `Every legacy row is written and none is sent`(user: String) async throws {
    let crossed = try await GoldenCrossing([.searchHistory])
    let tally = try crossed.tally("search-history", of: user)
    #expect((tally.read, tally.written, tally.merged, tally.quarantined) == (6, 6, 0, 0))
    #expect(try crossed.account(user).blockingRead { try $0.outboxCount() } == 0)
    #expect(Domain.searchHistory.feeds.isEmpty)
  }

  @Test func `Nothing that bob searched for is in alice's history`() async throws {
    let crossed = try await GoldenCrossing([.searchHistory])
    let bobs = Set(try crossed.all(SearchEntry.self, of: "bob").map(\.term))
    #expect(bobs.isDisjoint(with: try crossed.all(SearchEntry.self, of: "alice").map(\.term)))
  }
}
