import FerryKernel
import TestKit
import Testing

@testable import FerryStore
@testable import SearchHistoryDomain

/// How SQLite answers what the DAO asks, which doesn't depend on how many rows there are: nobody analyses a store.
@Suite struct `Of a long search history` {
  private func plan(_ query: Query<SearchEntry>) throws -> [String] {
    let accounts = try GoldenAccounts([.searchHistory])
    defer { withExtendedLifetime(accounts) {} }
    return try accounts.home.blockingRead { snapshot in
      let select = try snapshot.render(SearchEntry.self) { renderer throws(StoreError) in
        try renderer.select([.sql(SearchEntry.table.sql.columns)], query)
      }
      var steps: [String] = []
      try snapshot.access.session.connection.run("EXPLAIN QUERY PLAN " + select.sql) {
        try $0.bind(all: select.parameters)
      } row: { row in
        steps.append(try row.text(3))
        return true
      }
      return steps
    }
  }

  @Test func `suggestions are looked for among the terms that begin so, by the key's index`() throws {
    let steps = try plan(SearchHistoryDAO.suggestions("note", 10))
    #expect(steps.first?.hasPrefix("SEARCH search_history USING INDEX") == true, "\(steps)")
    #expect(steps.first?.hasSuffix("(account_key=? AND term>? AND term<?)") == true, "\(steps)")
  }

  @Test func `the latest are read in their order, by the index of their times`() throws {
    let steps = try plan(SearchHistoryDAO.recent(10))
    #expect(steps.first == "SEARCH search_history USING INDEX search_history.searched_at (account_key=?)")
    #expect(!steps.contains("USE TEMP B-TREE FOR ORDER BY"), "\(steps)")
  }
}
