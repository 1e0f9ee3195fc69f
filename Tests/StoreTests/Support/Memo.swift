import Foundation

@testable import FerryStore

struct Place: Codable, Hashable, Sendable {
  var street: String
  var number: Int?
  var about: [String: Double] = [:]
}

/// A record with lists, values as JSON, and a search index.
struct Memo: Record, Equatable {
  typealias Key = Identifier<Memo>
  let id: Key
  var title = ""
  var preview: String?
  var tags: [String] = []
  var ranks: [Int]?
  var kinds: [FolderKind] = []
  var place: Place?
  var origin = Place(street: "")

  init(_ id: String, title: String = "", preview: String? = nil, tags: [String] = [], ranks: [Int]? = nil) {
    self.id = Identifier(known: id)
    (self.title, self.preview, self.tags, self.ranks) = (title, preview, tags, ranks)
  }

  static let table = Table<Memo>(
    "memo", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("title", \.title), Column("preview", \.preview),
    Column("tags", members: \.tags), Column("ranks", members: \.ranks), Column("kinds", members: \.kinds),
    Column("place", json: \.place), Column("origin", json: \.origin),
    search: SearchIndex(\.title, \.preview, \.tags)
  ) { id, title, preview, tags, ranks, kinds, place, origin in
    var memo = Memo(id.rawValue, title: title, preview: preview, tags: tags, ranks: ranks)
    (memo.kinds, memo.place, memo.origin) = (kinds, place, origin)
    return memo
  }

  /// What the store lists of a memo's side tables.
  static let sides = [
    "memo:members:kinds", "memo:members:ranks", "memo:members:tags", "memo:search", "memo:searched",
  ]
}

/// A store with memos and two accounts, which have the same keys.
struct Desk {
  let sandbox = Sandbox()
  let store: Store
  let account: AccountStore
  let other: AccountStore

  static let schema = Schema(owner: "desk", tables: [Memo.table.declaration])

  init(clock: any Clock<Duration> = ContinuousClock()) throws {
    store = try sandbox.open([Desk.schema], clock: clock)
    account = try store.addAccount(alice)
    other = try store.addAccount(bob)
  }

  func ids(_ query: Query<Memo>, of account: AccountStore? = nil) throws -> [String] {
    try (account ?? self.account).blockingRead { try $0.fetch(query).map(\.id.rawValue) }
  }

  /// What is wrong beside the rows of both accounts.
  func faults() throws -> [SideFaults] {
    try [account, other].map { try $0.blockingWrite { try $0.checkSides(of: Memo.table.declaration) } }
      .filter { !$0.isEmpty }
  }

  /// How many rows there are in a table of the file, whoever's.
  func rowCount(_ table: String) throws -> Int64? {
    try account.blockingRead {
      try $0.access.session.connection.integer("SELECT count(*) FROM \"\(table)\"", acrossAccounts: "a test")
    }
  }
}
