import Foundation
import Testing

@testable import FerryStore

/// Random orders over random rows, taken page by page.
@Suite struct `A generated order` {
  /// Columns of every kind, some of which may be nil, expressions, and columns along a reference.
  private static func order(_ number: Int, _ isDescending: Bool) -> Order<Everything> {
    let its = Columns<Everything>()
    let folder = its.joined(Folder.self, by: \.folder)
    let ascending: [Order<Everything>] = [
      its.text.ascending, its.note.ascending, its.whole.ascending, its.flag.ascending, its.maybe.ascending,
      its.real.ascending, its.score.ascending, its.kind.ascending, its.time.ascending, its.due.ascending,
      its.blob.ascending, its.folder.ascending, its.id.ascending, its.text.ignoringCase.ascending,
      (its.note ?? "ab").ascending, (its.text == its.note).ascending, folder.name.ascending,
      folder.kind.ascending, folder.joined(Folder.self, by: \.parent).name.ascending,
    ]
    let order = ascending[number % ascending.count]
    return Order(node: order.node, isDescending: isDescending)
  }

  private static func query(
    _ expressions: inout Expressions, upTo count: Int
  ) -> Query<Everything> {
    var query = Everything.all
    if expressions.below(2) == 0 {
      let condition = expressions.onEverything(1)
      query = query.where { _ in condition }
    }
    for _ in 0..<expressions.below(4) {
      let order = order(expressions.below(count), expressions.below(2) == 0)
      query = query.order { _ in order }
    }
    return query
  }

  @Test func `is that of the values in memory, and its pages are the whole`() async throws {
    var world = try GeneratedWorld()
    for seed in Rounds.seeds(400) {
      // The other tests have their turn.
      await Task.yield()
      var generator = Seeded(seed: seed)
      if seed % 20 == 0 || world.rows.isEmpty { try world.fill(&generator) }
      var expressions = Expressions(Seeded(seed: seed))
      // Not those along references of references, and none along references: one record doesn't say them.
      let query = Self.query(&expressions, upTo: 16)
      let size = 1 + expressions.below(7)
      let (whole, paged) = try world.account.blockingRead { snapshot throws in
        let whole = try snapshot.fetch(query)
        var paged: [Int64] = []
        var page = try snapshot.fetch(query.limit(size))
        while let last = page.last, paged.count <= whole.count {
          paged += page.map(\.id)
          page = try snapshot.fetch(query.limit(size).after(last))
        }
        return (whole, paged)
      }
      #expect(paged == whole.map(\.id), "FERRY_SEED=\(seed), pages of \(size): \(query)")
      try expectOrdered(whole, by: query, world, seed)
    }
  }

  @Test func `along a reference is that of the values in memory, and its pages of pairs are the whole`()
    async throws
  {
    var world = try GeneratedWorld()
    for seed in Rounds.seeds(200) {
      // The other tests have their turn.
      await Task.yield()
      var generator = Seeded(seed: seed)
      if seed % 20 == 0 || world.rows.isEmpty { try world.fill(&generator) }
      var expressions = Expressions(Seeded(seed: seed))
      let query = Self.query(&expressions, upTo: 18)
      let pairs = query.with(Folder.self, by: \.folder)
      let size = 1 + expressions.below(7)
      let (whole, paged) = try world.account.blockingRead { snapshot throws in
        let whole = try snapshot.fetch(pairs)
        var paged: [Int64] = []
        let first = query.limit(size).with(Folder.self, by: \.folder)
        var page = try snapshot.fetch(first)
        while let last = page.last, paged.count <= whole.count {
          paged += page.map(\.record.id)
          page = try snapshot.fetch(first.after(last))
        }
        return (whole, paged)
      }
      #expect(paged == whole.map(\.record.id), "FERRY_SEED=\(seed), pages of \(size): \(query)")
      try expectOrdered(whole.map(\.record), by: query, world, seed)
      for pair in whole {
        let folder = world.folders.first { $0.id == pair.record.folder }
        #expect(pair.target == folder, "FERRY_SEED=\(seed)")
      }
    }
  }

  private func expectOrdered(
    _ found: [Everything], by query: Query<Everything>, _ world: GeneratedWorld, _ seed: UInt64
  ) throws {
    for (left, right) in zip(found, found.dropFirst()) {
      let (left, right) = (try row(left, world), try row(right, world))
      for order in query.orders + [query.keyOrder] {
        let (first, second) = (try order.node.evaluate(left), try order.node.evaluate(right))
        guard first != second else { continue }
        let isRising = first == .null || first.isLess(than: second) == true
        #expect(isRising != order.isDescending, "FERRY_SEED=\(seed): \(query)")
        break
      }
    }
  }

  private func row(_ record: Everything, _ world: GeneratedWorld) throws -> RowsInMemory {
    RowsInMemory(root: try stored(record), table: "everything", others: world.inMemory)
  }
}
