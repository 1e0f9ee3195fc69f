import Foundation
import Testing

@testable import FerryStore

/// A domain whose table came to have a list, a search index, another one, and neither.
private enum Pages {
  struct Plain: Record, Equatable {
    typealias Key = Int64
    let id: Int64
    var text: String
    var tags: String
    static let table = Table<Plain>(
      "page", key: \.id, columns: Column("id", \.id), Column("text", \.text), Column("tags", \.tags),
      make: Plain.init)
  }

  struct Listed: Record, Equatable {
    typealias Key = Int64
    let id: Int64
    var text: String
    var tags: [String]
    static let table = declare(nil)
    static let searched = declare(SearchIndex(\.text))
    static let searchedWider = declare(SearchIndex(\.text, \.tags))

    private static func declare(_ search: SearchIndex<Listed>?) -> Table<Listed> {
      Table<Listed>(
        "page", key: \.id, columns: Column("id", \.id), Column("text", \.text),
        Column("tags", members: \.tags),
        search: search, make: Listed.init)
    }
  }

  struct Renamed: Record, Equatable {
    typealias Key = Int64
    let id: Int64
    var body: String
    var labels: [String]?
    var topics: [String]
    static let table = Table<Renamed>(
      "page", key: \.id, columns: Column("id", \.id), Column("body", \.body),
      Column("labels", members: \.labels), Column("topics", members: \.topics),
      search: SearchIndex(\.body, \.labels, \.topics), make: Renamed.init)
  }

  private static let id = FrozenColumn("id", Int64.self)
  private static let tables = [
    [Plain.table.declaration], [Listed.table.declaration], [Listed.searched.declaration],
    [Listed.table.declaration], [Listed.searchedWider.declaration], [Renamed.table.declaration],
    [Renamed.table.declaration], [],
  ]
  /// What leads to each version from the one before; the first has none.
  private static let steps: [[SchemaChange]] = [
    [], [.createMembers(of: "tags", in: "page")], [.createSearch(in: "page")],
    [.dropSearch(in: "page", ["text"])], [.createSearch(in: "page")],
    [
      .rebuild(
        FrozenTable(
          "page", key: "id",
          columns: [id, FrozenColumn("text", String.self), FrozenColumn("tags", members: String.self)],
          search: ["text", "tags"]),
        columns: ["body": .column("text"), "labels": .column("tags")].merging(
          ["topics": .value(.text("[]"))]) { $1 })
    ],
    [
      .empty(
        FrozenTable(
          "page", key: "id",
          columns: [
            id, FrozenColumn("body", String.self),
            FrozenColumn("labels", members: String.self, isOptional: true),
            FrozenColumn("topics", members: String.self),
          ], search: ["body", "labels", "topics"]))
    ],
    [
      .dropTable(
        FrozenTable(
          "page", key: "id",
          columns: [
            id, FrozenColumn("body", String.self),
            FrozenColumn("labels", members: String.self, isOptional: true),
            FrozenColumn("topics", members: String.self),
          ], search: ["body", "labels", "topics"]))
    ],
  ]

  static func schema(_ version: Int) -> Schema {
    Schema(owner: "pages", tables: tables[version - 1], changes: Array(steps[..<version].joined()))
  }
  static let last = tables.count
}

@Suite struct `A change of a schema with side tables` {
  let sandbox = Sandbox()

  private func listing() throws -> [String] {
    let connection = try Connection(path: sandbox.file.path, readOnly: true)
    var lines: [String] = []
    for sql in [
      "SELECT name || ': ' || coalesce(sql, '') FROM sqlite_schema",
      "SELECT owner || ' ' || version || ' ' || checksum FROM store_schema",
    ] {
      try connection.run(sql) { _ in
      } row: { row in
        lines.append(try row.text(0))
        return true
      }
    }
    return lines.sorted()
  }

  private static let pairs = (1...Pages.last).flatMap { from in (from...Pages.last).map { (from, $0) } }

  @Test(arguments: pairs) func `leads from any number to any later one`(from: Int, to: Int) throws {
    do {
      let account = try sandbox.open([Pages.schema(from)]).addAccount(alice)
      if from == 1 {
        try account.blockingWrite { try $0.insert(Pages.Plain(id: 1, text: "a", tags: "[\"b\"]")) }
      }
    }
    do { _ = try sandbox.open([Pages.schema(to)]) }
    let changed = try listing()
    let fresh = `A change of a schema with side tables`()
    do { _ = try fresh.sandbox.open([Pages.schema(to)]) }
    #expect(try changed == fresh.listing())
    do { _ = try sandbox.open([Pages.schema(to)]) }
    #expect(try changed == listing())
  }

  @Test func `fills them from the rows, of every account`() throws {
    do {
      let store = try sandbox.open([Pages.schema(1)])
      for id in [alice, bob] {
        try store.addAccount(id).blockingWrite { transaction in
          try transaction.insert([
            Pages.Plain(id: 1, text: "First of \(id)", tags: "[\"x\", \"\\u00e9\"]"),
            Pages.Plain(id: 2, text: "Second", tags: "[]"),
          ])
        }
      }
    }
    func open(_ version: Int) throws -> AccountStore {
      try sandbox.open([Pages.schema(version)]).account(bob)
    }
    do {
      let theirs = try open(2)
      #expect(
        try theirs.blockingRead { try $0.fetch(Pages.Listed.where { $0.tags.contains("é") }) } == [
          Pages.Listed(id: 1, text: "First of bob@home", tags: ["x", "é"])
        ])
    }
    do {
      let theirs = try open(3)
      func ids(_ text: String) throws -> [Int64] {
        let terms = SearchTerms(text)
        let search = try #require(Pages.Listed.searched.declaration.sides.search)
        let node = Node.beside(.root, BesideSelect(kind: .words(terms, search)))
        return try theirs.blockingRead { snapshot in
          try snapshot.fetch(Pages.Listed.where { _ in QueryExpression(node: node) }).map(\.id)
        }
      }
      #expect(try ids("first bob") == [1])
      #expect(try ids("alice") == [] && ids("x") == [])
      #expect(try theirs.blockingWrite { try $0.checkSides(of: Pages.Listed.searched.declaration) }.isEmpty)
    }
    do {
      #expect(
        try open(5).blockingWrite { try $0.checkSides(of: Pages.Listed.searchedWider.declaration) }.isEmpty)
    }
    let theirs = try open(6)
    #expect(try theirs.blockingRead { try $0.fetch(Pages.Renamed.matching("first x")).map(\.id) } == [1])
    #expect(
      try theirs.blockingRead { try $0.fetch(Pages.Renamed.where { $0.labels.contains("x") }).map(\.id) } == [
        1
      ])
    #expect(try theirs.blockingWrite { try $0.checkSides(of: Pages.Renamed.table.declaration) }.isEmpty)
  }

  @Test func `that finds a text that is no list is an error, and leaves the store as it was`() throws {
    do {
      let account = try sandbox.open([Pages.schema(1)]).addAccount(alice)
      try account.blockingWrite { try $0.insert(Pages.Plain(id: 1, text: "", tags: "x, y")) }
    }
    let before = try listing()
    #expect(throws: StoreError.badValue(column: "tags", expected: "list")) {
      try sandbox.open([Pages.schema(2)])
    }
    #expect(try listing() == before)
  }

  @Test func `counts every part of a side table as declared: another one is refused`() throws {
    for sql in [
      "DROP INDEX \"page:members:tags:value\"", "DROP TABLE \"page:members:tags\"",
      "DROP TABLE \"page:search\"",
      "DROP TABLE \"page:searched\"", "CREATE INDEX more ON \"page:members:tags\" (ordinal)",
      "CREATE TABLE \"page:members:other\" (x)",
      "DROP TABLE \"page:search\"; CREATE VIRTUAL TABLE \"page:search\" USING fts5(text_text)",
    ] {
      let sandbox = Sandbox()
      do { _ = try sandbox.open([Pages.schema(5)]) }
      do { try Connection(path: sandbox.file.path, readOnly: false).execute(sql, acrossAccounts: "a test") }
      #expect("\(sql)") {
        _ = try sandbox.open([Pages.schema(5)])
      } throws: { error in
        if case .differentSchema = error as? StoreError { true } else { false }
      }
    }
  }

  static let faulty: [(String, [SchemaChange])] = [
    ("a search index that isn't declared", [.createSearch(in: "page")]),
    ("members of what is no list", [.createMembers(of: "text", in: "page")]),
    ("members of what isn't declared", [.createMembers(of: "absent", in: "page")]),
    ("a dropped search index over nothing", [.dropSearch(in: "page", [])]),
    ("a dropped search index over what was no column", [.dropSearch(in: "page", ["absent"])]),
    ("a dropped search index over what was no text", [.dropSearch(in: "page", ["id"])]),
  ]

  @Test(arguments: faulty.indices) func `that doesn't lead to what is declared is refused`(index: Int) throws
  {
    let (what, changes) = Self.faulty[index]
    let schema = Schema(owner: "pages", tables: [Pages.Listed.table.declaration], changes: changes)
    #expect("\(what)") {
      _ = try sandbox.open([schema])
    } throws: { error in
      if case .badDeclaration = error as? StoreError { true } else { false }
    }
  }
}
