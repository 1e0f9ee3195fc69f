import FerryStore
import FolderDomain

/// A part of a list of items that is too long to be had as a whole.
public struct ItemWindow: Sendable, Equatable {
  /// Newest first.
  public let items: [Item]
  /// How many items of the list come before the first of these.
  public let offset: Int
  /// How many items the list has.
  public let total: Int

  public init(items: [Item], offset: Int, total: Int) {
    (self.items, self.offset, self.total) = (items, offset, total)
  }

  /// Where in a list a window is.
  public enum Anchor: Sendable, Equatable {
    case newest
    case oldest
    /// Around an item, which needn't be there any more: as many before it as after it.
    case around(Item)
  }
}

extension ItemDAO {
  /// A part of the items that a filter takes and, if there is a text, a search finds. It is reached by key from
  /// either side, so that a list of a hundred thousand costs no more than one of a hundred, but for the counting,
  /// which an index does.
  ///
  /// - Parameters:
  ///   - search: see `search`; empty: whatever the filter takes.
  ///   - size: how many items at most.
  /// - Throws: `StoreError.searchTooLong`.
  public static func window<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, _ filter: ItemFilter = ItemFilter(), search: String = "",
    at anchor: ItemWindow.Anchor = .newest, size: Int
  ) throws -> ItemWindow where Reader.Scope == AccountScope {
    let size = max(0, size)
    let queries = try filter.queries(reader).map { search.isEmpty ? $0 : $0.matching(search) }
    var total = 0
    for query in queries { total += try reader.count(query) }
    switch anchor {
    case .newest:
      return ItemWindow(items: try newest(reader, queries, after: nil, size), offset: 0, total: total)
    case .oldest:
      let items = try newer(reader, queries, than: nil, size)
      return ItemWindow(items: items, offset: total - items.count, total: total)
    case .around(let item):
      let before = try newer(reader, queries, than: item, size / 2)
      let itself = try queries.flatMap { try reader.fetch($0.where { $0.id == item.id }) }
        .filter { $0.updatedAt == item.updatedAt }  // One that was changed meanwhile stands elsewhere.
      let rest = try newest(reader, queries, after: item, max(0, size - before.count - itself.count))
      let items = Array((before + itself + rest).prefix(size))
      guard before.count == size / 2, let first = items.first else {
        return ItemWindow(items: items, offset: 0, total: total)
      }
      var offset = 0
      for query in queries {
        offset += try reader.count(query.where { $0.updatedAt > first.updatedAt })
        offset += try reader.count(query.where { $0.updatedAt == first.updatedAt && $0.id > first.id })
      }
      return ItemWindow(items: items, offset: offset, total: total)
    }
  }

  /// The same, now and whenever it is another one.
  public static func observeWindow(
    _ account: AccountStore, _ filter: ItemFilter = ItemFilter(), search: String = "",
    at anchor: ItemWindow.Anchor = .newest, size: Int
  ) -> Observation<ItemWindow> {
    account.observe { try window($0, filter, search: search, at: anchor, size: size) }
  }

  private static func newest<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, _ queries: [Query<Item>], after last: Item?, _ limit: Int
  ) throws -> [Item] where Reader.Scope == AccountScope {
    let pages = try queries.map { query in
      let newest = query.order { $0.updatedAt.descending }.limit(limit)
      return try reader.fetch(last.map { newest.after($0) } ?? newest)
    }
    return Array(inOrder(pages, \.self).prefix(limit))
  }

  /// The items right before one; nil: the last of all.
  private static func newer<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, _ queries: [Query<Item>], than first: Item?, _ limit: Int
  ) throws -> [Item] where Reader.Scope == AccountScope {
    let pages = try queries.map { query in
      let oldest = query.order { $0.updatedAt.ascending }.limit(limit)
      return Array(try reader.fetch(first.map { oldest.after($0) } ?? oldest).reversed())
    }
    return Array(inOrder(pages, \.self).suffix(limit))
  }
}
