import Testing

@testable import FerryScreen

@Suite struct `What changed in a list` {
  /// What a collection view does with a batch.
  static func apply(_ changes: ListChanges, to before: [Line], of after: [Line]) -> [Line] {
    let leaving = Set(changes.removed + changes.moved.map(\.from))
    var rows = before.indices.filter { !leaving.contains($0) }.map { before[$0] }
    let moving = Dictionary(uniqueKeysWithValues: changes.moved.map { ($0.to, before[$0.from]) })
    for index in (changes.inserted + changes.moved.map(\.to)).sorted() {
      rows.insert(moving[index] ?? after[index], at: index)
    }
    for update in changes.updated { rows[update.after] = after[update.after] }
    return rows
  }

  static func changes(_ before: [Line], _ after: [Line]) -> ListChanges {
    ListChanges(from: ListRows(before), to: ListRows(after))
  }

  @Test func `names each kind with its indices`() {
    let before = [Line("a"), Line("b", "old"), Line("c"), Line("d")]
    let after = [Line("d"), Line("new"), Line("a"), Line("b", "new")]
    let changes = Self.changes(before, after)
    #expect(changes.removed == [2])
    #expect(changes.inserted == [1])
    #expect(changes.moved == [.init(from: 3, to: 0)])
    #expect(changes.updated == [.init(before: 1, after: 3)])
  }

  @Test func `is empty where nothing changed`() {
    #expect(Self.changes([], []).isEmpty)
    #expect(Self.changes(lines("a", "b"), lines("a", "b")).isEmpty)
    #expect(!Self.changes([Line("a")], [Line("a", "!")]).isEmpty)
  }

  @Test func `says of a row that moves and changes both, so that neither is lost`() {
    let changes = Self.changes(
      [Line("a"), Line("b"), Line("c", "1")], [Line("c", "2"), Line("a"), Line("b")])
    #expect(changes.moved == [.init(from: 2, to: 0)])
    #expect(changes.updated == [.init(before: 2, after: 0)])
  }

  @Test func `turns any list into any other, and moves as few rows as can be`() {
    var random = Seeded(Seeded.seed)
    print("FERRY_SEED=\(Seeded.seed)")
    func some() -> [Line] {
      var all = (0..<9).map { Line("\($0)", Bool.random(using: &random) ? "x" : "y") }
      all.shuffle(using: &random)
      return Array(all.prefix(Int.random(in: 0...9, using: &random)))
    }
    for number in 0..<3_000 {
      let (before, after) = (some(), some())
      let changes = Self.changes(before, after)
      #expect(Self.apply(changes, to: before, of: after) == after, "case \(number)")
      #expect(Set(changes.removed).isDisjoint(with: changes.moved.map(\.from)), "case \(number)")
      #expect(Set(changes.inserted).isDisjoint(with: changes.moved.map(\.to)), "case \(number)")
      #expect(changes.removed == changes.removed.sorted() && changes.inserted == changes.inserted.sorted())
      let order = after.compactMap { row in before.firstIndex { $0.id == row.id } }
      #expect(changes.moved.count == order.count - Self.longestRun(order), "case \(number)")
    }
  }

  /// By trying all of them.
  static func longestRun(_ numbers: [Int]) -> Int {
    (0..<(1 << numbers.count)).map { mask in
      let chosen = numbers.indices.filter { mask & (1 << $0) != 0 }.map { numbers[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
    }.max() ?? 0
  }

  /// Counts how often it is looked at.
  struct Counted: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
      let number: Int
      let looks: Shared<Int>
      static func == (left: ID, right: ID) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) {
        looks.withLock { $0 += 1 }
        hasher.combine(number)
      }
    }
    let id: ID
  }

  @Test(arguments: ["reversed", "rotated", "replaced"])
  func `takes 10,000 rows in steps that grow with their number`(
    how: String
  ) {
    let (count, looks) = (10_000, Shared(0))
    let before = (0..<count).map { Counted(id: .init(number: $0, looks: looks)) }
    let after =
      switch how {
      case "reversed": Array(before.reversed())
      case "rotated": Array(before[(count / 2)...] + before[..<(count / 2)])
      default: before.map { Counted(id: .init(number: $0.id.number + count, looks: looks)) }
      }
    let changes = ListChanges(from: ListRows(before), to: ListRows(after))
    switch how {
    case "reversed": #expect(changes.moved.count == count - 1)
    case "rotated": #expect(changes.moved.count == count / 2)
    default: #expect(changes.removed.count == count && changes.inserted.count == count)
    }
    #expect(looks.withLock { $0 } <= 12 * count)
  }

  @Test func `is made of rows whose identities come once`() {
    let rows = ListRows([Line("a", "first"), Line("b"), Line("a", "second"), Line("c"), Line("a", "third")])
    #expect(rows.rows == [Line("a", "first"), Line("b"), Line("c")])
    #expect(rows.repeated == ["a", "a"])
    #expect(rows.index(of: "c") == 2 && rows.index(of: "d") == nil)
  }
}
