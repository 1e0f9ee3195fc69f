import Foundation
import Testing

@testable import FerryStore

/// Random conditions over random rows: what SQL finds is what the condition says of each record in memory.
///
/// A case is all that its seed says: FERRY_SEED=… runs from that one on, FERRY_ROUNDS=… so many.
@Suite struct `A generated query` {
  @Test func `finds what its evaluation in memory finds, and nothing of another account`() async throws {
    var world = try GeneratedWorld()
    var rowSeed: UInt64?
    for seed in Rounds.seeds(2000) {
      // The other tests have their turn.
      await Task.yield()
      // The same rows for a hundred cases: making them costs more than asking for them.
      if rowSeed != seed / 100 {
        rowSeed = seed / 100
        var generator = Seeded(seed: seed / 100)
        try world.fill(&generator)
      }
      var expressions = Expressions(Seeded(seed: seed))
      let depth = expressions.below(5)
      if expressions.below(3) == 0 {
        let condition = expressions.onFolder(depth)
        try check(condition, world.folders, world, seed) { $0.id.rawValue }
      } else {
        let condition = expressions.onEverything(depth)
        try check(condition, world.rows, world, seed) { $0.id }
      }
    }
  }

  private func check<R: Record, Key: Equatable & Sendable>(
    _ condition: FerryStore.QueryExpression<R, Bool>, _ records: [R], _ world: GeneratedWorld, _ seed: UInt64,
    key: @Sendable (R) -> Key
  ) throws where R.Scope == AccountScope {
    let expected = try records.filter { try condition.evaluate($0, among: world.inMemory) }.map(key)
    let query = R.where { _ in condition }
    let (found, count, exists) = try world.account.blockingRead { snapshot throws in
      (try snapshot.fetch(query).map(key), try snapshot.count(query), try snapshot.exists(query))
    }
    guard found != expected || count != expected.count || exists == expected.isEmpty else { return }
    Issue.record(
      """
      FERRY_SEED=\(seed): SQL finds \(found), counts \(count) and says \(exists); in memory it is \(expected), \
      for \(condition.node)
      """)
  }

  @Test func `counts, adds up and tells apart what it finds`() async throws {
    var world = try GeneratedWorld()
    for seed in Rounds.seeds(150) {
      // The other tests have their turn.
      await Task.yield()
      var generator = Seeded(seed: seed)
      if seed % 10 == 0 || world.rows.isEmpty { try world.fill(&generator) }
      var expressions = Expressions(Seeded(seed: seed))
      let (condition, other) = (expressions.onEverything(1), expressions.onEverything(1))
      let query = Everything.where { _ in condition }
      let rows = try world.rows.filter { try condition.evaluate($0, among: world.inMemory) }
      let others = Set(try rows.filter { try other.evaluate($0, among: world.inMemory) }.map(\.id))
      try world.account.blockingRead { snapshot throws in
        let counts = try snapshot.count(query, by: { $0.note }, of: { _ in other })
        let groups = Dictionary(grouping: rows) { $0.note.stored }
        #expect(counts.keys.count == groups.count, "FERRY_SEED=\(seed)")
        for (note, group) in groups {
          let isNamed = group.count { others.contains($0.id) }
          let key = group[0].note
          #expect(counts[key] == .init(all: group.count, of: [isNamed]), "FERRY_SEED=\(seed): \(note)")
        }
        let texts = try snapshot.distinct(query) { $0.text }.map(bytes)
        #expect(texts == Set(rows.map { bytes($0.text) }).sorted { $0.lexicographicallyPrecedes($1) })
        #expect(try snapshot.min(query) { $0.score } == rows.compactMap(\.score).min(), "FERRY_SEED=\(seed)")
        #expect(try snapshot.max(query) { $0.whole } == rows.map(\.whole).max(), "FERRY_SEED=\(seed)")
        let sum = rows.reduce((high: 0, low: 0)) { sum, row in
          (sum.high + (row.whole >> 32), sum.low + (row.whole & 0xffff_ffff))
        }
        let carried = sum.high + sum.low >> 32
        if Int32(exactly: carried) == nil {
          #expect(throws: StoreError.sumOutOfRange(table: "everything"), "FERRY_SEED=\(seed)") {
            try snapshot.sum(query) { $0.whole }
          }
        } else {
          let expected = rows.isEmpty ? nil : rows.map(\.whole).reduce(0, &+)
          #expect(try snapshot.sum(query) { $0.whole } == expected, "FERRY_SEED=\(seed)")
        }
      }
    }
  }
}
