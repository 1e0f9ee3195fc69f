import FerryKernel
import FerryStore
import SearchHistoryDomain
import TestKit
import Testing

@Suite struct SearchHistoryDAOTests {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore

  init() throws {
    accounts = try GoldenAccounts([.searchHistory])
    (home, work) = (accounts.home, accounts.work)
  }

  private func time(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }

  @Test(arguments: [
    ("todo", "  TODO\n"), ("Café", "cafe\u{301}"), ("회의", "\u{1112}\u{116c}\u{110b}\u{1174}"),
    ("ÀÉ", "a\u{300}e\u{301}"),
    ("-1", " -1"),
  ])
  func `Spaces around it, its form and its case don't make another search`(first: String, second: String)
    throws
  {
    let terms = [first, second].compactMap { SearchEntry(text: $0, searchedAt: time(0))?.term }
    try #require(terms.count == 2)
    #expect(terms[0] == terms[1])
  }

  @Test(arguments: [("a b", "ab"), ("a", "á"), ("할일", "할 일"), ("1", "２")])
  func `What is written differently is another search`(first: String, second: String) throws {
    let terms = [first, second].compactMap { SearchEntry(text: $0, searchedAt: time(0))?.term }
    try #require(terms.count == 2)
    #expect(terms[0] != terms[1])
  }

  @Test(arguments: ["", " ", "\n\t\u{3000}"])
  func `Nothing but spaces is no search`(text: String) async throws {
    #expect(SearchEntry(text: text, searchedAt: time(0)) == nil)
    #expect(try await !SearchHistoryDAO.record(home, text, at: time(1)))
    #expect(try await SearchHistoryDAO.recent(home).isEmpty)
  }

  @Test func `record moves a search that was made before to the top, as it is typed now`() async throws {
    for (index, text) in ["milk", "bread", " MILK"].enumerated() {
      #expect(try await SearchHistoryDAO.record(home, text, at: time(Int64(index))))
    }
    #expect(try await SearchHistoryDAO.recent(home).map(\.text) == [" MILK", "bread"])
  }

  @Test func `recent gives the newest and no more than asked for`() async throws {
    for index in 0..<30 { try await SearchHistoryDAO.record(home, "search \(index)", at: time(Int64(index))) }
    #expect(try await SearchHistoryDAO.recent(home).count == 20)
    #expect(try await SearchHistoryDAO.recent(home, limit: 2).map(\.text) == ["search 29", "search 28"])
    #expect(try await SearchHistoryDAO.recent(home, limit: 0).isEmpty)
    #expect(try await SearchHistoryDAO.recent(work).isEmpty)
  }

  @Test func `clear forgets one account's searches and says how many`() async throws {
    try await SearchHistoryDAO.record(home, "milk", at: time(1))
    try await SearchHistoryDAO.record(home, "bread", at: time(2))
    try await SearchHistoryDAO.record(work, "milk", at: time(3))
    #expect(try await SearchHistoryDAO.clear(home) == 2)
    #expect(try await SearchHistoryDAO.clear(home) == 0)
    #expect(try await SearchHistoryDAO.recent(home).isEmpty)
    #expect(try await SearchHistoryDAO.recent(work).map(\.text) == ["milk"])
  }
}
