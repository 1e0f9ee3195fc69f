import Testing

@testable import FerryStore

@Suite struct `A declaration that contradicts itself is refused before a file is made` {
  struct Row: Record {
    typealias Key = Int64
    let id: Int64
    var note: String?
    var parent: Int64?
    static let table = Row.declare()

    static func declare(
      _ name: String = "row", id: String = "id", note: String = "note", tracking: Tracking<Row> = .none,
      indexes: [Index<Row>] = []
    ) -> Table<Row> {
      Table<Row>(
        name, key: \.id, tracking: tracking, columns: Column(id, \.id), Column(note, \.note),
        Column("parent", \.parent, to: Row.self), indexes: indexes,
        make: { Row(id: $0, note: $1, parent: $2) })
    }
  }

  struct Badge: Record {
    typealias Scope = DeviceScope
    typealias Key = Int64
    let id: Int64
    static let table = Table<Badge>(
      "badge", key: \.id, tracking: .all, columns: Column("id", \.id), make: { Badge(id: $0) })
  }

  struct Keyless: Record {
    typealias Key = Int64
    let id: Int64
    var other: Int64
    static let table = Table<Keyless>(
      "keyless", key: \.id, columns: Column("other", \.other), make: { Keyless(id: $0, other: $0) })
  }

  struct Nameless: Record {
    typealias Key = String?
    let id: String?
    static let table = Table<Nameless>(
      "nameless", key: \.id, columns: Column("id", \.id), make: { Nameless(id: $0) })
  }

  private func why(_ tables: TableDeclaration...) throws -> String? {
    let sandbox = Sandbox()
    do {
      _ = try sandbox.open([Schema(owner: "x", tables: tables)])
      return nil
    } catch StoreError.badDeclaration(_, let why) {
      #expect(throws: (any Error).self) { try sandbox.contents() }
      return why
    }
  }

  @Test(arguments: ["Row", "a b", "a\"b", "a.b", "", "1a", "é", "row;drop"])
  func `a name that isn't in snake case`(name: String) throws {
    #expect(try why(Row.declare(name).declaration) == "\"\(name)\" isn't in snake case")
    #expect(try why(Row.declare(note: name).declaration) == "\"\(name)\" isn't in snake case")
  }

  @Test(arguments: ["store_outbox", "sqlite_master"]) func `a reserved name`(name: String) throws {
    #expect(try why(Row.declare(name).declaration) == "its name is reserved")
  }

  @Test(arguments: ["id", "account_key"]) func `two columns of one name`(name: String) throws {
    #expect(try why(Row.declare(note: name).declaration) == "two of its columns have one name")
  }

  @Test func `an index twice, or one that a reference has already`() throws {
    let why = try why(Row.declare(indexes: [Index(\.parent)]).declaration)
    #expect(why == "it has the same index twice; a reference is indexed already")
  }

  @Test func `a device's table that is tracked, since no account could push it`() throws {
    #expect(try why(Badge.table.declaration) == "a table of the device can't be tracked")
  }

  @Test func `a key that is no column, or that may be nil`() throws {
    #expect(try why(Keyless.table.declaration) == "its key is not among its columns")
    #expect(try why(Nameless.table.declaration) == "its key may be nil")
  }

  struct Listed: Record {
    typealias Key = Int64
    let id: Int64
    var tags: [String] = []
    var ranks: [Int] = []
    var note: String? = ""
    var place: Place?

    static func declare(
      indexes: [Index<Listed>] = [], search: SearchIndex<Listed>? = nil
    ) -> Table<Listed> {
      Table<Listed>(
        "listed", key: \.id, columns: Column("id", \.id), Column("tags", members: \.tags),
        Column("ranks", members: \.ranks), Column("note", \.note), Column("place", json: \.place),
        indexes: indexes, search: search, make: Listed.init)
    }
    static let table = declare()
    var key: String { "" }
  }

  @Test func `an index over a list or a value as JSON, or such a key`() throws {
    let sentence = "a list or a value as JSON can't be its key or in an index"
    #expect(try why(Listed.declare(indexes: [Index(\.tags)]).declaration) == sentence)
    #expect(try why(Listed.declare(indexes: [Index(\.note, \.place)]).declaration) == sentence)
  }

  @Test func `an index over nothing`() throws {
    #expect(try why(Listed.declare(indexes: [Index()]).declaration) == "an index names no property")
  }

  @Test func `a search index over nothing, over one property twice, or over what is no text`() throws {
    let sentence = "its search index names no property, one twice, or one that is not among its columns"
    #expect(try why(Listed.declare(search: SearchIndex()).declaration) == sentence)
    #expect(try why(Listed.declare(search: SearchIndex(\.note, \.note)).declaration) == sentence)
    #expect(try why(Listed.declare(search: SearchIndex(\.key)).declaration) == sentence)
    for (path, name): (any PartialKeyPath<Listed> & Sendable, String) in [
      (\.ranks, "ranks"), (\.place, "place"), (\.id, "id"),
    ] {
      #expect(
        try why(Listed.declare(search: SearchIndex(\.tags, path)).declaration)
          == "\(name) is no text in which a search could look")
    }
    #expect(try why(Listed.declare(search: SearchIndex(\.tags, \.note)).declaration) == nil)
  }

  @Test func `as JSON what is a column value`() throws {
    struct Wrapped: Record {
      typealias Key = Int64
      let id: Int64
      var note: String?
      static let table = Table<Wrapped>(
        "wrapped", key: \.id, columns: Column("id", \.id), Column("note", json: \.note), make: Wrapped.init)
    }
    #expect(try why(Wrapped.table.declaration) == "note needn't be JSON: it is a column value")
  }

  @Test func `one table twice`() throws {
    #expect(try why(Row.table.declaration, Row.table.declaration) == "another table has its name")
  }

  @Test func `one owner twice, or an owner with the store's own name`() throws {
    let sandbox = Sandbox()
    for schemas in [[mail, Schema(owner: "mail", tables: [])], [Schema(owner: "store", tables: [])]] {
      #expect { try sandbox.open(schemas) } throws: { error in
        if case .badDeclaration = error as? StoreError { true } else { false }
      }
    }
  }

  @Test func `every keyword of SQL is an ordinary name`() throws {
    struct Keywords: Record, Equatable {
      typealias Key = Int64
      let id: Int64
      var group: String
      static let table = Table<Keywords>(
        "order", key: \.id, columns: Column("select", \.id), Column("group", \.group),
        indexes: [Index(\.group)],
        make: { Keywords(id: $0, group: $1) })
    }
    let sandbox = Sandbox()
    let account = try sandbox.open([Schema(owner: "x", tables: [Keywords.table.declaration])]).addAccount(
      alice)
    let row = Keywords(id: 1, group: "table")
    try account.blockingWrite { try $0.upsert(row) }
    #expect(try account.blockingRead { try $0.fetch(Keywords.where { $0.group == "table" }) } == [row])
  }
}
