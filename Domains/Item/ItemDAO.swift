import FerryStore
import FolderDomain

/// The way in to an account's items.
public enum ItemDAO {
  /// The newest items that a filter takes.
  ///
  /// - Parameters:
  ///   - last: the last item of the page before; nil: from the newest on. It needn't be there any more.
  ///   - limit: how many at most.
  public static func list(
    _ account: AccountStore, _ filter: ItemFilter = ItemFilter(), after last: Item? = nil, limit: Int = 50
  ) async throws -> [Item] {
    try await account.read { try list($0, filter, after: last, limit: limit) }
  }

  public static func list<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, _ filter: ItemFilter = ItemFilter(), after last: Item? = nil, limit: Int = 50
  ) throws -> [Item] where Reader.Scope == AccountScope {
    var pages: [[Item]] = []
    for query in try filter.queries(reader) {
      pages.append(try reader.fetch(page(query, after: last, limit)))
    }
    return merged(pages, limit) { $0 }
  }

  /// The same, now and whenever they are others.
  public static func observe(
    _ account: AccountStore, _ filter: ItemFilter = ItemFilter(), after last: Item? = nil, limit: Int = 50
  ) -> Observation<[Item]> {
    account.observe { try list($0, filter, after: last, limit: limit) }
  }

  /// How many items a filter takes.
  public static func count(_ account: AccountStore, _ filter: ItemFilter = ItemFilter()) async throws -> Int {
    try await account.read { try count($0, filter) }
  }

  public static func count<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, _ filter: ItemFilter = ItemFilter()
  ) throws -> Int where Reader.Scope == AccountScope {
    var count = 0
    for query in try filter.queries(reader) { count += try reader.count(query) }
    return count
  }

  /// How many there are, now and whenever it is another number.
  public static func observeCount(_ account: AccountStore, _ filter: ItemFilter = ItemFilter())
    -> Observation<Int>
  {
    account.observe { try count($0, filter) }
  }

  /// The identifiers of all items that a filter takes, for what is to be done with each; of one folder the newest
  /// first.
  public static func ids<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ filter: ItemFilter) throws
    -> [ItemID]
  where Reader.Scope == AccountScope {
    var ids: [ItemID] = []
    for query in try filter.queries(reader) {
      // In an order that an index serves: by key, which is the other one, SQLite would go through all there are.
      try reader.forEach(query.order { $0.updatedAt.descending }) { ids.append($0.id) }
    }
    return ids
  }

  /// The item with this identifier; nil where the account has none.
  public static func find(_ account: AccountStore, _ id: ItemID) async throws -> Item? {
    try await account.read { try find($0, id) }
  }

  public static func find<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ id: ItemID) throws
    -> Item?
  where Reader.Scope == AccountScope { try reader.find(Item.self, id) }

  /// The item, now and whenever it is another one; nil while the account has none.
  public static func observe(_ account: AccountStore, _ id: ItemID) -> Observation<Item?> {
    account.observe { try find($0, id) }
  }

  /// The newest items in whose title, preview or tags a search finds each word, with the places where it does;
  /// see `SearchTerms`. A text without a word finds none.
  ///
  /// - Parameters:
  ///   - filter: in which items it looks.
  ///   - last: the last item of the page before.
  /// - Throws: `StoreError.searchTooLong`.
  public static func search(
    _ account: AccountStore, _ text: String, _ filter: ItemFilter = ItemFilter(), after last: Item? = nil,
    limit: Int = 50
  ) async throws -> [SearchHit<Item>] {
    try await account.read { try search($0, text, filter, after: last, limit: limit) }
  }

  public static func search<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, _ text: String, _ filter: ItemFilter = ItemFilter(), after last: Item? = nil,
    limit: Int = 50
  ) throws -> [SearchHit<Item>] where Reader.Scope == AccountScope {
    var pages: [[SearchHit<Item>]] = []
    for query in try filter.queries(reader) {
      pages.append(
        try reader.search(Item.self, text) { _ in
          page(query.matching(text), after: last, limit)
        })
    }
    return merged(pages, limit, \.record)
  }

  /// The same, now and whenever they are others.
  public static func observeSearch(
    _ account: AccountStore, _ text: String, _ filter: ItemFilter = ItemFilter(), after last: Item? = nil,
    limit: Int = 50
  ) -> Observation<[SearchHit<Item>]> {
    account.observe { try search($0, text, filter, after: last, limit: limit) }
  }

  private static func page(_ query: Query<Item>, after last: Item?, _ limit: Int) -> Query<Item> {
    let newest = query.order { $0.updatedAt.descending }.limit(limit)
    return last.map { newest.after($0) } ?? newest
  }

  private static func merged<Found>(_ pages: [[Found]], _ limit: Int, _ item: (Found) -> Item) -> [Found] {
    Array(inOrder(pages, item).prefix(max(0, limit)))
  }

  /// Several lists, each of which has its newest first, as one.
  static func inOrder<Found>(_ pages: [[Found]], _ item: (Found) -> Item) -> [Found] {
    guard pages.count > 1 else { return pages.first ?? [] }
    return pages.joined().sorted { left, right in
      let (left, right) = (item(left), item(right))
      return left.updatedAt == right.updatedAt
        ? right.id.rawValue.utf8.lexicographicallyPrecedes(left.id.rawValue.utf8)
        : left.updatedAt > right.updatedAt
    }
  }
}
