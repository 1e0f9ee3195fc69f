import Testing

@testable import FerryStore

@Suite struct `A record fetched with the one that it refers to` {
  let cabinet: Cabinet
  private let pairs = Everything.all.with(Folder.self, by: \.folder)

  init() throws { cabinet = try Cabinet() }

  @Test func `comes with it, or with nil where the reference is nil or leads nowhere`() throws {
    let found = try cabinet.account.blockingRead { try $0.fetch(pairs) }
    #expect(found.map(\.record.id) == [1, 2, 3, 4, 5, 6])
    #expect(found.map(\.target?.name) == ["Inbox", "Inbox", "Old", nil, nil, "Deep"])
    #expect(found[0].target == Cabinet.folders[0])
  }

  @Test func `keeps to the query's condition, order and limit`() throws {
    let query = Everything.where { !$0.flag || $0.joined(Folder.self, by: \.folder).kind == .archived }
      .order { $0.joined(Folder.self, by: \.folder).name.descending }.limit(3)
    let found = try cabinet.account.blockingRead { try $0.fetch(query.with(Folder.self, by: \.folder)) }
    #expect(found.map(\.record.id) == [3, 1, 5])
    let first = try cabinet.account.blockingRead { try $0.first(query.with(Folder.self, by: \.folder)) }
    #expect(first?.target?.name == "Old")
  }

  @Test func `of one table is two rows of it`() throws {
    let found = try cabinet.account.blockingRead { try $0.fetch(Folder.all.with(Folder.self, by: \.parent)) }
    #expect(found.map(\.record.id.rawValue) == ["deep", "empty", "in", "old"])
    #expect(found.map(\.target?.id.rawValue) == ["old", nil, nil, "in"])
  }

  @Test func `is observed with it`() async throws {
    var seen = cabinet.account.observe(Everything.where { $0.whole == 50 }.with(Folder.self, by: \.folder))
      .makeAsyncIterator()
    #expect(try await seen.next()?.map(\.target?.name) == [nil])
    try await cabinet.account.write { try $0.insert(Folder("gone", name: "Found")) }
    #expect(try await seen.next()?.map(\.target?.name) == ["Found"])
  }

  @Test func `needs a reference that is declared`() throws {
    #expect(throws: StoreError.notAReference(table: "folder", column: "id", to: "folder")) {
      try cabinet.account.blockingRead { try $0.fetch(Folder.all.with(Folder.self, by: \.id)) }
    }
  }
}
