/// What turns one list of rows into another, with the indices that a collection view's batch update takes.
///
/// `removed` and `Move.from` count in the list as it was, `inserted` and `Move.to` in the list as it is
/// afterwards. To apply it: take out what was removed and what moves, then put in, in ascending order, what
/// was inserted and what moved. No row is in two of `removed`, `inserted` and `moved`; as few rows move as
/// can be. A row that moves may be updated too: it is then in both, since views refuse to reload and move a
/// row in one batch; use `Update.before` to reload within the batch, `Update.after` to do it afterwards.
public struct ListChanges: Sendable, Equatable {
  public struct Move: Sendable, Equatable {
    /// In the list as it was.
    public let from: Int
    /// In the list as it is afterwards.
    public let to: Int
  }

  /// The same identity with other content.
  public struct Update: Sendable, Equatable {
    /// In the list as it was.
    public let before: Int
    /// In the list as it is afterwards.
    public let after: Int
  }

  /// Ascending, in the list as it was.
  public private(set) var removed: [Int] = []
  /// Ascending, in the list as it is afterwards.
  public private(set) var inserted: [Int] = []
  /// Ascending by `to`.
  public private(set) var moved: [Move] = []
  /// Ascending by `after`.
  public private(set) var updated: [Update] = []

  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

  /// Takes O(n log n) at worst, and O(n) where the rows that stay keep their order.
  public init<Row>(from before: ListRows<Row>, to after: ListRows<Row>) {
    for (index, row) in before.rows.enumerated() where after.index(of: row.id) == nil {
      removed.append(index)
    }
    var stayed: [Move] = []
    stayed.reserveCapacity(min(before.count, after.count))
    for (index, row) in after.rows.enumerated() {
      guard let old = before.index(of: row.id) else {
        inserted.append(index)
        continue
      }
      if before[old] != row { updated.append(Update(before: old, after: index)) }
      stayed.append(Move(from: old, to: index))
    }
    moved = ListChanges.moves(among: stayed)
  }

  /// All but a longest run, not necessarily of neighbours, that is in order already.
  private static func moves(among stayed: [Move]) -> [Move] {
    guard !zip(stayed, stayed.dropFirst()).allSatisfy({ $0.from < $1.from }) else { return [] }
    // Patience sorting: `ends[k]` is where the ordered run of k + 1 rows that ends lowest ends.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: stayed.count)
    for index in stayed.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if stayed[ends[middle]].from < stayed[index].from { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var stays = [Bool](repeating: false, count: stayed.count)
    var last = ends.last
    while let index = last {
      stays[index] = true
      last = previous[index]
    }
    return stayed.indices.filter { !stays[$0] }.map { stayed[$0] }
  }
}
