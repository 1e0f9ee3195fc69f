import Testing

@testable import FerryStore

@Suite struct `A query's shape` {
  let cabinet: Cabinet

  init() throws { cabinet = try Cabinet() }

  /// How many statements `body` makes SQLite prepare on its connection when it is run for the second time.
  private func prepares(_ body: (borrowing Snapshot<AccountScope>, Int) throws -> Void) throws -> Int {
    try cabinet.account.blockingRead { snapshot throws in
      try body(snapshot, 0)
      let before = snapshot.access.session.connection.prepareCount
      for number in 1...5 { try body(snapshot, number) }
      return snapshot.access.session.connection.prepareCount - before
    }
  }

  @Test func `is prepared once, whatever its literals are`() throws {
    let prepared = try prepares { snapshot, number throws in
      let text = "\(number)"
      let query = Everything.where {
        $0.whole == number && $0.text.contains(text) && $0.note != text && ($0.score ?? Double(number)) < 3
          && $0.text.ignoringCase.starts(with: text) && (0...number).contains($0.whole)
          && $0.joined(Folder.self, by: \.folder).name == text
          && $0.joined(Folder.self, by: \.folder).has(Folder.self, by: \.parent) { $0.name == text }
      }.order { $0.time.descending }.order { $0.text.ignoringCase.ascending }.limit(number)
      _ = try snapshot.fetch(query)
      _ = try snapshot.fetch(query.after(Cabinet.rows[number]).where { $0.flag })
      _ = try snapshot.fetch(query.with(Folder.self, by: \.folder))
      _ = try snapshot.first(query)
      _ = try snapshot.count(query)
      _ = try snapshot.exists(query)
      _ = try snapshot.count(query, by: { $0.kind }, of: { $0.whole > number })
      _ = try snapshot.distinct(query) { $0.text }
      _ = try snapshot.sum(query) { $0.whole }
      _ = try snapshot.min(query) { $0.time }
      _ = try snapshot.max(query) { $0.due }
      _ = try snapshot.find(Everything.self, Int64(number))
    }
    #expect(prepared == 0)
  }

  @Test func `would be prepared again with its literals in its text`() throws {
    // The faulty way.
    let prepared = try prepares { snapshot, number throws in
      _ = try snapshot.access.session.connection.integer(
        "SELECT count(*) FROM everything WHERE account_key = ? AND whole = \(number)"
      ) { try $0.bind(Int64(1), 1) }
    }
    #expect(prepared == 5)
  }

  @Test func `is one of a few for collections of every size`() throws {
    let prepared = try cabinet.account.blockingRead { snapshot throws in
      let before = snapshot.access.session.connection.prepareCount
      for count in 0...600 {
        let members = [10, 40] + (0..<count).map { -1 - $0 }
        #expect(try snapshot.count(Everything.where { members.contains($0.whole) }) == 2)
      }
      return snapshot.access.session.connection.prepareCount - before
    }
    #expect(prepared <= 11)
  }
}
